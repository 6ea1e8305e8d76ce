//! The good version is the code that runs, however the environment leads to the project.

use crate::history::{
    FAULTY, GOOD, PARED, TARGET, TEST, cart, commit, dirty, environment, git, init, project,
};
use crate::trial::{Ran, Trial};

fn check(ran: &Ran) {
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(ran.pared(), PARED, "{ran}");
}

/// What setuptools writes for an editable install that no `.pth` file can express, in short.
const FINDER: &str = r#"import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

MAPPING = {"cart": "PROJECT/src/cart"}
NAMESPACES = {}


class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        for package, place in reversed(list(MAPPING.items())):
            if fullname == package or fullname.startswith(package + "."):
                rest = fullname[len(package):].strip(".").split(".")
                candidate = Path(place, *[part for part in rest if part])
                for file in (candidate / "__init__.py", Path(str(candidate) + ".py")):
                    if file.exists():
                        return spec_from_file_location(fullname, file)
        return None


def install():
    sys.meta_path.append(_EditableFinder)
"#;

#[test]
fn a_path_file_leads_to_the_version_in_src() {
    let trial = environment(dirty("src/cart.py"), &[("cart.pth", "PROJECT/src\n")]);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
}

#[test]
fn a_finder_leads_to_the_version() {
    let files = [
        ("__editable___cart_finder.py", FINDER),
        ("__editable__.cart.pth", "import __editable___cart_finder; __editable___cart_finder.install()"),
    ];
    let trial = environment(dirty("src/cart/__init__.py"), &files);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
    // One that paring does not know keeps its folders somewhere else.
    let files =
        [("odd.py", &FINDER.replace("MAPPING", "PLACES")[..]), ("odd.pth", "import odd; odd.install()")];
    let trial = environment(dirty("src/cart/__init__.py"), &files);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
}

#[test]
fn a_part_of_a_namespace_is_the_versions() {
    let trial = dirty("src/shop/cart.py");
    trial.project.write("tests/test_cart.py", &TEST.replace("from cart", "from shop.cart"));
    let trial = environment(trial, &[("shop.pth", "PROJECT/src\n")]);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
}

#[test]
fn a_project_set_up_to_develop_keeps_what_is_said_of_it() {
    let trial = project(
        "src/cart.py",
        &format!("{GOOD}\n\n\nfrom importlib.metadata import version\nversion('cart')"),
    );
    init(&trial);
    commit(&trial, "good");
    trial.project.write("src/cart.py", &trial.project.read("src/cart.py").replace(GOOD, FAULTY));
    trial.project.write("src/cart.egg-info/PKG-INFO", "Metadata-Version: 2.1\nName: cart\nVersion: 1.0\n");
    let trial = environment(trial, &[("easy-install.pth", "PROJECT/src\n")]);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
}

