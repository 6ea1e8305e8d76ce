//! What is ranked, and how high.

use crate::trial::Trial;
use camino::Utf8PathBuf;
use serde_json::json;

/// Where the fault of `testdata/python/localize` is: `return total + cut`, in `reduced`.
const FAULT: &str = "shop.py:34";

#[test]
fn the_faulty_line_is_among_the_first_by_every_formula() {
    let trial = Trial::on("localize");
    for formula in ["tarantula", "sbi", "ochiai", "jaccard", "ochiai2", "kulczynski2", "dstar", "op2"] {
        let ran = trial.localize(&["--no-purify", "--formula", formula, "--combine", "clear"]);
        assert_eq!(ran.suspects()[..3], ["shop.py:21", "shop.py:33", FAULT], "{ran}");
        let first = &ran.found["suspects"][2];
        // Three lines that only the failing tests run.
        assert_eq!((&first["rank"], &first["ties"]), (&json!(2.0), &json!(3)), "{ran}");
        assert_eq!(first["counts"], json!({ "ef": 3, "nf": 0, "ep": 0, "np": 4 }), "{ran}");
        assert_eq!(first["infinite"], formula == "dstar", "{ran}");
        assert_eq!(ran.found["tests"], json!({ "passed": 4, "failed": 3, "skipped": 1 }), "{ran}");
    }
}

#[test]
fn every_interpreter_gives_the_same_ranking() {
    let usual = Trial::on("localize").localize(&["--no-purify"]);
    for name in ["PARING_TEST_PYTHON_OLDEST", "PARING_TEST_PYTHON_MONITORING"] {
        let Ok(python) = std::env::var(name) else { continue };
        let other = Trial::on("localize").python(Utf8PathBuf::from(python)).localize(&["--no-purify"]);
        assert_eq!(other.found["suspects"], usual.found["suspects"], "{name}\n{other}");
    }
}

#[test]
fn pared_tests_take_the_place_of_the_failing_ones() {
    let ran = Trial::on("localize").localize(&["--combine", "replace"]);
    assert_eq!(ran.suspects()[..3], ["shop.py:21", "shop.py:33", FAULT], "{ran}");
    let failing = ran.found["failing"].as_array().expect("a list");
    assert_eq!(failing.len(), 3, "{ran}");
    for test in failing {
        assert_eq!(
            (&test["spectrum"], test["pared"].as_array().map(Vec::len)),
            (&json!("pared"), Some(1)),
            "{ran}"
        );
    }
    let last = &failing[2];
    assert_eq!(last["id"], "tests/test_shop.py::test_all_of_it", "{ran}");
    assert!(!last["pared"][0]["test"].as_str().expect("a text").contains("label("), "{ran}");
    // The pared tests make no labels: those lines are no longer suspicious.
    assert!(ran.suspects().iter().all(|place| place != "shop.py:38"), "{ran}");
    ran.says(&["pared from", "pared tests in the place of the failing ones"]);
}

#[test]
fn of_many_failing_tests_some_are_pared() {
    let ran = Trial::on("localize").localize(&["--pare", "1"]);
    let failing = ran.found["failing"].as_array().expect("a list");
    let pared: Vec<&serde_json::Value> = failing.iter().filter(|it| it["pared"] != json!([])).collect();
    assert_eq!((failing.len(), pared.len()), (3, 1), "{ran}");
    ran.says(&["1 of 3 failing tests were pared", "--pare 3 pares all", "pared from"]);
}

#[test]
fn what_an_earlier_test_made_for_all_counts_for_all() {
    let trial = Trial::on("localize");
    let code = "TABLE = {}\n\n\ndef table():\n    if not TABLE:\n        TABLE['a'] = 1\n    return TABLE\n\n\ndef price(name):\n    return table()[name] + 1\n";
    trial.project.write("prices.py", code);
    let tests = "import prices\n\n\ndef test_table():\n    assert prices.table()\n\n\ndef test_price():\n    noise = 1\n    assert prices.price('a') == noise\n    assert prices.price('a') > 5\n";
    trial.project.write("tests/test_prices.py", tests);
    for combine in ["replace", "clear"] {
        let ran = trial.localize(&["tests/test_prices.py", "--fresh", "--combine", combine]);
        let suspects = ran.suspects();
        assert_eq!(suspects.first().map(String::as_str), Some("prices.py:11"), "{ran}");
        assert_eq!(*ran.counts("prices.py:6"), json!({ "ef": 1, "nf": 0, "ep": 1, "np": 0 }), "{ran}");
    }
}

