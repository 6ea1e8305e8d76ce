//! Files in all their encodings and line ends: what is not edited stays byte for byte.

use crate::trial::Trial;

#[test]
fn a_file_in_latin_1_is_read_and_written_in_it() {
    let trial = Trial::on("latin1");
    let ran = trial.minimize(&["test_latin1.py::test_umlauts"]);
    assert_eq!(
        ran.pared(),
        "def test_umlauts():\n    name = \"Müller\"\n    upper = name.upper()\n    assert upper == \"MULLER\"",
        "{ran}"
    );
    assert!(
        ran.results[0]["file"]["text"].as_str().expect("a text").starts_with("# -*- coding: latin-1 -*-")
    );
    trial.minimize_in_place(&["test_latin1.py::test_umlauts", "--apply"]).only(0, "minimized");
    let bytes = std::fs::read(trial.project.root().join("test_latin1.py")).expect("the file is there");
    assert!(bytes.windows(6).any(|window| window == b"M\xfcller"), "{}", String::from_utf8_lossy(&bytes));
    assert!(trial.pytest(&["test_latin1.py"]).contains("1 failed"));
}

#[test]
fn line_ends_of_windows_stay() {
    let trial = Trial::on("crlf");
    let ran = trial.minimize(&["test_crlf.py::test_lines"]);
    let result = ran.only(0, "minimized");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(text.contains("for word in words:\r\n"), "{ran}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{ran}");
    assert!(!text.contains("second"), "{ran}");
    trial.minimize_in_place(&["test_crlf.py::test_lines", "--apply"]);
    let applied = trial.project.read("test_crlf.py");
    assert_eq!(applied.matches('\n').count(), applied.matches("\r\n").count(), "{applied}");
}

#[test]
fn tabs_stay_tabs() {
    let ran = Trial::on("tabs").minimize(&["test_tabs.py::test_tabs"]);
    assert!(ran.pared().contains("\tif words:\n\t\tcount = len(words)\n\tassert count == 3"), "{ran}");
    assert!(!ran.pared().contains("words.append"), "{ran}");
}

#[test]
fn a_byte_order_mark_and_a_missing_last_newline_stay() {
    let trial = Trial::on("bom");
    let ran = trial.minimize(&["test_bom.py::test_bom"]);
    assert_eq!(
        ran.pared(),
        "def test_bom():\n    first = \"é\"\n    second = first * 2\n    assert second == \"é\"",
        "{ran}"
    );
    trial.minimize_in_place(&["test_bom.py::test_bom", "--apply"]);
    let bytes = std::fs::read(trial.project.root().join("test_bom.py")).expect("the file is there");
    assert!(bytes.starts_with(b"\xef\xbb\xbf\"\"\"Proves"), "{}", String::from_utf8_lossy(&bytes));
    assert!(!bytes.ends_with(b"\n"), "{}", String::from_utf8_lossy(&bytes));
}

#[test]
fn a_protected_statement_stays_and_comments_go_with_their_statements() {
    let ran = Trial::on("protected").minimize(&["test_keep.py::test_keep"]);
    assert_eq!(
        ran.pared(),
        "def test_keep():\n    kept = [2]  # paring: keep\n    total = 3\n    assert total == 4",
        "{ran}"
    );
}

#[test]
fn other_tests_of_the_file_stay_where_the_test_is_rewritten() {
    let text = "import os\n\n\ndef test_one():\n    a = 1\n    b = 2\n    assert a == 2\n\n\ndef test_two():\n    assert os\n";
    let trial = Trial::with_file("test_a.py", text);
    trial.minimize_in_place(&["test_a.py::test_one", "--apply"]).only(0, "minimized");
    assert_eq!(trial.project.read("test_a.py"), text.replace("    b = 2\n", ""));
}
