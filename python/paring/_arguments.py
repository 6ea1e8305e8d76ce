"""Which arguments of a pytest run hold for the runs of one test of it: all but those that choose tests, stop, distribute, repeat or report."""

# By the name under which pytest has the option.
DROPPED = {
    # which tests
    "file_or_dir", "keyword", "markexpr", "deselect", "ignore", "ignore_glob", "collectonly", "pyargs", "lf", "failedfirst", "newfirst",
    "last_failed_no_failures", "stepwise", "stepwise_skip", "stepwise_reset", "cacheclear", "cacheshow", "keepduplicates",
    # stopping, and debuggers
    "maxfail", "usepdb", "usepdb_cls", "trace", "setuponly", "setupplan", "setupshow",
    # reports
    "verbose", "no_header", "no_summary", "reportchars", "tbstyle", "showlocals", "no_showlocals", "fulltrace", "color", "code_highlight",
    "show_capture", "show_fixtures", "show_fixtures_per_test", "durations", "durations_min", "xmlpath", "junitprefix", "pastebin",
    "report_log", "htmlpath", "json_report", "json_report_file", "allure_report_dir", "disable_warnings", "xfail_tb", "force_short_summary",
    # pytest-xdist, pytest-rerunfailures, pytest-repeat
    "numprocesses", "maxprocesses", "dist", "distload", "tx", "px", "looponfail", "maxworkerrestart", "testrunuid", "maxschedchunk",
    "rsyncdir", "rsyncignore", "usepdbcls", "boxed", "reruns", "reruns_delay", "only_rerun", "rerun_except", "fail_on_flaky", "count", "repeat_scope",
    # what the workers set themselves
    "randomly_seed", "basetemp", "help", "version",
}  # fmt: skip
DROPPED_PREFIXES = ("pare", "cov_", "no_cov")
# Options that no parser of the run knows by then, or that have other names for it.
NEVER = ("-v", "-q", "-x", "-h", "--cov")


def forwarded(config):
    """The arguments of this run that its single tests run under."""
    parser = config._parser
    argparser = getattr(parser, "optparser", None) or parser._getparser()
    kept = keep([str(arg) for arg in config.invocation_params.args], argparser._option_string_actions)
    seed = getattr(config.option, "randomly_seed", None)
    if isinstance(seed, int):
        kept.append("--randomly-seed=%d" % seed)
    return kept


def keep(args, actions):
    """The arguments that stay of `args`, where `actions` are those of an argument parser."""
    kept = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            continue
        if word.startswith("--"):
            name, has_value, _ = word.partition("=")
            action = actions.get(name)
            values = [] if has_value else take_values(action, rest)
            if is_kept(name, action):
                kept += [word, *values]
        else:
            kept += keep_short(word, actions, rest)
    return kept


def keep_short(word, actions, rest):
    """Of `-xvs`, `-kname` or `-p plugin`."""
    kept = []
    letters = word[1:]
    while letters:
        name, letters = "-" + letters[0], letters[1:]
        action = actions.get(name)
        if takes_none(action):
            values = []
        elif letters:
            values, letters = [letters], ""
        else:
            values = take_values(action, rest)
        if is_kept(name, action):
            kept += [name, *values]
    return kept


def is_kept(name, action):
    if action is None:
        # Some plugin's own affair; `-c` and `-p` are options like others.
        return name.startswith("--") and not name.startswith("--cov")
    dest = action.dest
    return dest not in DROPPED and not dest.startswith(DROPPED_PREFIXES) and name not in NEVER


def takes_none(action):
    return action is None or action.nargs == 0


def take_values(action, rest):
    if takes_none(action):
        return []
    if action.nargs == "?":
        return [rest.pop(0)] if rest and not rest[0].startswith("-") and "::" not in rest[0] else []
    n_values = action.nargs if isinstance(action.nargs, int) else 1
    values, rest[:n_values] = rest[:n_values], []
    return values
