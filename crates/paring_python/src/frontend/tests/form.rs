//! Both forms of a candidate, side by side.

use super::rendered;
use paring_model::Form;

/// Checks the blanked and the compact form of an edited text; of the blanked one, trailing spaces are not compared.
fn check(source: &str, script: &[&str], blanked: &str, compact: &str) {
    let (text, _) = rendered(source, "test", script, Form::Blanked);
    let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(trimmed, blanked.lines().collect::<Vec<_>>(), "blanked");
    assert_eq!(text.lines().count(), source.lines().count());
    let (text, _) = rendered(source, "test", script, Form::Compact);
    assert_eq!(text, compact, "compact");
}

#[test]
fn a_removed_statement_takes_its_comments_along() {
    check(
        "def test():\n    # one\n    a()\n\n    # two\n    # more\n    b(\n        1,\n    )  # there\n    # three\n    c()\n",
        &["-b("],
        "def test():\n    # one\n    a()\n\n    # two\n    # more\n\n\n       # there\n    # three\n    c()\n",
        "def test():\n    # one\n    a()\n\n    # three\n    c()\n",
    );
}

#[test]
fn semicolons_stay_where_they_are_legal() {
    let source = "def test():\n    a; b; c\n    if x: d; e;\n";
    check(
        source,
        &["-b"],
        "def test():\n    a;    c\n    if x: d; e;\n",
        "def test():\n    a\n    c\n    if x: d; e;\n",
    );
    check(
        source,
        &["-a"],
        "def test():\n    0; b; c\n    if x: d; e;\n",
        "def test():\n    b\n    c\n    if x: d; e;\n",
    );
    check(
        source,
        &["-a", "-b"],
        "def test():\n    0;    c\n    if x: d; e;\n",
        "def test():\n    c\n    if x: d; e;\n",
    );
    check(
        source,
        &["-c"],
        "def test():\n    a; b;\n    if x: d; e;\n",
        "def test():\n    a\n    b\n    if x: d; e;\n",
    );
    check(source, &["-a", "-b", "-c"], "def test():\n\n    if x: d; e;\n", "def test():\n    if x: d; e;\n");
    check(
        source,
        &["-d"],
        "def test():\n    a; b; c\n    if x: 0; e;\n",
        "def test():\n    a; b; c\n    if x: e\n",
    );
    check(
        source,
        &["-d", "-e"],
        "def test():\n    a; b; c\n    if x: 0\n",
        "def test():\n    a; b; c\n    if x: pass\n",
    );
    check(
        "def test():\n    a; \\\n  b; c\n    d\n",
        &["-a", "-b"],
        "def test():\n    0; \\\n  0; c\n    d\n",
        "def test():\n    c\n    d\n",
    );
}

#[test]
fn an_emptied_block_is_filled() {
    check(
        "def test():\n    'doc'\n    if x:\n        # why\n        foo()  # so\n        bar()\n    else: f()\nclass A: x\n",
        &["-foo", "-bar", "-x"],
        "def test():\n    'doc'\n    if x:\n        # why\n        pass   # so\n\n    else: f()\nclass A: 0\n",
        "def test():\n    'doc'\n    if x:\n        pass\n    else: f()\nclass A: pass\n",
    );
    check(
        "def test():\n    for x in y:\n        a()\n",
        &["-for"],
        "def test():\n    pass\n\n",
        "def test():\n    pass\n",
    );
}

#[test]
fn clauses_go_whole() {
    check(
        "def test():\n    if a:\n        b\n    # c\n    elif c:\n        d\n    elif e: f\n    else:\n        g\n    for h in i: j\n    else: k\n",
        &["-elif c", "-b", "-else:"],
        "def test():\n    if a:\n        0\n    # c\n\n\n    elif e: f\n\n\n    for h in i: j\n    else: k\n",
        "def test():\n    if a:\n        pass\n    elif e: f\n    for h in i: j\n    else: k\n",
    );
}

#[test]
fn an_unwrapped_block_gives_way_to_its_body() {
    check(
        "def test():\n    # open\n    with open(\n        f\n    ) as g:  # it\n        # read\n        x = '''\n        a\n'''\n\n        y(\n            1)\n        # end\n    z\n",
        &["^with"],
        "def test():\n    # open\n    if 1:\n\n             # it\n        # read\n        x = '''\n        a\n'''\n\n        y(\n            1)\n        # end\n    z\n",
        "def test():\n    # open\n    # read\n    x = '''\n        a\n'''\n\n    y(\n        1)\n    # end\n    z\n",
    );
    check(
        "def test():\n    with a: b; c\n    if d:\n        e\n    else:\n        f\n    with g(\n  1): h; i\n",
        &["^with a", "^if d", "-e", "^with g", "-i"],
        "def test():\n    if 1:   b; c\n\n\n    if 1:\n        f\n    if (1\n   ): h;\n",
        "def test():\n    b; c\n    f\n    h\n",
    );
}

