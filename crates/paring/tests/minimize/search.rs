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
    for (strategy, others) in [("auto", &["4", "4", "1"][..]), ("ddmin", &["4"]), ("probdd", &["4"])] {
        let one = file_of(&["--jobs", "1", "--strategy", strategy]);
        for jobs in others {
            assert_eq!(one, file_of(&["--jobs", jobs, "--strategy", strategy]), "{strategy}, {jobs} workers");
        }
    }
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
