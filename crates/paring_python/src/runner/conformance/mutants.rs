//! Another text in the place of a file of the code under test: the run has it, the file on disk has not.

use super::{Lab, job};
use crate::runner::PytestRunner;
use paring_model::{Candidate, CodeText, Coverage, Form, Heat, Job, Observation, Runner};

const SHOP: &str = "\
import functools

LATER = []


class Cart:
    @functools.lru_cache
    def total(self):
        def twice(n):
            return n * 2
        return twice(3)


def later():
    import late
    return late.answer()
";

const TEST: &str = "\
import shop


def test_total():
    assert shop.Cart().total() == 6


def test_later():
    assert shop.later() == 42
";

fn lab() -> Lab {
    Lab::new(&[
        ("shop.py", SHOP),
        ("late.py", "def answer():\n    return 42\n"),
        ("conftest.py", "import shop\n"),
        ("test_a.py", TEST),
    ])
}

fn see(lab: &Lab, runner: &PytestRunner, file: &str, text: &str, heat: Heat) -> Vec<bool> {
    let path = lab.root().join("project").join(file);
    let original = std::fs::read_to_string(&path).expect("a file");
    let plain = job(TEST, "test_a.py::test_total", heat);
    let both = ["test_a.py::test_total", "test_a.py::test_later"].map(str::to_owned);
    let candidate = plain.candidate.with_targets(both);
    let mutant =
        Job { candidate, code: Some(CodeText { path: path.clone(), text: text.to_owned() }), ..plain };
    let seen = runner.observe(&[mutant]).expect("an observation").remove(0);
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), original);
    seen.iter().map(|seen| *seen == Observation::Passed).collect()
}

#[test]
fn functions_of_loaded_modules_and_modules_loaded_later_have_the_fault() {
    let lab = lab();
    let runner = lab.runner("test_a.py::test_total");
    for heat in [Heat::Warm, Heat::Cold] {
        let inner = SHOP.replace("n * 2", "n + 2");
        assert_eq!(see(&lab, &runner, "shop.py", &inner, heat), [false, true], "{heat:?}");
        let answer = "def answer():\n    return 43\n";
        assert_eq!(see(&lab, &runner, "late.py", answer, heat), [true, false], "{heat:?}");
        assert_eq!(see(&lab, &runner, "shop.py", SHOP, heat), [true, true], "{heat:?}");
    }
}

#[test]
fn a_runner_tells_lines_from_its_own_workers() {
    let lab = lab();
    let runner = lab.runner("test_a.py::test_total");
    let path = lab.root().join("project/test_a.py");
    let candidate = Candidate::single(&path, TEST.to_owned(), "test_a.py::test_later", Form::Blanked);
    let covered = runner.candidate(&candidate, Heat::Warm).expect("lines");
    let of = |name: &str| {
        let is_it = |ran: &&paring_model::RanIn| covered.files[ran.file_idx].path.ends_with(name);
        let ran = covered.tests.iter().flat_map(|test| test.ran.iter().flatten());
        ran.filter(is_it).flat_map(|ran| ran.lines.clone()).collect::<Vec<_>>()
    };
    assert_eq!((of("late.py"), of("shop.py")), (vec![2], vec![15, 16]));
    assert!(covered.tests.iter().all(|test| test.observation == Observation::Passed));
}