#[test]
fn nested_unwrapping_indents_to_where_the_outermost_stood() {
    check(
        "def test():\n\tfor a in b:\n\t\tif a:\n\t\t\twith c:\n\t\t\t\tif d:\n\t\t\t\t\te\n\t\t\t\tbreak\n\tf\n",
        &["^for", "^if a", "^with"],
        "def test():\n\tif 1:\n\t\tif 1:\n\t\t\tif 1:\n\t\t\t\tif d:\n\t\t\t\t\te\n\n\tf\n",
        "def test():\n\tif d:\n\t\te\n\tf\n",
    );
}

#[test]
fn a_try_without_handlers_gives_way_to_its_body() {
    let source = "def test():\n    try:\n        a\n    except E:\n        b\n    else:\n        c\n    finally:\n        d\n    e\n";
    check(
        source,
        &["-except", "-finally"],
        "def test():\n    if 1:\n        a\n\n\n    if 1:\n        c\n\n\n    e\n",
        "def test():\n    a\n    c\n    e\n",
    );
    check(
        source,
        &["-except", "-else"],
        "def test():\n    try:\n        a\n\n\n\n\n    finally:\n        d\n    e\n",
        "def test():\n    try:\n        a\n    finally:\n        d\n    e\n",
    );
    check(
        source,
        &["^try", "-a", "-b", "-d"],
        "def test():\n\n\n\n\n    if 1:\n        c\n\n\n    e\n",
        "def test():\n    c\n    e\n",
    );
    check(
        source,
        &["-a", "-c", "-d"],
        "def test():\n    try:\n        0\n    except E:\n        b\n    else:\n        0\n    finally:\n        0\n    e\n",
        "def test():\n    try:\n        pass\n    except E:\n        b\n    else:\n        pass\n    finally:\n        pass\n    e\n",
    );
}

#[test]
fn a_match_without_cases_goes() {
    check(
        "def test():\n    match a:\n        case 1: b\n        case _:\n            c\n    d\n",
        &["-case 1", "-case _"],
        "def test():\n\n\n\n\n    d\n",
        "def test():\n    d\n",
    );
}

#[test]
fn blank_lines_do_not_pile_up() {
    check(
        "#!/x\nimport a\n\nimport b\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n\n\ndef test():\n\n    a\n\n    b\n\n    c\n\n    d\n",
        &["-def f", "-a", "-c", "-d", "-import a"],
        "#!/x\n\n\nimport b\n\n\n\n\n\n\ndef g():\n    pass\n\n\ndef test():\n\n\n\n    b\n\n\n\n\n",
        "#!/x\n\nimport b\n\n\ndef g():\n    pass\n\n\ndef test():\n    b\n",
    );
}

#[test]
fn line_ends_tabs_and_the_end_of_the_file_are_the_users() {
    let (text, _) =
        rendered("def test():\r\n\ta; b; é; c\r\n\td\r\n\te", "test", &["-b", "-é", "-e"], Form::Compact);
    assert_eq!(text, "def test():\r\n\ta\r\n\tc\r\n\td");
    let (text, _) =
        rendered("def test():\r\n\ta; b; é; c\r\n\td\r\n\te", "test", &["-b", "-é", "-e"], Form::Blanked);
    assert_eq!(text, "def test():\r\n\ta;        c\r\n\td\r\n\t ");
}

#[test]
fn a_removed_block_takes_the_comments_inside_it_along() {
    check(
        "def test():\n    if a:\n        b\n        # inside\n\n    # outside\n    c\n# file\n",
        &["-if a"],
        "def test():\n\n\n        # inside\n\n    # outside\n    c\n# file\n",
        "def test():\n    # outside\n    c\n# file\n",
    );
}

#[test]
fn a_heading_goes_with_all_that_stands_under_it() {
    let (text, _) = rendered(
        "# The file.\n\n# One.\n\ndef a(): pass\n\n# Two.\n\ndef b(): pass\n\n\ndef test():\n    c()\n\n    # three\n\n    d()\n    # four\n\n    e()\n\n# Five.\n",
        "test",
        &["-def a", "-def b", "-d()"],
        Form::Compact,
    );
    assert_eq!(text, "# The file.\n\n# Two.\n\n\ndef test():\n    c()\n\n    # four\n\n    e()\n\n# Five.\n");
}
