//! Ways to name a test: ids of pytest and unittest, whole paths, reports of CI.

use crate::trial::Trial;

#[test]
fn a_test_that_is_not_in_the_file_is_not_found_and_near_names_are_told() {
    let ran = Trial::on("not_found").minimize(&["test_present.py::test_ther"]);
    assert_eq!(ran.only(6, "not_found")["error"]["code"], "not_found");
    ran.says(&["not_found test_present.py::test_ther", "test_present.py::test_there", "--collect-only"]);
}

#[test]
fn a_plugin_that_refuses_to_go_on_is_no_missing_test() {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    assert 0\n");
    let refuses = "import pytest\n\n\ndef pytest_collection_modifyitems():\n    raise pytest.UsageError('not found: the plug')\n";
    trial.project.write("conftest.py", refuses);
    let ran = trial.minimize(&["test_a.py::test_a"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "collection", "{ran}");
    ran.says(&["not found: the plug"]);
}

#[test]
fn a_file_that_is_not_there_is_not_found() {
    let ran = Trial::on("not_found").minimize(&["tests/test_absent.py::test_x"]);
    ran.only(6, "not_found");
    ran.says(&["there is no test tests/test_absent.py::test_x here", "next: name a test as pytest does"]);
}

#[test]
fn a_whole_file_is_no_target_and_the_user_is_sent_to_failing() {
    let ran = Trial::on("not_found").minimize(&["test_present.py"]);
    ran.only(6, "not_found");
    ran.says(&["test_present.py is no single test", "--failing test_present.py"]);
}

#[test]
fn of_several_targets_the_highest_code_counts_and_each_has_its_result() {
    let ran =
        Trial::on("not_found").minimize(&["test_present.py::test_there", "test_present.py::test_absent"]);
    let statuses: Vec<&str> = ran.results.iter().filter_map(|result| result["status"].as_str()).collect();
    assert_eq!((ran.code, statuses), (6, vec!["unchanged", "not_found"]), "{ran}");
}

#[test]
fn a_parametrised_test_without_brackets_is_pared_in_its_first_failing_case() {
    let ran = Trial::on("parametrized").minimize(&["test_cases.py::test_numbers"]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["target"], "test_cases.py::test_numbers[a-10-2]");
    assert_eq!(result["failure"]["type"], "ValueError");
    ran.says(&["note: test_cases.py::test_numbers stands for 8 cases; pared the first that fails"]);
    assert!(ran.pared().ends_with("    number = int(text, 10)"), "{ran}");
}

#[test]
fn a_parametrised_test_with_brackets_is_pared_in_that_case() {
    let trial = Trial::on("parametrized");
    let ran = trial.minimize(&["test_cases.py::test_numbers[a-10-10]"]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["target"], "test_cases.py::test_numbers[a-10-10]");
    let (text, target) = (&result["file"]["text"], result["file"]["target"].as_str().expect("an id"));
    trial.project.write("test_cases.py", text.as_str().expect("a text"));
    let said = trial.pytest(&[target]);
    assert!(said.contains("ValueError: invalid literal for int() with base 10: 'a'"), "{said}");
    assert!(said.contains("1 failed"), "{said}");
}

#[test]
fn a_case_that_is_not_there_is_told_apart_from_a_test_that_is_not() {
    let trial = Trial::on("parametrized");
    let ran = trial.minimize(&["test_cases.py::test_numbers[zz]"]);
    ran.only(6, "not_found");
    ran.says(&["test_numbers is there, and has no such case"]);
    let ran = trial.minimize(&["test_cases.py::test_numbrs"]);
    ran.only(6, "not_found");
    ran.says(&["did you mean test_cases.py::test_numbers?"]);
}

#[test]
fn a_case_that_passes_is_passing_though_another_fails() {
    Trial::on("parametrized").minimize(&["test_cases.py::test_numbers[1-1-10]"]).only(4, "passing");
}

#[test]
fn a_unittest_id_is_pared_like_the_node_id_it_stands_for() {
    let trial = Trial::on("unittest_class");
    let dotted = trial.minimize(&["test_account.AccountTest.test_withdraw"]);
    let node = trial.minimize(&["test_account.py::AccountTest::test_withdraw"]);
    assert_eq!(dotted.only(0, "minimized")["target"], "test_account.py::AccountTest::test_withdraw");
    assert_eq!(dotted.results[0]["file"], node.only(0, "minimized")["file"]);
    let pared = node.pared();
    assert!(pared.contains("self.account.withdraw(3)"), "the call under test stays\n{node}");
    assert!(!pared.contains("self.other") && !pared.contains("self.names"), "{node}");
    assert_eq!(
        node.results[0]["suspects"],
        serde_json::json!([]),
        "what changes the log has an effect\n{node}"
    );
    let text = node.results[0]["file"]["text"].as_str().expect("a text");
    assert!(!text.contains("self.other = Account()"), "set-up is pared too\n{node}");
}

#[test]
fn a_loop_of_sub_tests_is_pared_to_the_failing_one() {
    let ran = Trial::on("unittest_class").minimize(&["test_account.py::AccountTest::test_sub_tests"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["message"], "10 != 9");
    assert!(ran.pared().contains("self.account.withdraw(amount)"), "{ran}");
    assert!(!ran.pared().contains("(0, 1, 2)"), "{ran}");
    assert!(!ran.pared().contains("subTest"), "a name for a part of the test is no part of it\n{ran}");
}

#[test]
fn a_property_is_pared_with_its_failing_example_pinned() {
    let trial = Trial::on("hypothesis_test");
    let ran = trial.minimize(&["test_property.py::test_sorting_twice"]);
    assert!(ran.pared().contains("once.reverse()") && !ran.pared().contains("names"), "{ran}");
    ran.says(&["note: pinned the failing example numbers="]);
    trial.project.write("test_property.py", ran.results[0]["file"]["text"].as_str().expect("a text"));
    let said = trial.pytest(&["test_property.py"]);
    assert!(said.contains("assert once == sorted(numbers)") && said.contains("1 failed"), "{said}");
}

#[test]
fn a_coroutine_test_is_pared() {
    let ran = Trial::on("async_test").minimize(&["test_queue.py::test_queue"]);
    assert!(ran.pared().starts_with("async def test_queue():"), "{ran}");
    assert!(ran.pared().contains("await put(queue, 1)"), "{ran}");
    assert!(!ran.pared().contains("assert other.qsize() == 1"), "{ran}");
}

#[test]
fn failing_pares_every_failure_of_a_path_in_order() {
    let ran = Trial::on("fixture_failures").minimize(&["--failing", "."]);
    let targets: Vec<&str> = ran.results.iter().filter_map(|result| result["target"].as_str()).collect();
    assert_eq!(targets, ["test_phases.py::test_set_up", "test_phases.py::test_teardown"], "{ran}");
    assert_eq!(ran.code, 0, "{ran}");
    ran.says(&[
        "minimized test_phases.py::test_set_up",
        "KeyError: 'depth', line 8, in set-up",
        "minimized test_phases.py::test_teardown",
        "AssertionError: closed with the wrong size, in teardown",
    ]);
    let text = ran.results[0]["file"]["text"].as_str().expect("a text");
    assert!(text.contains(r#"settings["depth"]"#) && !text.contains("colour"), "the fixture is pared\n{ran}");
}

#[test]
fn failing_where_nothing_fails_says_so() {
    let ran = Trial::on("passing").minimize(&["--failing", "."]);
    assert_eq!(ran.only(4, "passing")["error"]["code"], "no_failures", "{ran}");
    ran.says(&["no test fails in .", "next: "]);
}

#[test]
fn failing_on_a_path_that_is_not_there_says_so() {
    let ran = Trial::on("passing").minimize(&["--failing", "nowhere"]);
    ran.only(6, "not_found");
    ran.says(&["not found: nowhere"]);
}

#[test]
fn a_junit_report_names_the_targets_and_so_does_a_folder_of_reports() {
    let trial = Trial::on("fixture_failures");
    let (folder, report) = (trial.outside("reports"), trial.outside("reports/unit.xml"));
    trial.pytest(&["--junitxml", report.as_str()]);
    for path in [&folder, &report] {
        let ran = trial.minimize(&["--junit-xml", path.as_str(), "--budget", "1runs"]);
        let targets: Vec<&str> = ran.results.iter().filter_map(|result| result["target"].as_str()).collect();
        assert_eq!(targets, ["test_phases.py::test_set_up", "test_phases.py::test_teardown"], "{ran}");
    }
}

#[test]
fn a_reported_failure_that_passes_alone_is_pared_after_the_test_it_needs() {
    let trial = Trial::on("suite_only");
    let report = trial.outside("unit.xml");
    trial.pytest(&["--junitxml", report.as_str()]);
    let ran = trial.minimize(&["--junit-xml", report.as_str()]);
    assert!(ran.pared().ends_with("assert users == [None]"), "{ran}");
    ran.says(&["fails in the suite and passes alone", "needs test_order.py::test_pollutes before it"]);
}

#[test]
fn a_report_that_is_not_there_says_what_to_name() {
    let ran = Trial::on("passing").minimize(&["--junit-xml", "nowhere.xml"]);
    assert_eq!(ran.results[0]["error"]["code"], "junit_xml", "{ran}");
    ran.says(&["nowhere.xml", "next: name a JUnit XML report, or a folder with such reports"]);
}

#[test]
fn without_a_target_the_user_is_told_how_to_name_one() {
    let ran = Trial::on("passing").minimize(&[]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("no test to pare") && ran.stderr.contains("--failing PATH"), "{ran}");
}

#[test]
fn a_fixture_that_is_asked_for_by_name_stays() {
    let text = "import pytest\n\n\n@pytest.fixture\ndef shelf():\n    books = []\n    books.append('Emma')\n    return books\n\n\n@pytest.fixture\ndef box():\n    return {}\n\n\n@pytest.mark.parametrize('name', ['box', 'shelf'])\ndef test_it(request, name):\n    noise = 1\n    assert noise\n    thing = request.getfixturevalue(name)\n    assert thing != ['Emma']\n";
    let ran = Trial::with_file("test_a.py", text).minimize(&["test_a.py::test_it[shelf]"]);
    assert!(
        ran.pared().ends_with(
            "(request, name):\n    thing = request.getfixturevalue(name)\n    assert thing != ['Emma']"
        ),
        "{ran}"
    );
    assert_eq!(ran.only(0, "minimized")["level"], "O", "{ran}");
}

#[test]
fn a_class_may_derive_from_one_of_its_own_name() {
    let text = "class Base:\n    size = 1\n\n\nclass TestIt:\n    class Base(Base):\n        colour = 'red'\n\n    def test_it(self):\n        noise = 1\n        assert noise\n        assert self.Base.size == 2\n";
    let ran = Trial::with_file("test_a.py", text).minimize(&["test_a.py::TestIt::test_it"]);
    assert_eq!(ran.pared(), "def test_it(self):\n    assert self.Base.size == 2", "{ran}");
}

#[test]
fn a_file_that_is_read_through_the_tests_loader_is_that_file() {
    let text = "import doctest\n\n\ndef test_it():\n    noise = 1\n    assert noise\n    found = doctest.testfile('numbers.txt')\n    assert found.failed == 0\n";
    let trial = Trial::with_file("test_a.py", text);
    trial.project.write("numbers.txt", ">>> 1 + 1\n3\n");
    let ran = trial.minimize(&["test_a.py::test_it"]);
    assert!(ran.pared().starts_with("def test_it():\n    found ="), "{ran}");
}

#[test]
fn of_tests_that_fail_in_one_set_up_one_is_pared() {
    let tests: Vec<String> = (0..30).map(|n| format!("def test_{n}():\n    a = 1\n    assert a\n")).collect();
    let trial = Trial::with_file("test_a.py", &tests.join("\n\n"));
    let fixture = "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef database(request):\n    raise OSError(request.node.name)\n";
    trial.project.write("conftest.py", fixture);
    let ran = trial.minimize(&["--failing", "."]);
    ran.only(0, "minimized");
    ran.says(&[
        "note: 30 tests fail in the same set-up, at conftest.py:6 (database): only this one was pared",
    ]);
}

#[test]
fn files_of_one_name_without_packages_are_told_what_pytest_advises() {
    let test = "def test_x():\n    a = 1\n    b = 2\n    assert a == 2\n";
    let trial = Trial::with_file("a/test_same.py", test);
    trial.project.write("b/test_same.py", test);
    let ran = trial.minimize(&["--failing", "."]);
    ran.says(&["are both imported as test_same", "--import-mode=importlib"]);
    assert_eq!(trial.minimize(&["--failing", ".", "--", "--import-mode=importlib"]).code, 0);
}
