//! Ctrl-C, and SIGKILL followed by `--resume`.

use crate::trial::{Ran, Trial};
use std::process::Child;
use std::time::{Duration, Instant};

const TARGET: &str = "shop.CartTest#test";

/// Tells each run of the test in a file outside of the project, and makes it last.
const CART: &str = r#"package shop;

import java.io.FileWriter;

public class Cart {
    private int total;

    public Cart() throws Exception {
        try (FileWriter writer = new FileWriter(System.getenv("RUNS"), true)) {
            writer.write("run\n");
        }
        Thread.sleep(Long.parseLong(System.getenv("LASTS")));
    }

    public void add(int price) {
        total += price;
    }

    public int total() {
        return total;
    }
}
"#;

const TEST: &str = "@Test void test() throws Exception {\nList<String> names = new ArrayList<>();\nCart cart = new Cart();\n\
    names.add(\"a\");\nint other = 1;\nother += 2;\ncart.add(1);\nnames.add(\"b\");\nother *= 3;\ncart.add(2);\nnames.clear();\n\
    assertEquals(9, other);\nassertEquals(7, cart.total());\n}";

/// Runs of the original before the search: five observations and a trace.
const N_BASELINE: usize = 6;

fn slow(lasts_ms: &str) -> Trial {
    slow_with(TEST, lasts_ms)
}

/// With these members in the place of the test.
fn slow_with(members: &str, lasts_ms: &str) -> Trial {
    let trial = Trial::with_members(members);
    trial.project.write("lib/shop/Cart.java", CART);
    trial.compile();
    let runs = trial.outside("runs");
    trial.env("RUNS", runs.as_str()).env("LASTS", lasts_ms)
}

fn n_runs(trial: &Trial) -> usize {
    std::fs::read_to_string(trial.outside("runs")).unwrap_or_default().lines().count()
}

fn wait_for_runs(trial: &Trial, child: &mut Child, n: usize) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while n_runs(trial) < n {
        assert!(Instant::now() < deadline, "{n} runs take too long");
        assert!(child.try_wait().expect("it is ours").is_none(), "over before run {n} of {}", n_runs(trial));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a run, and interrupts it when so many runs of the test have begun.
fn interrupt_after(trial: &Trial, args: &[&str], n: usize) -> Ran {
    let mut child = trial.start(args);
    wait_for_runs(trial, &mut child, n);
    let sent = Instant::now();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()), "kill -INT");
    let output = child.wait_with_output().expect("it is ours");
    assert!(sent.elapsed() < Duration::from_mins(1), "it takes {:?} to stop", sent.elapsed());
    trial.over(&output)
}

#[test]
fn ctrl_c_does_not_wait_for_a_test_that_hangs() {
    let ran = interrupt_after(&slow("600000"), &[TARGET], 1);
    let result = ran.only(130, "interrupted");
    assert!(result["file"].is_null(), "{ran}");
    ran.says(&["stopped before there was a smaller test", "next: the same command with --resume goes on"]);
}

#[test]
fn ctrl_c_in_the_search_gives_the_best_test_so_far_verified() {
    let trial = slow("150");
    // The slice is accepted in the first run of the search.
    let ran = interrupt_after(&trial, &[TARGET, "--strategy", "sdmin"], N_BASELINE + 3);
    let result = ran.only(130, "interrupted");
    assert_eq!(result["verified"]["same_failure"], true, "{ran}");
    assert_eq!(result["verified"]["fresh_process"], true, "{ran}");
    let size = |when: &str| result["statements"][when].as_u64().expect("a number");
    assert!(size("after") < size("before"), "{ran}");
    ran.says(&["stopped early; this is the smallest test verified so far", "--resume", "void test()"]);
}

#[test]
fn a_killed_search_is_resumed_with_the_same_result_and_fewer_runs() {
    let args = [TARGET, "--strategy", "ddmin"];
    let whole = slow("0");
    let expected = whole.minimize(&args);
    let (n_whole, n_killed) = (n_runs(&whole), 12);

    let trial = slow("50");
    let mut child = trial.start(&args);
    wait_for_runs(&trial, &mut child, N_BASELINE + n_killed);
    child.kill().expect("it is ours");
    trial.over(&child.wait_with_output().expect("it is ours"));
    let n_before = n_runs(&trial);
    let trial = trial.env("LASTS", "0");
    let ran = trial.minimize(&[TARGET, "--strategy", "ddmin", "--resume"]);
    assert_eq!(ran.only(0, "minimized")["file"], expected.only(0, "minimized")["file"], "{ran}");
    let n_resumed = n_runs(&trial) - n_before;
    assert!(n_resumed + n_killed / 2 < n_whole, "{n_resumed} runs after {n_killed}, {n_whole} without");
}

/// So many of `1..=n`, always the same for one seed.
fn drawn(n_drawn: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut all: Vec<usize> = (1..=n).collect();
    let mut found = Vec::new();
    while found.len() < n_drawn && !all.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let idx = usize::try_from(state >> 33).expect("31 bits") % all.len();
        found.push(all.swap_remove(idx));
    }
    found
}

/// Interrupts the job at five drawn runs: what is shown then fails the same way, and resuming ends with the result that an
/// undisturbed job has.
fn stops_anywhere(members: &str, args: &[&str], seed: u64) {
    let args = &[&[TARGET], args].concat()[..];
    let whole = slow_with(members, "0");
    let expected = whole.minimize(args);
    // The last run is that of the verification.
    for k in drawn(5, n_runs(&whole) - 2, seed) {
        let trial = slow_with(members, "100");
        let stopped = interrupt_after(&trial, args, k);
        let shown = &stopped.results[0];
        assert!(shown["file"].is_null() || shown["verified"]["same_failure"] == true, "run {k}\n{stopped}");
        // Before that, there is nothing to lose; runs that met at the file of counts are made again and are not counted.
        let n_search = shown["runs_by"]["search"].as_u64().expect("a number");
        assert!(
            !shown["file"].is_null() || n_search <= 1,
            "run {k}: the best test so far is lost\n{stopped}"
        );
        let trial = trial.env("LASTS", "0");
        let resumed = trial.minimize(&[args, &["--resume"]].concat());
        assert_eq!(
            resumed.only(0, "minimized")["file"],
            expected.only(0, "minimized")["file"],
            "run {k}\n{resumed}"
        );
    }
}

#[test]
fn a_job_stopped_anywhere_is_resumed_with_the_same_result() {
    stops_anywhere(TEST, &[], 1);
}

#[test]
fn a_job_with_set_up_stopped_anywhere_is_resumed_with_the_same_result() {
    let members = "Cart cart;\nList<String> names;\n@BeforeEach void setUp() throws Exception {\ncart = new Cart();\n\
        names = new ArrayList<>();\nnames.add(\"a\");\ncart.add(1);\n}\n@Test void test() throws Exception {\n\
        int other = 0;\nfor (String name : names) {\nother += name.length();\n}\nif (other > 0) {\ncart.add(2);\n}\n\
        names.add(\"b\");\nassertEquals(1, other);\nassertEquals(7, cart.total());\n}";
    stops_anywhere(members, &[], 2);
}

#[test]
fn a_job_that_shrinks_literals_stopped_anywhere_is_resumed_with_the_same_result() {
    let members = "@Test void test() throws Exception {\nCart cart = new Cart();\nString text = \"one two three\";\n\
        int other = 1000;\ncart.add(other);\ntext.charAt(99 + text.length());\n}";
    stops_anywhere(members, &["--literals"], 3);
}
