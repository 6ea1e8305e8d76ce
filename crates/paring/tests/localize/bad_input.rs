//! Suites that cannot be ranked, or not as one would think: a message and an exit code for each.

use crate::trial::Trial;

const SHOP: &str = "def price(n):\n    if n > 2:\n        return n * 2\n    return n\n";
const PASSING: &str = "import shop\n\n\ndef test_small():\n    assert shop.price(1) == 1\n";
const FAILING: &str = "\n\ndef test_large():\n    assert shop.price(3) == 3\n";

fn with_test(test: &str) -> Trial {
    Trial::with_files(&[("shop.py", SHOP), ("test_shop.py", &format!("{PASSING}{test}"))])
}

#[test]
fn a_suite_in_which_nothing_fails_points_nowhere() {
    with_test("").localize(&[]).ends(4, &["no test fails here (1 ran)", "next: "]);
    let files = ["test_a.py", "test_b.py", "test_c.py", "test_d.py"];
    let trial = Trial::with_files(&files.map(|file| (file, PASSING)));
    trial.project.write("shop.py", SHOP);
    trial.localize(&files).ends(4, &["no test fails in the 4 paths from test_a.py to test_d.py (4 ran)"]);
}

#[test]
fn a_folder_without_tests_has_none() {
    Trial::with_files(&[("shop.py", SHOP)]).localize(&[]).ends(6, &["there are no tests here"]);
    with_test("").localize(&["nowhere.py"]).ends(6, &["not found: ", "nowhere.py"]);
}

#[test]
fn a_ranking_is_for_a_test_that_is_there_and_fails() {
    let trial = with_test(FAILING);
    trial.localize(&["--for", "test_shop.py::test_lar"]).ends(6, &["no test of that name ran", "next: "]);
    trial.localize(&["--for", "test_shop.py::test_small"]).ends(4, &["it does not fail", "next: "]);
}

#[test]
fn a_suite_in_which_all_fails_is_ranked_with_a_warning() {
    let trial = Trial::with_files(&[("shop.py", SHOP), ("test_shop.py", &format!("import shop{FAILING}"))]);
    let ran = trial.localize(&["--no-purify"]);
    assert_eq!(ran.suspects(), ["shop.py:2", "shop.py:3"], "{ran}");
    ran.notes("every test fails");
}

#[test]
fn a_test_that_kills_the_run_is_named_and_the_others_are_ranked() {
    let killer = format!("\n\ndef test_killer():\n    import os\n    os._exit(7)\n{FAILING}");
    let ran = with_test(&killer).localize(&["--no-purify"]);
    assert_eq!(ran.suspects()[0], "shop.py:3", "{ran}");
    ran.notes("test_shop.py::test_killer does not count: it ended its process (exit 7)");
}

#[test]
fn where_all_that_fails_kills_the_run_nothing_is_known() {
    let ran = with_test("\n\ndef test_killer():\n    import os\n    os._exit(7)\n").localize(&[]);
    ran.ends(
        1,
        &["every failing test ended the process", "test_shop.py::test_killer ended the process (exit 7)"],
    );
}

/// The test waits for somebody else to write: what it wrote itself would be undone.
#[test]
fn a_source_file_that_changes_while_the_tests_run_is_refused() {
    let waits = "\n\n\ndef test_waits():\n    import os\n    before = os.path.getsize(shop.__file__)\n    open(MARK, 'w').close()\n    while os.path.getsize(shop.__file__) == before: pass\n";
    let trial = with_test("");
    let mark = trial.outside("running");
    trial.project.write("test_shop.py", &format!("MARK = {:?}\n{PASSING}{FAILING}{waits}", mark.as_str()));
    let shop = trial.project.root().join("shop.py");
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !mark.exists() {
                std::thread::yield_now();
            }
            std::fs::write(&shop, format!("{SHOP}#")).expect("the file can be written");
        });
        trial.localize_in_place(&["--no-purify"])
    });
    ran.ends(1, &["shop.py changed while the tests ran", "run the command again"]);
}

/// What the tests write themselves is undone, so the lines are those that ran.
#[test]
fn a_test_that_writes_into_a_source_file_is_no_reason_to_refuse() {
    let writer = format!("{FAILING}    \n\n\ndef test_writer():\n    open(shop.__file__, 'a').write('#')\n");
    let ran = with_test(&writer).localize(&["--no-purify"]);
    assert_eq!(ran.suspects()[0], "shop.py:3", "{ran}");
}

#[test]
fn a_file_that_cannot_be_collected_is_named() {
    let trial = with_test(FAILING);
    trial.project.write("test_broken.py", "def test_x(:\n");
    let ran = trial.localize(&["--no-purify"]);
    assert_eq!(ran.suspects()[0], "shop.py:3", "{ran}");
    ran.notes("test_broken.py does not count");
}

#[test]
fn a_process_that_ends_before_the_first_test_is_no_empty_suite() {
    let trial = Trial::with_files(&[("test_shop.py", "import os\nos._exit(3)\n")]);
    trial.localize(&[]).ends(7, &["pytest ended before the first test (exit 3)"]);
}

#[test]
fn coverage_that_the_project_switches_on_is_left_off_and_told() {
    let trial = with_test(FAILING);
    trial.project.write("pytest.ini", "[pytest]\naddopts = --cov=shop --cov-fail-under=99\n");
    let ran = trial.localize(&["--no-purify"]);
    assert_eq!(ran.suspects()[0], "shop.py:3", "{ran}");
    // The usual interpreter has no such plugin.
    ran.notes("--cov=shop");
    let Ok(python) = std::env::var("PARING_TEST_PYTHON_MONITORING") else { return };
    let ran = trial.python(python).localize(&["--no-purify"]);
    assert_eq!(ran.suspects()[0], "shop.py:3", "{ran}");
    ran.notes("the project switches pytest-cov on");
}

#[test]
fn an_interpreter_that_is_not_there_is_told() {
    with_test(FAILING).python("/no/such/python").localize(&[]).ends(7, &["there is no interpreter"]);
}

#[test]
fn a_formula_that_nobody_knows_is_a_mistake_of_usage() {
    with_test(FAILING).localize(&["--formula", "guess"]).ends(2, &["tarantula", "op2"]);
}