#[test]
fn interpreters_that_a_test_starts_run_the_version() {
    let trial = dirty("src/cart.py");
    let test = "import subprocess, sys\n\n\ndef test_pop():\n    log = []\n    code = 'from cart import Cart; c = Cart(); c.append(1); c.pop(); print(c.items)'\n    log.append(code)\n    said = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, cwd='/').stdout\n    assert said.strip() == '[]'\n";
    trial.project.write("tests/test_cart.py", test);
    let trial = environment(trial, &[("cart.pth", "PROJECT/src\n")]);
    let ran = trial.minimize(&[TARGET, "--good", "HEAD"]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    assert!(!ran.pared().contains("log"), "{ran}");
}

#[test]
fn generated_code_that_git_does_not_know_is_taken_from_the_present() {
    let trial = dirty("src/cart/__init__.py");
    trial
        .project
        .write("src/cart/__init__.py", &format!("from cart._version import version\n\n\n{}", cart(GOOD)));
    commit(&trial, "with a version");
    trial
        .project
        .write("src/cart/__init__.py", &trial.project.read("src/cart/__init__.py").replace(GOOD, FAULTY));
    trial.project.write("src/cart/_version.py", "version = '1.0'\n");
    let trial = environment(trial, &[("cart.pth", "PROJECT/src\n")]);
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
}

/// A project with an extension, which is any that the interpreter brings.
fn with_extension() -> Option<Trial> {
    let ask = "import importlib.util as u; print(u.find_spec('_bisect').origin)";
    let told = std::process::Command::new(paring_testkit::python()).args(["-c", ask]).output().ok()?;
    let place = camino::Utf8PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
    let trial = project("src/cart/__init__.py", GOOD);
    trial.project.write("src/cart/__init__.py", &format!("from cart import _bisect\n\n\n{}", cart(GOOD)));
    trial.project.write("src/cart/_bisect.c", "/* one */\n");
    init(&trial);
    commit(&trial, "good");
    trial
        .project
        .write("src/cart/__init__.py", &trial.project.read("src/cart/__init__.py").replace(GOOD, FAULTY));
    std::fs::copy(&place, trial.project.root().join("src/cart").join(place.file_name()?)).ok()?;
    Some(environment(trial, &[("cart.pth", "PROJECT/src\n")]))
}

#[test]
fn an_extension_is_taken_from_the_present_only_where_its_source_is_the_same() {
    // Some interpreters have all of them built in.
    let Some(trial) = with_extension() else { return };
    check(&trial.minimize(&[TARGET, "--good", "HEAD"]));
    trial.project.write("src/cart/_bisect.c", "/* two */\n");
    let ran = trial.minimize(&[TARGET, "--good", "HEAD"]);
    assert_eq!(ran.only(9, "not_good")["error"]["code"], "not_good", "{ran}");
    ran.says(&["is not in git, and src/cart/_bisect.c, which it may be built from, differs there"]);
}

#[test]
fn present_code_that_ran_all_the_same_is_told_and_no_version() {
    let trial = dirty("src/cart.py");
    let load = "import importlib.util, os, sys\n\nspec = importlib.util.spec_from_file_location('cart', os.environ['CART'])\nsys.modules['cart'] = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(sys.modules['cart'])\n";
    trial.project.write("conftest.py", load);
    let place = trial.project.root().join("src/cart.py");
    let trial = trial.env("CART", place.as_str());
    let ran = trial.minimize(&[TARGET, "--good", "HEAD"]);
    assert_eq!(ran.only(9, "not_good")["error"]["code"], "not_good", "{ran}");
    ran.says(&["the present code ran, not that of the version"]);
    // Where nobody named it, it is only a version that was not taken.
    let ran = trial.minimize(&[TARGET]);
    assert!(ran.only(3, "unchanged")["verified"]["passes_on_good"].is_null(), "{ran}");
    ran.says(&["the present code ran, not that of the version"]);
}

#[test]
fn a_test_beside_the_code_does_not_bring_the_code_along() {
    let trial = project("shop/cart.py", GOOD);
    trial.project.write("shop/test_cart.py", &TEST.replace("from cart", "from shop.cart"));
    trial.project.write("shop/__init__.py", "");
    init(&trial);
    commit(&trial, "good");
    trial.project.write("shop/cart.py", &cart(FAULTY));
    check(&trial.minimize(&["shop/test_cart.py::test_pop", "--good", "HEAD"]));
}

#[test]
fn a_version_that_is_not_good_is_told_with_what_to_do() {
    let trial = project("cart.py", FAULTY);
    init(&trial);
    commit(&trial, "faulty");
    git(&trial, &["tag", "v1"]);
    trial.project.write("cart.py", &format!("{}\n\n", cart(FAULTY)));
    let ran = trial.minimize(&[TARGET, "--good", "v1"]);
    assert_eq!(ran.only(9, "not_good")["error"]["code"], "not_good", "{ran}");
    ran.says(&[
        "the good version is not good: the test fails there too",
        "next: name a version on which this very test passes",
    ]);
    trial.project.write("cart.py", "");
    commit(&trial, "nothing");
    trial.project.write("cart.py", &cart(FAULTY));
    let ran = trial.minimize(&[TARGET, "--good", "HEAD"]);
    assert_eq!(ran.code, 9, "{ran}");
    ran.says(&["the test fails differently there (ImportError"]);
}