#[test]
fn what_makes_a_fixture_counts_for_all_who_use_it() {
    let trial = Trial::on("localize");
    trial.project.write("prices.py", "def table(n):\n    return {'a': n}\n\n\ndef other():\n    return 1\n");
    let tests = "import unittest\n\nimport prices\nimport pytest\n\n\n@pytest.fixture(scope='module')\ndef base():\n    return prices.table(1)\n\n\n\
        @pytest.fixture(scope='module')\ndef table(base):\n    return base\n\n\ndef test_one(table):\n    assert table\n\n\n\
        def test_two(table):\n    assert table['a'] == 2\n\n\ndef test_none():\n    assert True\n\n\n\
        class TestOther:\n    @pytest.fixture\n    def base(self):\n        return {}\n\n    def test_own(self, base):\n        assert not base\n\n\n\
        class TestAll(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        cls.other = prices.other()\n\n    \
        def test_a(self):\n        self.assertEqual(self.other, 1)\n\n    def test_b(self):\n        self.assertEqual(self.other, 2)\n";
    trial.project.write("tests/test_prices.py", tests);
    let ran = trial.localize(&["tests/test_prices.py", "--no-purify"]);
    for place in ["prices.py:2", "prices.py:6"] {
        assert_eq!(*ran.counts(place), json!({ "ef": 1, "nf": 1, "ep": 1, "np": 3 }), "{place}\n{ran}");
    }
}

#[test]
fn assertions_that_hold_clear_the_lines_they_run() {
    let trial = Trial::on("localize");
    let code = "def grade(n):\n    if n > 5:\n        n = n + 2\n    return n\n";
    trial.project.write("grade.py", code);
    let tests = "import grade\n\n\ndef test_grade():\n    assert grade.grade(1) == 1\n    assert grade.grade(6) == 7\n";
    trial.project.write("tests/test_grade.py", tests);
    for (combine, rank) in [("refine", 2.0), ("clear", 1.0)] {
        let ran = trial.localize(&["tests/test_grade.py", "--combine", combine, "--fault", "grade.py:3"]);
        let faults = ran.found["fault"].as_array().expect("a list");
        let fault = faults.iter().find(|it| it["combine"] == combine && it["formula"] == "ochiai");
        assert_eq!(fault.expect("a rank")["rank"], rank, "{ran}");
        assert_eq!(
            ran.suspects().first().map(String::as_str) == Some("grade.py:3"),
            combine == "clear",
            "{ran}"
        );
    }
}

#[test]
fn refinement_ranks_the_originals_and_moves_up_what_pared_tests_ran() {
    let ran = Trial::on("localize").localize(&["--combine", "refine", "--top", "100"]);
    assert_eq!(ran.suspects()[..3], ["shop.py:21", "shop.py:33", FAULT], "{ran}");
    assert_eq!(ran.found["suspects"][0]["score"], 1.0, "{ran}");
    // The original ran it, the pared tests did not: half of what it had.
    assert!(ran.suspects().contains(&"shop.py:38".to_owned()), "{ran}");
    assert_eq!(ran.found["failing"][0]["spectrum"], "original", "{ran}");
}

#[test]
fn functions_and_files_are_ranked_by_their_best_lines() {
    let trial = Trial::on("localize");
    let functions = trial.localize(&["--no-purify", "--by", "function"]);
    let names: Vec<&str> = functions.found["suspects"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["function"].as_str())
        .collect();
    assert_eq!(names[..2], ["Cart.total", "reduced"], "{functions}");
    assert_eq!(functions.found["suspects"][0]["rank"], 1.5, "{functions}");
    let files = trial.localize(&["--no-purify", "--by", "file"]);
    assert_eq!(files.found["suspects"].as_array().map(Vec::len), Some(1), "{files}");
    assert_eq!(
        (&files.found["ranked"], &files.found["suspects"][0]["file"]),
        (&json!(1), &json!("shop.py")),
        "{files}"
    );
}

