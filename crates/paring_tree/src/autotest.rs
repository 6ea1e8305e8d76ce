//! `AutoTest`'s notation, as Leitner et al. (2007) show it: a sequence of instructions of four kinds.
//!
//! ```text
//! create {RANDOM} v_1.set_seed (v_0)         creation: reads v_0, defines v_1
//! v_1.forth                                  call: reads v_1, changes v_1
//! v_2 := v_1.item ({INTEGER_32} 7)           call with assignment: reads v_1, changes v_1, defines v_2
//! v_3 := v_2                                 assignment: reads v_2, defines v_3
//! ```
//!
//! An instruction is a statement with what it reads and writes, so slices and the strategies of the paper work on it. What a
//! call changes is for the level of the slice to say. A sequence fails at its last instruction: the generator stops there.

mod instruction;
mod sequence;

use camino::Utf8Path;
use paring_model::{
    Candidate, Draft, EditSet, Form, Frontend, Problem, Spot, StmtId, TargetSpec, TestWriter, Token, Unit,
    Unwritable, Written,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct AutotestFrontend;

impl Frontend for AutotestFrontend {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        sequence::unit(path, source, &target.id)
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        paring_model::write(self, units, draft, form)
    }

    fn test_text(&self, unit: &Unit) -> String {
        unit.source.clone()
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        instruction::tokens(text)
    }

    fn fails_at(&self, unit: &Unit) -> Option<StmtId> {
        unit.test_body().last().copied()
    }

    fn control(&self, unit: &Unit) -> Option<Candidate> {
        Some(crate::whole_file::empty(unit))
    }
}

impl TestWriter for AutotestFrontend {
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let text = sequence::text(unit, edits, form);
        unit.candidate(text, form)
    }

    fn spot(&self, unit: &Unit) -> Option<Spot> {
        Some(crate::whole_file::spot(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Op, StmtSet};
    use paring_testkit::conformance;

    /// Listing 1 of the paper, as far as it is printed.
    const LISTING: &str = "\
v_61. forget_right
create {PRIMES} v_62
v_63 := v_62.lower_prime ({INTEGER_32} 2)
create {STRING_8} v_64.make_from_c(itp_default_pointer)
create {ARRAY2 [ANY]} v_134.make ({INTEGER_32} 7, {
INTEGER_32} 6)
v_134. enter (v_45, v_131)
create {RANDOM} v_135.set_seed (v_63)
v_136 := v_135. real_item
";

    fn unit(source: &str) -> Unit {
        AutotestFrontend.parse(Utf8Path::new("a.autotest"), source, &TargetSpec::new("a.autotest")).0
    }

    /// What each instruction reads and defines: `reads > defines`, and calls as `target(arguments)`.
    fn told(source: &str) -> Vec<String> {
        let unit = unit(source);
        let name = |place: &paring_model::PlaceId| unit.place(*place).name.clone();
        let op = |op: &Op| match op {
            Op::Use(place) => name(place),
            Op::Define(place) => format!("> {}", name(place)),
            Op::Call(call) => {
                let args: Vec<String> = call.args.iter().map(name).collect();
                format!("{}({})", call.receiver.as_ref().map(name).unwrap_or_default(), args.join(" "))
            }
            Op::MayDefine(_) | Op::Mutate(_) => "?".to_owned(),
        };
        let line = |id: StmtId| unit.stmt(id).ops.iter().map(op).collect::<Vec<_>>().join(" ");
        unit.test_body().into_iter().map(line).collect()
    }

    #[test]
    fn the_listing_of_the_paper_has_eight_instructions() {
        assert_eq!(
            told(LISTING),
            [
                "v_61()",
                "() > v_62",
                "v_62() > v_63",
                "(itp_default_pointer) > v_64",
                "() > v_134",
                "v_134(v_45 v_131)",
                "(v_63) > v_135",
                "v_135() > v_136",
            ]
        );
    }

    #[test]
    fn assignments_and_constants_of_all_kinds_are_read() {
        let source = "v_1 := v_0\nv_2 := {REAL_64} -1.5e3\nv_3.put (\"a (b, v_9\", 'v', True, Void) -- v_8\nv_4 := 3\n";
        assert_eq!(told(source), ["v_0 > v_1", "> v_2", "v_3()", "> v_4"]);
    }

    #[test]
    fn a_line_that_is_no_instruction_is_a_problem() {
        let target = TargetSpec::new("a");
        let (unit, problems) = AutotestFrontend.parse(Utf8Path::new("a"), "v_1.go\nif x then\n", &target);
        assert_eq!((unit.test_body().len(), problems.len()), (2, 1));
        assert_eq!(problems[0].message, "this is no instruction of AutoTest's notation");
    }

    #[test]
    fn a_slice_is_written_without_the_other_lines() {
        let unit = unit(LISTING);
        let body = unit.test_body();
        let mut kept: StmtSet = [body[1], body[2], body[6], body[7]].into_iter().collect();
        kept.insert(StmtId(0));
        let edits = EditSet { kept, ..EditSet::default() };
        assert_eq!(
            AutotestFrontend.edited(&unit, &edits, Form::Compact).into_text(),
            "create {PRIMES} v_62\nv_63 := v_62.lower_prime ({INTEGER_32} 2)\ncreate {RANDOM} v_135.set_seed (v_63)\n\
             v_136 := v_135. real_item\n"
        );
        let blanked = AutotestFrontend.edited(&unit, &edits, Form::Blanked).into_text();
        assert_eq!(blanked.lines().count(), LISTING.lines().count());
    }

    #[test]
    fn the_notation_passes_the_suite_of_every_front_end() {
        conformance::frontend(&AutotestFrontend, "a.autotest", LISTING, "a.autotest");
    }
}
