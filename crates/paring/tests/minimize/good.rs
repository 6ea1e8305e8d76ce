//! A version that passes: every accepted candidate passes there too.

use crate::trial::{Ran, Trial, changes, everything};
use camino::Utf8PathBuf;
use std::process::Command;

const TARGET: &str = "tests/test_cart.py::test_pop";

/// The design's example of slippage: without the call under test the failure is the very same, on correct code too.
const TEST: &str = r#"from cart import Cart


def test_pop():
    log = []
    cart = Cart()
    cart.append(1)
    log.append("one")
    cart.pop()
    assert cart.items == []
"#;

fn cart(pop: &str) -> String {
    format!(
        "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def append(self, item):\n        \
         self.items.append(item)\n\n    def pop(self):\n        {pop}\n"
    )
}

fn project() -> Trial {
    let trial = Trial::with_file("cart.py", &cart("return self.items[-1]"));
    trial.project.write("tests/test_cart.py", TEST);
    trial.project.write("conftest.py", "");
    trial
}

fn check(ran: &Ran) {
    let result = ran.only(0, "minimized");
    assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(
        ran.pared(),
        "def test_pop():\n    cart = Cart()\n    cart.append(1)\n    cart.pop()\n    assert cart.items == []",
        "{ran}"
    );
    ran.says(&["good: the pared test passes on the good version"]);
    assert_eq!(result["doubts"], serde_json::json!([]), "{ran}");
}

#[test]
fn what_the_original_puts_back_is_put_back() {
    let trial = project();
    let test = "import os\n\nfrom cart import Cart\n\n\ndef test_pop():\n    os.environ['CART'] = 'full'\n    cart = Cart()\n    \
                log = []\n    try:\n        cart.append(1)\n        log.append(1)\n        cart.pop()\n        \
                assert cart.items == [os.environ['CART']][1:]\n    finally:\n        del os.environ['CART']\n";
    trial.project.write("tests/test_cart.py", test);
    let good = trial.outside("good");
    std::fs::create_dir(&good).expect("the folder is ours");
    std::fs::write(good.join("cart.py"), cart("return self.items.pop()")).expect("the folder is ours");
    let ran = trial.minimize(&[TARGET, "--good", good.as_str()]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    assert!(ran.pared().ends_with("finally:\n        del os.environ['CART']"), "{ran}");
    assert!(!ran.pared().contains("log"), "{ran}");
}

#[test]
fn a_folder_is_the_version_that_passes_and_is_not_touched() {
    let trial = project();
    let good = trial.outside("good");
    std::fs::create_dir(&good).expect("the folder is ours");
    std::fs::write(good.join("cart.py"), cart("return self.items.pop()")).expect("the folder is ours");
    std::fs::write(good.join("conftest.py"), "raise RuntimeError('an old conftest')")
        .expect("the folder is ours");
    let before = everything(&good);
    check(&trial.minimize(&[TARGET, "--good", good.as_str()]));
    assert_eq!(changes(&before, &everything(&good)), Vec::<Utf8PathBuf>::new());
}

#[test]
fn a_revision_is_checked_out_apart_with_the_current_tests_laid_over() {
    let trial = project();
    let git = |args: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"])
            .args(args)
            .current_dir(trial.project.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status();
        assert!(status.is_ok_and(|status| status.success()), "git {args:?}");
    };
    trial.project.write("cart.py", &cart("return self.items.pop()"));
    trial.project.write("tests/test_cart.py", "def test_older():\n    pass\n");
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "good"]);
    git(&["tag", "v1"]);
    trial.project.write("cart.py", &cart("return self.items[-1]"));
    trial.project.write("tests/test_cart.py", TEST);
    git(&["commit", "--quiet", "-a", "-m", "faulty"]);
    check(&trial.minimize(&[TARGET, "--good", "v1"]));
}

