//! Goes through Java test files and holds the front end against what must always be true of it: the tree is sound, and
//! whatever is removed or unwrapped, the text that comes out parses. Prints the statements of every test.
//!
//! `cargo run -p paring_java --example sweep -- FILE…`

use camino::Utf8Path;
use paring_java::frontend::{JavaFrontend, outline};
use paring_model::{EditSet, Form, Frontend, StmtId, TargetSpec, Unit};

/// Tests of one file that are looked at in full.
const N_TESTS: usize = 4;
const N_SUBSETS: u64 = 12;

fn main() {
    let mut n_problems = 0;
    for path in std::env::args().skip(1) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        for class in outline(&source).classes {
            for (idx, test) in class.tests.iter().enumerate() {
                let target = format!("{}#{test}", class.binary_name);
                let (unit, problems) =
                    JavaFrontend.parse(Utf8Path::new(&path), &source, &TargetSpec::new(target.as_str()));
                println!("{target}\t{}", unit.test_body().len());
                if problems.is_empty() && idx < N_TESTS {
                    n_problems += check(&unit, &path);
                }
            }
        }
    }
    eprintln!("{n_problems} problems");
}

fn check(unit: &Unit, path: &str) -> usize {
    let mut n_problems = 0;
    sound(unit, path);
    let mut tell = |what: &str, edits: &EditSet| {
        for form in [Form::Blanked, Form::Compact] {
            let text = JavaFrontend.edited(unit, edits, form).into_text();
            let (_, problems) = JavaFrontend.parse(&unit.path, &text, &TargetSpec::new(unit.target.as_str()));
            if let Some(problem) = problems.first() {
                let line = 1 + text[..problem.range.start as usize].matches('\n').count();
                let shown: Vec<&str> = text.lines().skip(line.saturating_sub(3)).take(5).collect();
                eprintln!("{path} {} {form:?} {what}: line {line}\n{}", unit.target, shown.join("\n"));
                n_problems += 1;
            }
        }
    };
    let def = unit.test.and_then(|test| unit.routine(test).def).expect("a test of the outline is found");
    let below = unit.descendants(def);
    for seed in 0..N_SUBSETS {
        let mut edits = EditSet::all(unit);
        let mut random = Random(seed + 1);
        let from: Vec<StmtId> = if seed % 3 == 0 { unit.ids().collect() } else { below.clone() };
        for id in from.into_iter().filter(|&id| id != def) {
            let is_around = unit.ancestors(def).any(|up| up == id);
            match random.next() % 7 {
                0 | 1 if !is_around => edits.remove(unit, id),
                2 if unit.stmt(id).kind.can_unwrap() && edits.kept.contains(id) => {
                    edits.unwrapped.insert(id);
                }
                _ => {}
            }
        }
        tell(&format!("subset {seed}"), &edits);
    }
    n_problems
}

/// Parents come before children and cover them; siblings stand in source order and apart.
fn sound(unit: &Unit, path: &str) {
    for id in unit.ids() {
        let stmt = unit.stmt(id);
        let mut end = stmt.range.start;
        for &child in &stmt.children {
            let range = unit.stmt(child).range;
            assert!(child > id && unit.stmt(child).parent == Some(id), "{path}: {child:?} below {id:?}");
            assert!(stmt.range.covers(range) && range.start >= end, "{path}: {child:?} in {id:?}");
            end = range.end;
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
