//! `paring doctor` with a real interpreter and a real pytest.

use crate::trial::Trial;

#[test]
fn a_project_with_tests_is_fit_and_one_whose_conftest_fails_is_not() {
    let fit = Trial::on("read_only").doctor();
    fit.says(&["ok      tests", "collected", "Tests can be pared here."]);
    assert_eq!(fit.code, 0, "{fit}");
    let broken = Trial::on("broken_conftest").doctor();
    broken.says(&["broken  tests", "Error", "Broken: tests."]);
    assert_eq!(broken.code, 7, "{broken}");
}

#[test]
fn a_test_file_that_does_not_load_leaves_the_others() {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    assert 0\n");
    trial.project.write("test_b.py", "import no_such_module\n");
    let ran = trial.doctor();
    ran.says(&["note    tests", "No module named 'no_such_module'", "Tests can be pared here."]);
    assert_eq!(ran.code, 0, "{ran}");
}