#[test]
fn a_variable_makes_the_version_that_passes() {
    let trial = project();
    std::fs::remove_file(trial.project.root().join("cart.py")).expect("the file is there");
    trial.project.write("faulty/cart.py", &cart("return self.items[-1]"));
    trial.project.write("fixed/cart.py", &cart("return self.items.pop()"));
    let trial = trial.env("PYTHONPATH", "faulty");
    check(&trial.minimize(&[TARGET, "--good-env", "PYTHONPATH=fixed"]));
}

#[test]
fn without_a_version_that_passes_the_call_under_test_stays_and_is_suspected() {
    let ran = project().minimize(&[TARGET]);
    assert!(ran.only(0, "minimized")["verified"]["passes_on_good"].is_null());
    assert!(ran.pared().contains("cart.pop()"), "{ran}");
    ran.says(&["suspect: line 9 `cart.pop()`"]);
}

#[test]
fn a_good_version_that_fails_too_is_told() {
    let ran = project().minimize(&[TARGET, "--good", "."]);
    assert_eq!(ran.only(9, "not_good")["error"]["code"], "not_good", "{ran}");
    ran.says(&["the good version is not good: the test fails there too"]);
}

#[test]
fn a_good_version_that_is_not_there_says_what_to_give() {
    let ran = project().minimize(&[TARGET, "--good", "v9"]);
    assert_eq!(ran.results[0]["error"]["code"], "good", "{ran}");
    ran.says(&["--good v9 is neither a folder nor a git revision here", "next: give --good a git revision"]);
}

#[test]
fn a_name_made_anew_from_itself_keeps_its_first_value_where_that_will_do() {
    let trial = project();
    let text = "from cart import Cart\n\n\ndef test_pop():\n    item = 1\n    item = int(item)\n    cart = Cart()\n    cart.append(item)\n    cart.pop()\n    assert cart.items == []\n";
    trial.project.write("tests/test_cart.py", text);
    let good = Trial::with_file("cart.py", &cart("self.items.pop()"));
    let ran = trial.minimize(&[TARGET, "--good", good.project.root().as_str()]);
    assert!(ran.pared().contains("item = 1") && !ran.pared().contains("int("), "{ran}");
}

/// A project whose library is faulty in the one and fixed in the other.
fn pared(library: [&str; 2], test: &str) -> String {
    let trial = Trial::with_file("library.py", library[0]);
    trial.project.write("test_a.py", test);
    let good = Trial::with_file("library.py", library[1]);
    let ran = trial.minimize(&["test_a.py::test_it", "--good", good.project.root().as_str()]);
    ran.only(0, "minimized");
    ran.pared().to_owned()
}

#[test]
fn a_preparation_goes_with_the_check_that_needs_it() {
    let library =
        "def send(text):\n    raise NotImplementedError\n\n\ndef notify(text):\n    send(text.lower())\n";
    let test = "from unittest import mock\n\nimport pytest\nfrom library import notify\n\n\n@mock.patch('library.print', create=True)\n@mock.patch('library.send')\ndef test_it(send, print):\n    send.side_effect = [OSError(), None]\n    with pytest.raises(OSError):\n        notify('Tea')\n    print.assert_not_called()\n    notify('Jam')\n    send.assert_called_with('Jam')\n";
    let expected = "@mock.patch('library.send')\ndef test_it(send):\n    notify('Jam')\n    send.assert_called_with('Jam')";
    assert_eq!(pared([library, &library.replace(".lower()", "")], test), expected);
}

#[test]
fn a_definition_goes_with_the_text_that_read_it() {
    let library = "import contextlib\n\n\nclass Shelf(list):\n    @contextlib.contextmanager\n    def open(self):\n        yield self\n\n    def take(self, item):\n        return self.count(item)\n";
    let test = "from library import Shelf\n\n\ndef test_it():\n    tea = 'tea'\n    jam = 'jam'\n    shelf, = [Shelf()]\n    other = Shelf()\n    with shelf.open(), other.open():\n        for item in [tea, jam]:\n            shelf.append(item)\n        shelf.take(tea)\n    assert tea not in list(shelf)[:1]\n";
    let fixed = library.replace("return self.count(item)", "self.remove(item)");
    let result = pared([library, &fixed], test);
    assert!(!result.contains("jam") && !result.contains("other"), "{result}");
}
