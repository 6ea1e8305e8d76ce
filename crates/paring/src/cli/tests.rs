//! The command line as a whole: what is taken, what is refused, and how its help reads.

use super::*;

fn minimize(args: &[&str]) -> MinimizeArgs {
    match Cli::from_args(["paring", "minimize"].iter().chain(args)).unwrap().command {
        Command::Minimize(args) => *args,
        Command::Purify(_)
        | Command::Split(_)
        | Command::Merge(_)
        | Command::Compare(_)
        | Command::Localize(_)
        | Command::Evaluate(_)
        | Command::Doctor(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Analyze(_) => {
            unreachable!("the command is minimize")
        }
    }
}

fn refused(args: &[&str]) -> String {
    let error = Cli::from_args(["paring"].iter().chain(args)).unwrap_err();
    assert_eq!(error.exit_code(), exit_code::USAGE, "{args:?}");
    error.to_string()
}

#[test]
fn clap_finds_no_fault() {
    Cli::command().debug_assert();
}

#[test]
fn every_help_text_starts_upper_case_and_ends_without_a_period() {
    let mut root = Cli::command();
    root.build();
    let commands = root.get_subcommands().filter(|command| command.get_name() != "help").chain([&root]);
    for command in commands {
        let texts = command.get_arguments().map(|arg| (arg.get_id().to_string(), arg.get_help().cloned()));
        for (id, help) in texts.chain([("about".to_owned(), command.get_about().cloned())]) {
            let place = format!("{} {id}", command.get_name());
            let help = help.unwrap_or_else(|| panic!("{place} has no help")).to_string();
            assert!(!help.starts_with(char::is_lowercase), "{place}: {help}");
            assert!(!help.trim_end().ends_with('.') && !help.is_empty(), "{place}: {help}");
        }
    }
}

#[test]
fn what_is_known_by_its_syntax_alone_is_compared_without_slices() {
    let n_strategies =
        |args: &[&str]| match Cli::from_args(["paring", "compare"].iter().chain(args)).unwrap().command {
            Command::Compare(args) => args.strategies().len(),
            Command::Minimize(_)
            | Command::Purify(_)
            | Command::Split(_)
            | Command::Merge(_)
            | Command::Localize(_)
            | Command::Evaluate(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Analyze(_) => {
                unreachable!("the command is compare")
            }
        };
    assert_eq!(n_strategies(&["a.py::b"]), 7);
    assert_eq!(n_strategies(&["a.py::b", "--strategies", "auto,wdd"]), 2);
    assert_eq!(n_strategies(&["a.c", "--command", "false"]), 4);
    assert_eq!(n_strategies(&["a.autotest", "--command", "false"]), 7);
}

#[test]
fn help_reads_well() {
    let mut root = Cli::command().term_width(100);
    root.build();
    let minimize = root.find_subcommand_mut("minimize").unwrap();
    insta::assert_snapshot!(minimize.render_long_help());
}

#[test]
fn what_follows_two_dashes_goes_to_the_runner() {
    let args = minimize(&["tests/test_a.py::test_b", "--explain", "--", "-p", "no:x", "--json"]);
    assert_eq!(args.targets, ["tests/test_a.py::test_b"]);
    assert_eq!(args.runner_args, ["-p", "no:x", "--json"]);
    assert_eq!(args.explain, Some(true));
}

#[test]
fn after_takes_all_that_follows_it() {
    let args = minimize(&["t.py::b", "--after", "t.py::x", "t.py::y", "--seed", "3"]);
    assert_eq!((args.targets.len(), args.after.len(), args.seed), (1, 2, Some(3)));
    assert!(refused(&["minimize", "--after", "t.py::x", "t.py::b"]).contains("put the target first"));
}

#[test]
fn values_are_read_as_people_write_them() {
    let args = minimize(&[
        "t.py::b",
        "--budget",
        "2m",
        "--timeout=1.5",
        "--memory",
        "1G",
        "--same",
        "type,frames",
        "--good-env",
        "A=b",
        "--json",
        "-",
        "--patch",
        "x.patch",
        "--strategy",
        "probdd",
        "-j",
        "4",
        "--explain=false",
    ]);
    assert_eq!(args.budget.unwrap().time, Some(Duration::from_mins(2)));
    assert_eq!(args.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(args.memory, Some(1 << 30));
    assert!(!args.same.unwrap().message);
    assert_eq!(args.json, Some(Sink::Stdout));
    assert_eq!(args.patch, Some(Sink::File("x.patch".into())));
    assert_eq!(args.strategy, Some(Strategy::Probdd));
    assert_eq!((args.jobs, args.explain), (Some(4), Some(false)));
}

#[test]
fn min_is_short_for_minimize_and_global_options_go_anywhere() {
    let cli = Cli::from_args(["paring", "min", "t.py::b", "-q", "--color", "always"]).unwrap();
    assert_eq!((cli.global.quiet, cli.global.color), (Some(true), Some(ColorWhen::Always)));
    let cli = Cli::from_args(["paring", "--color=never", "minimize", "t.py::b"]).unwrap();
    assert_eq!(cli.global.color, Some(ColorWhen::Never));
}

#[test]
fn what_makes_no_sense_is_refused_with_a_way_out() {
    assert!(refused(&["minimize"]).contains("--failing PATH"));
    assert!(
        refused(&["minimize", "t.py::b", "--json", "-", "--patch", "-"]).contains("give one of them a file")
    );
    assert!(refused(&["minimize", "t.py::a", "t.py::b", "--out", "x.py"]).contains("name a folder"));
    assert!(refused(&["minimize", "t.py::a", "--strategy", "best"]).contains("probdd"));
    assert!(refused(&["minimize", "t.py::a", "--jobs", "0"]).contains("0 is not in"));
    assert!(refused(&["minimize", "t.py::a", "--same", "kind"]).contains("none of type, message"));
    assert!(refused(&["minimize", "t.py::a", "--budget", "much"]).contains("200runs"));
    assert!(refused(&["minimize", " "]).contains("names no test"));
    let command = |rest: &[&str]| refused(&[&["minimize", "--command", "false"], rest].concat());
    assert!(command(&[]).contains("takes one file"));
    assert!(command(&["a.xyz"]).contains("say it with --lang"));
    assert!(command(&["a.c", "--lang", "cobol"]).contains("autotest"));
    assert!(command(&["a.c", "--match", "("]).contains("unclosed group"));
    assert!(command(&["a.c", "--same", "type"]).contains("--match says what else"));
    assert!(command(&["a.c", "--good", "v1"]).contains("no version that passes"));
    assert!(command(&["a.c", "--literals"]).contains("is for tests"));
    assert!(command(&["a.c", "--failing", "b"]).contains("no --failing"));
    assert!(command(&["a.c", "--strategy", "ssmin"]).contains("--lang autotest"));
    assert!(refused(&["minimize", "a.py::b", "--lang", "c"]).contains("goes with --command"));
    let compare = ["compare", "a.c", "--command", "false", "--strategies", "auto,ssmin"];
    assert!(refused(&compare).contains("--lang autotest"));
    refused(&["shrink"]);
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [["paring", "--version"], ["paring", "--help"]] {
        assert_eq!(Cli::from_args(args).unwrap_err().exit_code(), 0);
    }
}