#[test]
fn code_of_the_tests_is_ranked_where_that_is_asked_for() {
    let trial = Trial::on("localize");
    let all = ["--no-purify", "--top", "1000"];
    let has_tests =
        |args: &[&str]| trial.localize(args).suspects().iter().any(|place| place.starts_with("tests/"));
    assert!(!has_tests(&all));
    assert!(has_tests(&[&all[..], &["--with-tests"]].concat()));
    // Pared tests are told by the lines they had in the file.
    let pared = trial.localize(&["--with-tests", "--top", "1000", "--combine", "replace"]);
    assert!(pared.suspects().contains(&"tests/test_shop.py:43".to_owned()), "{pared}");
    assert!(!pared.suspects().contains(&"tests/test_shop.py:41".to_owned()), "{pared}");
}

#[test]
fn a_part_of_the_suite_is_enough() {
    let ran = Trial::on("localize").localize(&["--no-purify", "tests/test_shop.py::test_reduced"]);
    assert_eq!(ran.found["tests"], json!({ "passed": 1, "failed": 2, "skipped": 0 }), "{ran}");
}

#[test]
fn a_suite_that_fails_for_two_reasons_is_ranked_for_one_of_them() {
    let trial = Trial::with_files(&[
        ("sums.py", "def add(a, b):\n    return a - b\n\n\ndef times(a, b):\n    return a + b\n"),
        (
            "test_sums.py",
            "from sums import add, times\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_times():\n    \
             assert times(2, 3) == 6\n\n\ndef test_nothing():\n    assert add(1, 0) == 1\n",
        ),
    ]);
    let ran = trial.localize(&["--for", "test_sums.py::test_times"]);
    assert_eq!(ran.suspects(), ["sums.py:6"], "{ran}");
    assert_eq!(ran.found["tests"], json!({ "passed": 1, "failed": 1, "skipped": 0 }), "{ran}");
    ran.notes("1 other failing test counts for nothing here (--for)");
    // A file stands for all that fails in it.
    let of_file = trial.localize(&["--for", "test_sums.py", "--no-purify"]);
    assert_eq!(of_file.suspects(), ["sums.py:6", "sums.py:2"], "{of_file}");
}

#[test]
fn a_test_that_depends_on_others_is_told() {
    let trial = Trial::with_files(&[
        (
            "state.py",
            "SEEN = []\n\n\ndef note(word):\n    SEEN.append(word)\n\n\ndef count():\n    return len(SEEN)\n",
        ),
        (
            "test_state.py",
            "import state\n\n\ndef test_note():\n    state.note('a')\n    assert state.count()\n\n\n\
             def test_count():\n    assert state.count() == 0\n",
        ),
    ]);
    let ran = trial.localize(&[]);
    assert_eq!(ran.code, 0, "{ran}");
    ran.notes("test_state.py::test_count fails only after test_state.py::test_note");
}

#[test]
fn a_test_with_two_failing_assertions_is_two_pieces_of_evidence() {
    let trial = Trial::with_files(&[
        (
            "sums.py",
            "def add(a, b):\n    return a - b\n\n\ndef times(a, b):\n    return a + b\n\n\ndef same(a):\n    return a\n",
        ),
        (
            "test_sums.py",
            "from sums import add, same, times\n\n\ndef test_all():\n    assert same(1) == 1\n    assert add(1, 2) == 3\n    \
             assert times(2, 3) == 6\n\n\ndef test_same():\n    assert same(2) == 2\n",
        ),
    ]);
    let ran = trial.localize(&[]);
    let pared = ran.found["failing"][0]["pared"].as_array().expect("a list");
    assert_eq!(pared.len(), 2, "{ran}");
    // The second one stood behind the first: the test as it is never gets to it.
    assert_eq!(ran.suspects()[..2], ["sums.py:2", "sums.py:6"], "{ran}");
    assert_eq!(trial.localize(&["--no-purify"]).suspects(), ["sums.py:2", "sums.py:10"]);
}

