//! The result does not depend on who looks: workers, runs, seeds.

use crate::trial::Trial;
use serde_json::Value;

/// Long enough for experiments, with branches, loops and calls that do not matter.
const TEST: &str = r#"class Shelf:
    def __init__(self):
        self.books, self.log = {}, []

    def add(self, title, pages):
        self.books[title] = pages
        self.log.append(title)

    def pages(self):
        return sum(self.books.values()) + (1 if "Emma" in self.books else 0)


def test_pages():
    shelf = Shelf()
    other = Shelf()
    names = []
    for title in ["Emma", "Ulysses", "Momo"]:
        names.append(title)
        if len(title) > 4:
            other.add(title, 10)
        else:
            shelf.add(title, len(title))
    try:
        other.add("Dune", int("12"))
    except ValueError:
        names.append("bad")
    with open(__file__) as file:
        names.append(file.readline())
    assert len(names) == 4
    assert other.pages() == 22
    shelf.add("Solaris", 3)
    assert shelf.pages() == 11
"#;

fn file_of(args: &[&str]) -> Value {
    let trial = Trial::with_file("test_shelf.py", TEST);
    let args: Vec<&str> = std::iter::once("test_shelf.py::test_pages").chain(args.iter().copied()).collect();
    let ran = trial.minimize(&args);
    ran.only(0, "minimized")["file"].clone()
}

#[test]
fn the_text_is_the_same_with_one_worker_and_with_four_and_again() {
    for (strategy, others) in
        [("auto", &["4", "4", "1"][..]), ("ddmin", &["4"]), ("probdd", &["4"]), ("wdd", &["4"])]
    {
        let one = file_of(&["--jobs", "1", "--strategy", strategy]);
        for jobs in others {
            assert_eq!(one, file_of(&["--jobs", jobs, "--strategy", strategy]), "{strategy}, {jobs} workers");
        }
    }
}

/// The statements that `ddmin` leaves of a test, and the runs of its search.
fn by_ddmin(body: &str, code: i32, status: &str) -> (u64, u64) {
    let trial = Trial::with_file("test_it.py", &format!("def test_it():\n{body}"));
    let ran = trial.minimize(&["test_it.py::test_it", "--strategy", "ddmin"]);
    let result = ran.only(code, status);
    let number = |value: &Value| value.as_u64().expect("a number");
    (number(&result["statements"]["after"]), number(&result["runs_by"]["search"]))
}

#[test]
fn drafts_that_cannot_fail_the_same_way_are_not_run() {
    // Each needs the one before it.
    let chain = "    a = 1\n    b = a + 1\n    c = b + 1\n    d = c + 1\n    assert d == 0\n";
    assert_eq!(by_ddmin(chain, 3, "unchanged"), (5, 0));
    // What is not evaluated may lack its values, and what stands twice may fail here or there.
    let (left, _) =
        by_ddmin("    a = 1\n    b = 2\n    c = a == 1 or b == 3\n    assert not c\n", 0, "minimized");
    assert_eq!(left, 3);
    let (left, _) = by_ddmin("    a = 1\n    assert a == 2\n    a = 3\n    assert a == 2\n", 0, "minimized");
    assert_eq!(left, 2);
}

#[test]
fn what_does_not_matter_is_gone_and_what_does_stays() {
    let file = file_of(&[]);
    let text = file["text"].as_str().expect("a text");
    assert!(
        text.contains("shelf.add(title, len(title))") && text.contains("assert shelf.pages() == 11"),
        "{text}"
    );
    assert!(!text.contains("other") && !text.contains("open("), "{text}");
}

#[test]
fn a_call_on_an_object_that_is_there_for_hidden_state_stays_though_it_did_nothing() {
    // The numbers of cancelled tickets are to be given out again; dropping `cancel` would fail on fixed code too.
    let library = "class Ticket:\n    last = 0\n    cancelled = []\n\n    def __init__(self):\n        if Ticket.cancelled:\n            self.number = Ticket.cancelled.pop()\n        else:\n            Ticket.last += 1\n            self.number = Ticket.last\n\n    def cancel(self):\n        if self.number < Ticket.last:\n            Ticket.cancelled.append(self.number)\n";
    let test = "from tickets import Ticket\n\n\ndef test_it():\n    noise = 1\n    assert noise\n    bob = Ticket()\n    bob.cancel()\n    eve = Ticket()\n    assert eve.number == 1\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("tickets.py", library);
    let ran = trial.minimize(&["test_a.py::test_it"]);
    assert!(ran.pared().contains("bob.cancel()"), "{ran}");
    assert!(!ran.pared().contains("noise"), "{ran}");
}

#[test]
fn what_the_language_remembers_for_itself_is_no_state_and_what_is_registered_is() {
    let library = "import abc\nimport warnings\n\n\nclass Shape(abc.ABC):\n    pass\n\n\nclass Round:\n    pass\n\n\ndef is_shape(thing):\n    return isinstance(thing, Shape)\n\n\ndef area(thing):\n    return 2 if is_shape(thing) else 1\n\n\ndef warned():\n    warnings.warn('old')\n    return 1\n\n\nSPACE = [globals()]\n";
    let test = "import shapes\n\n\ndef test_it():\n    number = 3\n    first = shapes.is_shape(number)\n    asked = shapes.is_shape('text')\n    old = shapes.warned()\n    made = shapes.Shape.register(shapes.Round)\n    thing = shapes.Round()\n    assert shapes.area(thing) == 5\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("shapes.py", library);
    let ran = trial.minimize(&["test_a.py::test_it"]);
    assert!(ran.pared().contains("made = "), "{ran}");
    assert!(!ran.pared().contains("asked = ") && !ran.pared().contains("old = "), "{ran}");
}

#[test]
fn a_loop_over_a_list_is_left_with_the_round_that_fails() {
    let library = "def low(text):\n    return text if text == 'B' else text.lower()\n";
    let test = "from lib import low\n\n\ndef test_low():\n    for n, text, wanted in [(1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c'), (4, 'D', 'd')]:\n        \
                got = low(text)\n        assert got == wanted, n\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("lib.py", library);
    let ran = trial.minimize(&["test_a.py::test_low"]);
    let expected = "def test_low():\n    for n, text, wanted in [(2, 'B', 'b')]:\n        got = low(text)\n        assert got == wanted, n";
    assert_eq!(ran.pared(), expected, "{ran}");
}

#[test]
fn rounds_stay_where_an_earlier_one_may_leave_something_behind() {
    let library = "class Cart:\n    n = 0\n\n    def add(self, n):\n        self.n = n\n";
    let test = "from lib import Cart\n\n\ndef test_total():\n    cart = Cart()\n    for n, wanted in [(1, 1), (2, 3), (3, 6)]:\n        cart.add(n)\n        \
                assert cart.n == wanted\n\n\ndef test_sum():\n    total = 0\n    for n, wanted in [(1, 1), (2, 4)]:\n        total += n\n        assert total == wanted\n";
    let trial = Trial::with_file("test_a.py", test);
    trial.project.write("lib.py", library);
    // On correct code (2, 3) alone would fail too. The third round is never made.
    let ran = trial.minimize(&["test_a.py::test_total"]);
    assert!(ran.pared().contains("in [(1, 1), (2, 3)]:"), "{ran}");
    trial.minimize(&["test_a.py::test_sum"]).only(3, "unchanged");
}
