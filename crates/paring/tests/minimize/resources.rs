//! What joins statements without a name: files and the environment. Nothing else of its kind stays.

use crate::trial::Trial;

/// Pares `test_it`; these lines of it must stay, those must go, and this is told as a reason.
fn check(test: &str, stays: &[&str], goes: &[&str], reason: &str) {
    let trial = Trial::with_file("test_a.py", test);
    let ran = trial.minimize(&["test_a.py::test_it"]);
    let result = ran.only(0, "minimized");
    let lines: Vec<String> = ran.pared().lines().map(|line| line.trim().to_owned()).collect();
    let has = |line: &str| lines.iter().any(|found| found == line);
    assert!(stays.iter().all(|line| has(line)), "{stays:?} must stay\n{ran}");
    assert!(!goes.iter().any(|line| has(line)), "{goes:?} must go\n{ran}");
    let told = result["kept"].to_string();
    assert!(told.contains(reason), "{reason}: {told}");
}

#[test]
fn a_reader_of_a_file_keeps_who_wrote_that_file_and_no_other() {
    let test = "import csv\n\n\ndef test_it(tmp_path):\n    a = open(tmp_path / 'a.csv', 'w')\n    rows = csv.writer(a)\n    n = rows.writerow([1, 2])\n    a.close()\n    b = open(tmp_path / 'b.csv', 'w')\n    b.write('3')\n    b.close()\n    (tmp_path / 'c.csv').write_text('4')\n    read = (tmp_path / 'a.csv').read_text()\n    assert read == '1;2'\n";
    check(
        test,
        &["a = open(tmp_path / 'a.csv', 'w')", "n = rows.writerow([1, 2])", "a.close()"],
        &[
            "b = open(tmp_path / 'b.csv', 'w')",
            "b.write('3')",
            "b.close()",
            "(tmp_path / 'c.csv').write_text('4')",
        ],
        "changes `a.csv`, which line 13 uses",
    );
}

#[test]
fn a_variable_of_the_environment_stays_for_who_reads_it() {
    let test = "import os\n\n\ndef test_it(monkeypatch):\n    monkeypatch.setenv('SHOP_MODE', 'fast')\n    monkeypatch.setenv('SHOP_OTHER', 'x')\n    mode = os.environ.get('SHOP_MODE')\n    assert mode == 'slow'\n";
    check(
        test,
        &["monkeypatch.setenv('SHOP_MODE', 'fast')"],
        &["monkeypatch.setenv('SHOP_OTHER', 'x')"],
        "changes `SHOP_MODE` of the environment, which line 7 uses",
    );
}
