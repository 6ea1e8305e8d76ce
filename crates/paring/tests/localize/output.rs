//! What the user sees, and what programs read.

use crate::trial::{Trial, document};
use serde_json::Value;

#[test]
fn a_reader_sees_code_scores_tests_and_the_tie_rule() {
    let ran = Trial::on("localize").localize(&["--no-purify", "--color", "always", "--top", "2"]);
    let plain = anstream::adapter::strip_str(&ran.stdout).to_string();
    for words in [
        "2    shop.py:33 in reduced  score 1.000, run by 3 of 3 failing and 0 of 4 passing tests",
        "     >   33      cut = total * percent // 100",
        "         34      return total + cut",
        "failing  1  tests/test_shop.py::test_reduced[10]  ",
        "where scores are equal, what only a call without effect runs comes first; next is the function with the most suspicious line",
        "3 failed, 4 passed, 1 skipped",
        "formula jaccard",
    ] {
        assert!(plain.contains(words), "nothing says {words:?}\n{plain}");
    }
}

#[test]
fn where_ties_are_left_as_they_are_a_reader_is_told_how_many_share_a_rank() {
    let ran = Trial::on("localize").localize(&["--no-purify", "--combine", "clear", "--top", "1"]);
    ran.says(&[
        "2    shop.py:21 in Cart.total  score 1.000, run by 3 of 3 failing and 0 of 4 passing tests, as 2 more",
        "statements with equal scores share one rank, the mean of theirs",
    ]);
}

#[test]
fn a_program_gets_json_and_nothing_else_on_standard_output() {
    let ran = Trial::on("localize").localize(&["--no-purify", "--json", "-"]);
    assert_eq!(document(&ran.stdout)["by"], "statement", "{ran}");
}

#[test]
fn sarif_has_a_result_for_each_suspect() {
    let trial = Trial::on("localize");
    let file = trial.outside("found.sarif");
    let ran = trial.localize(&["--no-purify", "--top", "3", "--sarif", file.as_str()]);
    assert_eq!(ran.code, 0, "{ran}");
    let log: Value = serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3);
    let place = &results[2]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
        (&"shop.py".into(), &34.into())
    );
    assert_eq!(results[0]["ruleId"], log["runs"][0]["tool"]["driver"]["rules"][0]["id"]);
    assert!(results[0]["message"]["text"].as_str().expect("words").starts_with("Rank 1 of "), "{log:#}");
}

#[test]
fn a_page_has_the_code_the_scores_and_the_pared_tests() {
    let trial = Trial::on("localize");
    let file = trial.outside("found.html");
    let ran = trial.localize(&["--top", "3", "--html", file.as_str()]);
    assert_eq!(ran.code, 0, "{ran}");
    let page = std::fs::read_to_string(file).expect("a file");
    let data =
        page.split_once("id=\"data\">").and_then(|(_, data)| data.split_once("</script>")).expect("data").0;
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["suspects"][0]["score"], 1.0, "{data:#}");
    for name in ["project", "made", "version"] {
        assert!(data[name].as_str().is_some_and(|text| !text.is_empty()), "{name}\n{data:#}");
    }
    let shop = &data["files"][0];
    assert_eq!(shop["path"], "shop.py", "{data:#}");
    assert!(shop["text"].as_str().expect("a text").contains("return total + cut"), "{data:#}");
    let lines = shop["lines"].as_array().expect("a list");
    let fault = lines.iter().find(|line| line[0] == 34).expect("the faulty line can run");
    assert_eq!(
        (&fault[2], &fault[4]),
        (&1.0.into(), &3.0.into()),
        "as hot as two others, which have more text"
    );
    let tests = fault[7].as_array().expect("a list").iter().filter_map(Value::as_u64);
    let tests: Vec<&Value> =
        tests.map(|idx| &data["tests"][usize::try_from(idx).expect("an index")]).collect();
    assert_eq!(tests.len(), 3, "{data:#}");
    let pared = tests[2]["pared"][0]["text"].as_str().expect("a text");
    assert!(pared.contains("def test_all_of_it") && !pared.contains("label("), "{pared}");
}
