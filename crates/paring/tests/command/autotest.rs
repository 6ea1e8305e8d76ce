//! `AutoTest`'s notation, with a small interpreter of it as the command.

use crate::trial::Trial;

/// Runs a sequence on counters: `item` of one whose seed is even fails. An undefined name is another failure.
const INTERPRETER: &str = r#"
import re, sys

values = {"v_0": 0}
for line in open(sys.argv[1]):
    line = line.split("--")[0].strip()
    if not line:
        continue
    made = re.fullmatch(r"create \{\w+\} (\w+)(?:\.set_seed \((.*)\))?", line)
    called = re.fullmatch(r"(?:(\w+) := )?(\w+)\.(\w+)(?: \((.*)\))?", line)
    try:
        if made:
            name, seed = made.groups()
            values[name] = values[seed] if seed and seed.startswith("v_") else 1
        elif called:
            to, on, feature, _ = called.groups()
            if feature == "forth":
                values[on] += 1
            elif feature == "item" and values[on] % 2 == 0:
                sys.exit("precondition violated")
            if to:
                values[to] = values[on]
        else:
            to, value = line.split(" := ")
            values[to] = values[value]
    except KeyError:
        sys.exit(3)
"#;

const SEQUENCE: &str = "\
-- Made by hand, as a generator would.
create {COUNTER} v_1
v_1.forth
create {COUNTER} v_2
v_2.forth
v_3 := v_2.count
v_4 := v_3
create {COUNTER} v_5.set_seed (v_4)
v_1.forth
create {COUNTER} v_6.set_seed (v_5)
v_6.wipe_out ({INTEGER_32} 2)
v_7 := v_5.item
";

fn pared(strategy: &str) -> (String, u64) {
    let trial = Trial::with_file("failing.autotest", SEQUENCE).without_python();
    trial.project.write("run.py", INTERPRETER);
    let command = format!("{} run.py failing.autotest", paring_testkit::python());
    let args = ["--command", &command, "--match", "precondition", "failing.autotest", "--strategy", strategy];
    let ran = trial.minimize(&args);
    let result = ran.only(0, "minimized");
    assert_eq!(result["strategy"], strategy, "{ran}");
    let n_search = result["runs_by"]["search"].as_u64().expect("a number");
    (ran.pared().to_owned(), n_search)
}

const MINIMAL: &str = "\
create {COUNTER} v_2
v_2.forth
v_3 := v_2.count
v_4 := v_3
create {COUNTER} v_5.set_seed (v_4)
v_7 := v_5.item
";

#[test]
fn ssmin_takes_one_run() {
    assert_eq!(pared("ssmin"), (MINIMAL.to_owned(), 1));
}

#[test]
fn sdmin_and_ddmin_come_to_the_same_and_ddmin_needs_more_runs() {
    let ((sliced, n_sliced), (searched, n_searched)) = (pared("sdmin"), pared("ddmin"));
    assert_eq!((sliced.as_str(), searched.as_str()), (MINIMAL, MINIMAL));
    assert!(n_sliced < n_searched, "{n_sliced} {n_searched}");
}

#[test]
fn the_default_and_probdd_work_too() {
    assert_eq!(pared("auto").0, MINIMAL);
    assert_eq!(pared("probdd").0, MINIMAL);
}

#[test]
fn what_is_no_instruction_is_refused() {
    let trial = Trial::with_file("a.autotest", "create {A} v_1\nif v_1 then\n").without_python();
    let ran = trial.minimize(&["--command", "exit 1", "a.autotest"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "syntax_error", "{ran}");
    ran.says(&[
        "a.autotest does not parse as autotest (line 2: this is no instruction of AutoTest's notation)",
    ]);
}
