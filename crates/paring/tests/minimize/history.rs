//! A project with a git history, and environments in which it is installed to be edited.

use crate::trial::Trial;
use camino::Utf8PathBuf;
use std::io::Write;
use std::process::{Command, Stdio};

pub const TARGET: &str = "tests/test_cart.py::test_pop";

/// Without a good version the call under test has to stay, and with one `log` and all that is done to it may go.
pub const TEST: &str = "from cart import Cart\n\n\ndef test_pop():\n    log = []\n    cart = Cart()\n    cart.append(1)\n    log.append(cart.items)\n    cart.pop()\n    assert cart.items == []\n";

/// What is left of it.
pub const PARED: &str =
    "def test_pop():\n    cart = Cart()\n    cart.append(1)\n    cart.pop()\n    assert cart.items == []";

pub const GOOD: &str = "return self.items.pop()";
pub const FAULTY: &str = "return self.items[-1]";

pub fn cart(pop: &str) -> String {
    format!(
        "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def append(self, item):\n        \
         self.items.append(item)\n\n    def pop(self):\n        {pop}\n"
    )
}

/// A project whose code is in `place`, with its test and nothing committed.
pub fn project(place: &str, pop: &str) -> Trial {
    let trial = Trial::with_file(place, &cart(pop));
    trial.project.write("tests/test_cart.py", TEST);
    trial.project.write(".gitignore", "__pycache__\n*.so\n_version.py\n*.egg-info\n");
    trial
}

/// The same with the good code committed, and the faulty code in the work tree.
pub fn dirty(place: &str) -> Trial {
    let trial = project(place, GOOD);
    init(&trial);
    commit(&trial, "good");
    trial.project.write(place, &cart(FAULTY));
    trial
}

pub fn init(trial: &Trial) {
    git(trial, &["init", "--quiet"]);
}

pub fn commit(trial: &Trial, message: &str) {
    git(trial, &["add", "."]);
    git(trial, &["commit", "--quiet", "--allow-empty", "-m", message]);
}

pub fn git(trial: &Trial, args: &[&str]) -> String {
    git_in(trial.project.root(), args, "")
}

pub fn git_in(folder: &camino::Utf8Path, args: &[&str], input: &str) -> String {
    let mut child = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"])
        .args(["-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.logAllRefUpdates=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git is installed");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("git reads its input");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {args:?}");
    String::from_utf8(output.stdout).expect("git prints UTF-8").trim().to_owned()
}

/// An environment with the tests' own pytest, and further files in its `site-packages`.
pub fn environment(trial: Trial, files: &[(&str, &str)]) -> Trial {
    let python = paring_testkit::python();
    let ask = "import sys, sysconfig; print(sys.base_prefix, sysconfig.get_path('purelib'), '%d.%d' % sys.version_info[:2], sep='\\n')";
    let told = Command::new(&python).args(["-c", ask]).output().expect("the interpreter starts");
    let told = String::from_utf8(told.stdout).expect("it prints UTF-8");
    let told: Vec<&str> = told.lines().collect();
    let (base, installed, version) = (told[0], told[1], told[2]);
    let folder = trial.outside("environment");
    let site = folder.join(format!("lib/python{version}/site-packages"));
    std::fs::create_dir_all(&site).expect("the folder is ours");
    std::fs::create_dir_all(folder.join("bin")).expect("the folder is ours");
    let program = Utf8PathBuf::from(base).join(format!("bin/python{version}"));
    std::os::unix::fs::symlink(&program, folder.join("bin/python")).expect("the folder is ours");
    std::fs::write(folder.join("pyvenv.cfg"), format!("home = {base}/bin\n")).expect("the folder is ours");
    std::fs::write(site.join("zz_tools.pth"), installed).expect("the folder is ours");
    for (name, text) in files {
        let text = text.replace("PROJECT", trial.project.root().as_str());
        std::fs::write(site.join(name), text).expect("the folder is ours");
    }
    trial.python(folder.join("bin/python"))
}
