//! How analysis time grows with the length of a test. Run with `--release`; prints a table.
//!
//! Every shape is generated at 1,000, 3,000 and 10,000 statements, and taken from the parsed unit to the slice of its
//! last statement. A name as argument runs that shape alone, so that its peak memory can be told apart.

#[path = "../tests/graph/notation.rs"]
mod notation;

use paring_graph::{Level, dependence, slice};
use paring_model::{Facts, How, Resource, Unit};
use std::fmt::Write;
use std::time::Instant;

/// A name and the text of the `n`th group of ten statements.
type Shape = (&'static str, fn(&mut String, usize) -> std::fmt::Result);

const SHAPES: [Shape; 7] = [
    ("straight", straight),
    ("one object", one_object),
    ("branch or loop", branchy),
    ("changed in branches", changed_in_branches),
    ("set in branches", set_in_branches),
    ("early returns", early_returns),
    ("one try", one_try),
];

fn main() {
    let only = std::env::args().nth(1);
    println!(
        "{:20} {:>6} {:8} {:>9} {:>9} {:>8} {:>8}",
        "shape", "stmts", "level", "depend ms", "slice ms", "edges", "kept"
    );
    for (name, shape) in SHAPES.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        for n_stmts in [1_000, 3_000, 10_000] {
            let unit = generate(name, *shape, n_stmts);
            for level in [Level::Observed, Level::Zero, Level::One] {
                measure(name, &unit, level);
            }
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("peak memory: {}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown"));
}

fn measure(name: &str, unit: &Unit, level: Level) {
    let last = u32::try_from(unit.source.lines().count()).expect("test sources are short");
    let criterion = notation::line(unit, last);
    let x0 = notation::place(unit, "x0");
    let mut facts = Facts { observed: true, reaches: [(x0, x0)].into(), ..Facts::default() };
    for id in unit.ids() {
        facts.hits.insert(id, 1);
        if notation::line_of(unit, id).is_multiple_of(3) {
            facts.changed.insert(id, [x0].into());
            facts.resources.touch(id, 1, Resource::Unknown, How::Define);
        }
    }
    let start = Instant::now();
    let dependence = dependence(unit, &facts, level);
    let depended = start.elapsed();
    let start = Instant::now();
    let slice = slice(unit, &dependence, &[criterion]);
    let sliced = start.elapsed();
    let n_edges: usize = unit.ids().map(|id| dependence.edges(id).len()).sum();
    println!(
        "{name:20} {:6} {:8} {:9.1} {:9.1} {n_edges:8} {:8}",
        unit.stmts.len(),
        format!("{level:?}"),
        depended.as_secs_f64() * 1e3,
        sliced.as_secs_f64() * 1e3,
        slice.kept.len()
    );
}

fn generate(name: &str, shape: fn(&mut String, usize) -> std::fmt::Result, n_stmts: usize) -> Unit {
    let mut body = String::from("x0 = A()\n");
    for group in 0..n_stmts / 10 {
        shape(&mut body, group).expect("writing to a string never fails");
    }
    body.push_str("last = x0\n");
    let mut source = String::from("def test():\n");
    if name == "one try" {
        source.push_str("    try:\n");
        source.extend(body.lines().map(|line| format!("        {line}\n")));
        source.push_str("    except E as e:\n        pass\n    except F as e:\n        pass\n");
    } else {
        source.extend(body.lines().map(|line| format!("    {line}\n")));
    }
    source.push_str("    assert x0\n");
    notation::unit(&source)
}

fn straight(text: &mut String, group: usize) -> std::fmt::Result {
    for n in 0..5 {
        let (x, y) = ((group * 7 + n) % 90, (group + n) % 90);
        write!(text, "x{x} = A(x{y})\nx{y}.put(x{x}, {n})\n")?;
    }
    Ok(())
}

fn one_object(text: &mut String, _: usize) -> std::fmt::Result {
    (0..5).try_for_each(|n| write!(text, "x0.put({n})\nx{n} = x0.get({n})\n"))
}

fn branchy(text: &mut String, group: usize) -> std::fmt::Result {
    let (x, y) = (group % 50, (group + 3) % 50);
    let header = if group.is_multiple_of(2) { "if x0.ok(1):" } else { "for i in x0:" };
    writeln!(text, "{header}\n    x{x} = f(x{y})\n    x0.put(x{x})\n    y{x} = x0.get(i)")?;
    write!(text, "x{y} = A(x0)\nx{x}.put(x{y})\nx{y} += 1\nassert x{y} == y{x}\ny{y} = x{y}\nx{x}.put(1)\n")
}

fn changed_in_branches(text: &mut String, _: usize) -> std::fmt::Result {
    (0..5).try_for_each(|_| text.write_str("if c:\n    x0.put(1)\n"))
}

fn set_in_branches(text: &mut String, _: usize) -> std::fmt::Result {
    text.write_str("if c:\n    x0 = A()\n")?;
    (0..8).try_for_each(|n| writeln!(text, "y{n} = g(x0)"))
}

fn early_returns(text: &mut String, _: usize) -> std::fmt::Result {
    text.write_str("if x0.ok():\n    return\n")?;
    (0..8).try_for_each(|n| writeln!(text, "x{n}.put(x0)"))
}

fn one_try(text: &mut String, group: usize) -> std::fmt::Result {
    straight(text, group)
}
