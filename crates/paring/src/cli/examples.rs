//! What `--help` shows at its end.

pub const MINIMIZE: &str = "\
Examples:
  Pare one failing test, and see why each line stays
    paring minimize tests/test_table.py::test_remove_row --explain
  Pare every failing test of a folder, with the last release as the version that passes
    paring minimize --failing tests --good v1.4
  A generated suite: one result for each defect
    paring minimize --failing generated --group
  Pare what failed in CI, and keep the results for a program
    paring minimize --junit-xml reports --json results.json
  Put the pared test into the working tree
    paring minimize tests/test_table.py::test_remove_row --patch - | git apply
  A test that only fails after another one
    paring minimize tests/test_b.py::test_two --after tests/test_a.py::test_one
  Options for pytest
    paring minimize tests/test_a.py::test_one -- -p no:randomly -W ignore
  A JUnit test of a Maven project, from the project's folder; what follows -- goes to Maven
    paring minimize com.acme.CartTest#removesRow -- -Pfast
  A JUnit test of any other project
    paring minimize com.acme.CartTest#removesRow --classpath \"$CP\" --test-sources src/test/java
  A program in any language, by the command that fails on it; what it prints must stay the same too
    paring minimize --command 'node bug.js' --match 'TypeError: .* is not a function' bug.js --out small.js
  The same where the folder is too large to copy
    paring minimize --command 'gcc -c -o /dev/null {}' --match 'internal compiler error' bug.c
  A sequence of calls in AutoTest's notation, sliced as its paper has it
    paring minimize --command './execute.sh {}' --strategy sdmin failing.autotest

Defaults for most options can be set under [tool.paring] in pyproject.toml, or in paring.toml.
A `# paring: keep` (`// paring: keep` in Java) comment protects the statement it stands on.";

pub const EVALUATE: &str = "\
Examples:
  All cases of a collection, without and with the version that passes
    paring evaluate cases.jsonl --out-dir results
    paring evaluate cases.jsonl --out-dir results-good --good
  A quick look, and another strategy
    paring evaluate cases.jsonl --sample 50 --out-dir look -- --strategy sdmin";
