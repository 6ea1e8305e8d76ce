//! What is written: encodings, line ends, files of their own.

use crate::trial::Trial;

const FILE: &str = "tests/bank/AccountTest.java";

#[test]
fn a_file_in_latin_1_with_crlf_stays_one_where_the_result_is_applied() {
    let trial = Trial::compiled("junit3");
    let ran = trial.minimize(&["bank.AccountTest#testFees", "--apply"]);
    ran.only(0, "minimized");
    let bytes = std::fs::read(trial.project.root().join(FILE)).expect("the file is there");
    assert!(bytes.windows(3).any(|part| part == b"b\xfch"), "latin-1\n{ran}");
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    assert!(lines.into_iter().all(|line| line.ends_with(b"\r")), "CRLF\n{ran}");
    assert!(!bytes.windows(6).any(|part| part == b"before"), "{ran}");
}

#[test]
fn a_patch_names_the_file_from_where_the_user_stands() {
    let ran = Trial::compiled("junit4").minimize(&["bank.AccountTest#feesAreTaken", "--patch", "-"]);
    assert!(ran.stdout.contains("+++ b/tests/bank/AccountTest.java"), "{ran}");
    assert!(ran.stdout.contains("-        int before = account.balance();"), "{ran}");
}
