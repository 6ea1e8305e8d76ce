//! Tests that do something to their process: what happens is an observation, never the end of paring.

use crate::trial::Trial;

#[test]
fn a_segfault_is_pared_to_the_call_that_makes_it() {
    let ran = Trial::on("segfault").minimize(&["test_segfault.py::test_segfault"]);
    assert_eq!(ran.pared(), "def test_segfault():\n    address = 0\n    ctypes.string_at(address)", "{ran}");
    assert_eq!(ran.results[0]["failure"]["type"], "died", "{ran}");
    ran.says(&["failure: died: ", "SIGSEGV"]);
}

#[test]
fn a_candidate_that_segfaults_does_not_end_the_search() {
    let ran = Trial::on("segfault_without_a_statement").minimize(&["test_pointer.py::test_pointer"]);
    assert!(ran.pared().contains("address = ctypes.addressof(buffer)"), "{ran}");
    assert!(!ran.pared().contains("noise"), "{ran}");
    ran.says(&["failure: AssertionError: assert b'abc' == b'abd', line 12"]);
    // Experiments alone try the texts that crash.
    let trial = Trial::on("segfault_without_a_statement");
    let ran = trial.minimize(&["test_pointer.py::test_pointer", "--strategy", "ddmin"]);
    assert!(ran.pared().contains("address = ctypes.addressof(buffer)"), "{ran}");
}

#[test]
fn a_process_that_ends_itself_is_pared_to_how_it_ends() {
    let ran = Trial::on("os_exit").minimize(&["test_os_exit.py::test_os_exit"]);
    assert_eq!(ran.pared(), "def test_os_exit():\n    code = 3\n    os._exit(code)", "{ran}");
}

#[test]
fn a_candidate_that_leaves_with_code_0_has_not_passed_and_not_failed() {
    let trial = Trial::on("os_exit_without_a_statement");
    for strategy in ["auto", "ddmin"] {
        let ran = trial.minimize(&["test_guard.py::test_guard", "--strategy", strategy]);
        assert_eq!(ran.pared(), "def test_guard():\n    safe = True\n    assert safe == \"yes\"", "{ran}");
    }
}

#[test]
fn sys_exit_is_a_failure_like_others() {
    let ran = Trial::on("sys_exit").minimize(&["test_sys_exit.py::test_sys_exit"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["type"], "SystemExit");
    assert_eq!(ran.pared(), "def test_sys_exit():\n    code = 4\n    stop(code)", "{ran}");
}

#[test]
fn a_test_that_kills_its_parent_takes_a_worker_and_not_paring() {
    let ran = Trial::on("kills_its_parent").minimize(&["test_parent.py::test_parent"]);
    assert_eq!(
        ran.pared(),
        "def test_parent():\n    parent = os.getppid()\n    os.kill(parent, signal.SIGKILL)",
        "{ran}"
    );
}

#[test]
fn a_test_that_forks_and_comes_back_twice_reports_once() {
    let ran = Trial::on("forks").minimize(&["test_fork.py::test_fork"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["message"], "assert 2 == 3");
    assert!(ran.pared().contains("value += 1"), "{ran}");
}

#[test]
fn processes_that_a_test_leaves_behind_end_with_the_run() {
    // That none is left is checked after every run; this one leaves some.
    let ran = Trial::on("leaves_children").minimize(&["test_children.py::test_children"]);
    assert!(ran.pared().contains("subprocess.Popen"), "{ran}");
    assert!(!ran.pared().contains("names"), "{ran}");
}

#[test]
fn a_test_that_eats_memory_is_stopped_by_the_limit() {
    let ran = Trial::on("eats_memory").minimize(&["test_memory.py::test_memory", "--memory", "400M"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["type"], "MemoryError");
    assert!(ran.pared().contains("kept.append(bytearray"), "{ran}");
}

#[test]
fn a_flood_of_output_neither_blocks_a_run_nor_reaches_the_user() {
    let ran = Trial::on("floods_output").minimize(&["test_output.py::test_output", "--baseline", "2"]);
    assert!(ran.pared().contains("size += len(line)") && !ran.pared().contains("os.write"), "{ran}");
    assert!(ran.stdout.len() + ran.stderr.len() < 10_000, "{ran}");
}

#[test]
fn a_test_that_stays_in_another_folder_does_not_take_the_next_run_there() {
    let ran = Trial::on("changes_cwd").minimize(&["test_cwd.py::test_cwd"]);
    let message = ran.results[0]["failure"]["message"].as_str().expect("a message");
    assert!(message.starts_with("assert ['made.txt'] == ['a']"), "{ran}");
    let test = ran.results[0]["test"].as_str().expect("a test");
    assert!(test.contains("os.chdir(tmp_path)") && test.contains("open(\"made.txt\", \"w\")"), "{ran}");
}

#[test]
fn a_test_that_deletes_its_own_folder_is_pared() {
    let ran = Trial::on("deletes_cwd").minimize(&["test_folder.py::test_folder"]);
    assert!(ran.pared().contains("shutil.rmtree(scratch)") && !ran.pared().contains("note"), "{ran}");
}

#[test]
fn globals_changed_by_one_candidate_do_not_reach_the_next() {
    let ran = Trial::on("changes_globals").minimize(&["test_registry.py::test_the_last_registration_counts"]);
    for line in [r#"registry.register("plain", 1)"#, r#"registry.register("plain", 2)"#] {
        assert!(ran.pared().contains(line), "{ran}");
    }
    assert!(!ran.pared().contains("names"), "{ran}");
    ran.says(&[r#"suspect: line 10 `registry.register("plain", 2)`"#]);
}

#[test]
fn a_candidate_that_hangs_does_not_stop_the_search() {
    let trial = Trial::on("hangs_without_a_statement");
    let ran = trial.minimize(&["test_countdown.py::test_countdown"]);
    assert!(ran.pared().contains("left -= 1") && !ran.pared().contains("note"), "{ran}");
    // Experiments alone try the text that hangs.
    let args = ["test_countdown.py::test_countdown", "--strategy", "ddmin", "--timeout", "1"];
    let ran = trial.minimize(&args);
    assert!(ran.pared().contains("left -= 1") && !ran.pared().contains("note"), "{ran}");
}

#[test]
fn threads_that_start_at_import_are_served_by_processes_of_their_own() {
    let ran = Trial::on("threads_at_import").minimize(&["test_ticker.py::test_ticks"]);
    assert!(ran.pared().contains("ticker.wait_for_tick()") && !ran.pared().contains("names"), "{ran}");
    ran.says(&["note: ", "thread"]);
}