#[test]
fn what_a_call_without_effect_ran_comes_first_of_what_is_alike() {
    let trial = Trial::with_files(&[
        (
            "stack.py",
            "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n        self.items = self.items + list([item])\n\n    \
             def drop(self):\n        self.items[:-1]\n\n    def size(self):\n        return len(self.items)\n",
        ),
        (
            "test_stack.py",
            "from stack import Stack\n\n\ndef test_drop():\n    stack = Stack()\n    stack.push(1)\n    stack.drop()\n    assert stack.size() == 0\n",
        ),
    ]);
    let ran = trial.localize(&["--fault", "stack.py:9"]);
    assert_eq!(ran.suspects()[0], "stack.py:9", "{ran}");
    assert_eq!(ran.found["failing"][0]["pared"][0]["without_effect"], json!(["stack.drop()"]), "{ran}");
    ran.says(&[
        "`stack.drop()` changes nothing",
        "fault: tests as they are: tarantula 2.5",
        "fault: tests settle: tarantula 1",
    ]);
}

#[test]
fn a_constant_counts_for_the_tests_that_run_what_reads_it() {
    let trial = Trial::with_files(&[
        ("rates.py", "NET = 100\nTAX = NET // 10  # should be 19 of 100\nFREE = 0\n"),
        (
            "shop.py",
            "from rates import FREE, TAX\n\n\nclass Cart:\n    limit = 3\n\n    def full(self, n):\n        return n >= self.limit\n\n\ndef taxed(price):\n                 return price * TAX // 100 + price\n\n\ndef free(price):\n    return price * FREE\n",
        ),
        (
            "test_shop.py",
            "from shop import Cart, free, taxed\n\n\ndef test_taxed():\n    assert taxed(100) == 119\n\n\ndef test_free():\n    assert free(1) ==              0\n\n\ndef test_full():\n    assert Cart().full(3)\n",
        ),
    ]);
    let ran = trial.localize(&["--fault", "rates.py:2"]);
    // The line that reads it, then the constant, and what that reads in turn; nobody who failed read the others.
    assert_eq!(ran.suspects(), ["shop.py:12", "rates.py:2", "rates.py:1"], "{ran}");
    assert_eq!(ran.found["suspects"][1]["counts"], json!({ "ef": 1, "nf": 0, "ep": 0, "np": 2 }), "{ran}");
    assert_eq!(ran.found["statements"], 7, "{ran}");
    ran.says(&["fault: tests as they are: tarantula 2, sbi 2"]);
}

#[test]
fn a_known_fault_is_told_with_its_rank_by_every_formula() {
    let ran = Trial::on("localize").localize(&["--fault", FAULT]);
    let ranks = ran.found["fault"].as_array().expect("a list");
    assert_eq!(ranks.len(), 8 * 7, "{ran}");
    let of = |formula: &str, combine: &str| {
        let found = ranks.iter().find(|it| it["formula"] == formula && it["combine"] == combine);
        found.expect("every way is there")["rank"].as_f64().expect("a number")
    };
    // Three lines that only failing tests run, and this one has the least text.
    assert!((of("ochiai", "none") - 2.0).abs() < 1e-9 && (of("dstar", "both") - 2.0).abs() < 1e-9, "{ran}");
    assert!((of("ochiai", "settle") - 3.0).abs() < 1e-9 && (of("op2", "untied") - 3.0).abs() < 1e-9, "{ran}");
    ran.says(&["fault: tests as they are: tarantula 2, sbi 2, ochiai 2"]);
    let nowhere = Trial::on("localize").localize(&["--no-purify", "--fault", "shop.py:1"]);
    assert_eq!(nowhere.found["fault"], json!([]), "{nowhere}");
    nowhere.says(&["it has no rank"]);
}
