//! Tests as generators write them: `EvoSuite`'s, with its scaffolding, runner and mocks, and Randoop's, for `JUnit` 4 and 3. What the
//! scenario has of `EvoSuite`'s runtime stands in for it: no release of that runs on a current JDK.

use crate::trial::{Ran, Trial};

fn minimize(target: &str) -> Ran {
    let trial = Trial::compiled_with("junit4", "generated");
    // The generator's runtime lies beside the library.
    let good = format!("{}:{}", trial.class_path("good"), trial.outside("lib"));
    let ran = trial.minimize(&[target, "--good-classpath", &good]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    ran
}

#[test]
fn a_test_of_evosuite_in_its_own_class_loader_is_pared() {
    minimize("acme.Ledger_ESTest#test00").keeps(&[
        "Ledger ledger1 = new Ledger();",
        "ledger1.add(\"k{\", (-1));",
        "ledger1.add(\"\", 312);",
        "ledger1.cancel(\"k{\");",
        "int int1 = ledger1.total();",
        "assertEquals(312, int1);",
    ]);
}

#[test]
fn an_exception_that_evosuite_expects_keeps_its_call() {
    minimize("acme.Ledger_ESTest#test01").keeps(&[
        "Ledger ledger0 = new Ledger();",
        "try {",
        "ledger0.cancel((String) null);",
        "fail(\"Expecting exception: NullPointerException\");",
    ]);
}

#[test]
fn a_mock_of_evosuite_stays_with_its_answers() {
    minimize("acme.Ledger_ESTest#test02").keeps(&[
        "Ledger ledger0 = new Ledger();",
        "Comparator<String> comparator0 = (Comparator<String>) mock(Comparator.class, new ViolatedAssumptionAnswer());",
        "doReturn(1, 0).when(comparator0).compare(any() , any());",
        "ledger0.add(\"b\", 1);",
        "ledger0.add(\"a\", 2);",
        "ledger0.orderBy(comparator0);",
        "String string0 = ledger0.first();",
        "assertEquals(\"b\", string0);",
    ]);
}

#[test]
fn a_broken_contract_that_randoop_found_is_pared() {
    minimize("acme.ErrorTest0#test1").keeps(&[
        "acme.Ledger ledger0 = new acme.Ledger();",
        "java.util.Comparator<java.lang.String> strComparator3 = java.util.Comparator.reverseOrder();",
        "acme.Ledger ledger6 = new acme.Ledger();",
        "ledger6.orderBy(strComparator3);",
        "org.junit.Assert.assertTrue(\"Contract failed: equals-hashcode on ledger0 and ledger6\", \
         ledger0.equals(ledger6) ? ledger0.hashCode() == ledger6.hashCode() : true);",
    ]);
}

#[test]
fn an_exception_that_randoop_expects_keeps_its_call() {
    minimize("acme.ErrorTest0#test2").keeps(&[
        "acme.Ledger ledger0 = new acme.Ledger();",
        "try {",
        "ledger0.cancel((java.lang.String) null);",
        "org.junit.Assert.fail(\"Expected exception of type java.lang.NullPointerException; message: null\");",
    ]);
}

#[test]
fn a_regression_test_of_randoop_for_junit_3_is_pared() {
    minimize("acme.RandoopTest0#test1").keeps(&[
        "acme.Ledger var4 = new acme.Ledger();",
        "var4.add(\"hi!\", (-1));",
        "var4.cancel(\"hi!\");",
        "int var8 = var4.size();",
        "assertTrue(var8 == 0);",
    ]);
}
