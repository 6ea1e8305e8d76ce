//! Files, folders and sockets that child processes write and the interpreter does not see written.

use crate::trial::{Ran, Trial};

/// Shell commands, as a simulator's core would act.
const TOOL: &str = "\
import os
import socket
import subprocess
import sys


def call(command):
    assert os.system(command) == 0


def rows(path):
    with open(path) as file:
        return file.read().split()


def listener():
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.bind(('127.0.0.1', 0))
    end.settimeout(60)
    return end


def send(port, text):
    program = 'import socket, sys; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(sys.argv[2].encode(), (\"127.0.0.1\", int(sys.argv[1])))'
    subprocess.run([sys.executable, '-S', '-c', program, str(port), text], check=True)
";

/// How many tests one becomes, each of which passes.
fn split(lines: &[&str], args: &[&str]) -> (usize, Ran) {
    let test = format!(
        "import os\n\nfrom tool import call, listener, rows, send\n\n\ndef test_tool(tmp_path):\n    os.chdir(tmp_path)\n    {}\n",
        lines.join("\n    ")
    );
    let trial = Trial::python(&[("test_tool.py", &test), ("tool.py", TOOL)]);
    let ran = trial.split(&[&["test_tool.py::test_tool", "--mutants", "0"], args].concat());
    (ran.found[0]["tests"].as_array().map_or(0, Vec::len), ran)
}

fn has_strace() -> bool {
    let traced = std::process::Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status();
    traced.is_ok_and(|status| status.success())
}

#[test]
fn files_of_one_kind_have_nothing_to_do_with_each_other() {
    let (n_tests, ran) = split(
        &[
            "call('echo 12 > one.csv')",
            "call('cp one.csv copy.csv')",
            "call('echo 12 > two.csv')",
            "assert rows('copy.csv') == ['12']",
            "assert rows('two.csv') == ['12']",
        ],
        &[],
    );
    assert_eq!(n_tests, 2, "{ran}");
    assert_eq!(ran.text().matches("cp one.csv").count(), 1, "{ran}");
}

#[test]
fn who_looks_for_one_name_in_a_folder_needs_no_other() {
    let (n_tests, ran) = split(
        &[
            "call('touch tea.txt')",
            "assert rows('tea.txt') == []",
            "call('cp /dev/null jam.txt')",
            "assert 'jam.txt' in os.listdir('.')",
        ],
        &[],
    );
    assert_eq!(n_tests, 2, "{ran}");
    assert_eq!(ran.text().matches("touch tea.txt").count(), 1, "{ran}");
}

#[test]
fn a_socket_is_known_by_the_port_that_the_system_gave_it() {
    if !has_strace() {
        eprintln!("not tested: strace is not there, or may not trace");
        return;
    }
    let lines = [
        "left = listener()",
        "right = listener()",
        "send(left.getsockname()[1], 'tea')",
        "send(right.getsockname()[1], 'jam')",
        "assert left.recv(100) == b'tea'",
        "assert right.recv(100) == b'jam'",
    ];
    let (n_tests, ran) = split(&lines, &["--watch", "strace"]);
    assert_eq!(n_tests, 2, "{ran}");
    for name in ["left", "right"] {
        assert_eq!(ran.text().matches(&format!("{name} = listener()")).count(), 1, "{ran}");
    }
}

#[test]
fn without_a_watcher_the_writer_is_lost() {
    let lines = [
        "call('echo a > tea.txt')",
        "assert rows('tea.txt') == ['a']",
        "call('cat tea.txt tea.txt > all.txt; rm tea.txt')",
        "call('echo b > jam.txt')",
        "assert rows('all.txt') == ['a', 'a']",
        "assert rows('jam.txt') == ['b']",
    ];
    let (_, blind) = split(&lines, &["--watch", "off"]);
    assert!(blind.stdout.contains("nobody saw who wrote"), "{blind}");
    if has_strace() {
        let (_, seeing) = split(&lines, &["--watch", "strace"]);
        assert!(!seeing.stdout.contains("nobody saw who wrote"), "{seeing}");
    }
}
