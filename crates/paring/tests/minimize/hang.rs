//! Tests that do not end: that is a failure like others.

use crate::trial::Trial;

/// Jobs of which nobody makes anything, and a function that does not come back.
const LIBRARY: &str = "\
class Job:
    def __init__(self):
        self.state = 'new'

    def start(self, name):
        self.name = name

    def done(self):
        return self.state == 'done'


def step(i):
    return i


def parse(text):
    i = 0
    while i < len(text):
        if text == 'bb' and i == 1:
            step(i)
            continue
        i += 1
    return i
";

fn trial(test: &str) -> Trial {
    let trial = Trial::with_file("test_a.py", &format!("import time\n\nimport jobs\n\n\n{test}"));
    trial.project.write("jobs.py", LIBRARY);
    trial
}

#[test]
fn a_loop_that_waits_for_ever_is_pared_to_what_it_waits_for() {
    let test = "def test_a():\n    notes = [1]\n    notes.append(2)\n    job = jobs.Job()\n    job.start('tea')\n    other = jobs.Job()\n    \
                other.start('mug')\n    while not job.done():\n        time.sleep(0.01)\n    assert notes\n";
    let ran = trial(test).minimize(&["test_a.py::test_a", "--timeout", "4"]);
    let expected =
        "def test_a():\n    job = jobs.Job()\n    job.start('tea')\n    while not job.done():\n        pass";
    assert_eq!(ran.pared(), expected, "{ran}");
    ran.says(&[
        "failure: hang: the test does not end, line 13",
        "doubt: the test hangs, and correct code may hang here too",
    ]);
    assert_eq!(ran.results[0]["verified"]["same_failure"], true, "{ran}");
}

#[test]
fn a_call_that_does_not_come_back_is_the_failing_statement() {
    let test = "def test_a():\n    notes = [1]\n    notes.append(2)\n    for text in ['a', 'bb', 'ccc']:\n        \
                jobs.parse(text)\n    assert notes\n";
    let ran = trial(test).minimize(&["test_a.py::test_a", "--timeout", "4"]);
    let expected = "def test_a():\n    for text in ['a', 'bb', 'ccc']:\n        jobs.parse(text)";
    // The third round is never made. Whether the first may go depends on where the second was seen to hang.
    let rounds = ["['a', 'bb', 'ccc']", "['a', 'bb']", "['bb']"];
    let possible = rounds.map(|rounds| expected.replace("['a', 'bb', 'ccc']", rounds));
    assert!(possible.iter().any(|it| *it == ran.pared()), "{ran}");
}

#[test]
fn with_a_good_version_what_hangs_must_pass_there() {
    let test = "def test_a():\n    job = jobs.Job()\n    job.start('tea')\n    name = 'n' * 3\n    while not job.done():\n        assert name\n";
    let trial = trial(test);
    let good = LIBRARY.replace("self.name = name", "self.state = 'done'");
    let folder = trial.outside("good");
    std::fs::create_dir(&folder).expect("the folder is ours");
    std::fs::write(folder.join("jobs.py"), good).expect("the folder is ours");
    let ran = trial.minimize(&["test_a.py::test_a", "--timeout", "4", "--good", folder.as_str()]);
    let pared = ran.pared();
    assert!(pared.contains("job.start('tea')") && !pared.contains("name ="), "{ran}");
    assert_eq!(ran.results[0]["verified"]["passes_on_good"], true, "{ran}");
    assert!(!ran.stdout.contains("doubt"), "{ran}");
}

#[test]
fn a_hang_of_which_no_statement_of_the_test_is_known_is_refused_with_what_to_do() {
    let trial = trial("def test_a(job):\n    assert job\n");
    let fixture = "import time\n\nimport pytest\n\n\n@pytest.fixture\ndef job():\n    while True:\n        time.sleep(0.01)\n";
    trial.project.write("conftest.py", fixture);
    let ran = trial.minimize(&["test_a.py::test_a", "--timeout", "2"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "hangs");
    ran.says(&[
        "no statement of it is known to hang",
        "next: raise --timeout, or find out what it waits for",
    ]);
}
