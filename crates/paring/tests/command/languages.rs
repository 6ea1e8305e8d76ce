//! A small program in each language, with a command that looks for what must stay.

use crate::trial::Trial;

/// Fails as long as the file has all of these words.
fn has(file: &str, words: &[&str]) -> String {
    let greps: Vec<String> = words.iter().map(|word| format!("grep -q -F '{word}' {file}")).collect();
    format!("{} && exit 3; exit 0", greps.join(" && "))
}

#[track_caller]
fn check(file: &str, source: &str, words: &[&str], expected: &str) {
    let trial = Trial::with_file(file, source).without_python();
    let ran = trial.minimize(&["--command", &has(file, words), file]);
    assert_eq!(ran.pared(), expected, "{ran}");
    let result = ran.only(0, "minimized");
    assert_eq!(result["verified"]["same_failure"], true, "{ran}");
    assert_eq!(result["failure"]["type"], "exit 3", "{ran}");
    assert_eq!(result["file"]["text"], expected, "{ran}");
}

#[test]
fn javascript_loses_blocks_and_arguments() {
    let source = "// Start.\nimport a from 'b';\n\nfunction f(x, y) {\n  if (x > y) {\n    g(x, needed(1, 2), y);\n    h();\n  }\n}\n\nf(1, 2);\n";
    check("a.js", source, &["needed("], "needed();\n");
}

#[test]
fn python_keeps_its_indentation() {
    let source = "import os\n\n\nclass A:\n    def f(self):\n        for x in os.environ:\n            if x:\n                needed(x)\n                other()\n        return 1\n\n\nprint(A())\n";
    check("a.py", source, &["needed(x)"], "needed(x)\n");
    // The grammar takes a function without a body for one; the interpreter does not.
    let trial = Trial::with_file("a.py", source).without_python();
    let compiles = "python3 -c \"compile(open('a.py').read(), 'a.py', 'exec')\" || exit 0";
    let ran =
        trial.minimize(&["--command", &format!("{compiles}; {}", has("a.py", &["def f(self):"])), "a.py"]);
    assert_eq!(ran.pared(), "def f(self):\n    pass\n", "{ran}");
}

#[test]
fn c_and_cpp_lose_declarations_and_directives() {
    let source = "#include <stdio.h>\n#define N 3\n\nstatic int twice(int n) {\n    return 2 * n;\n}\n\nint main(void) {\n    int a[N] = {1, 2, 3};\n    printf(\"%d\\n\", twice(a[0]));\n    return needed(a[1]);\n}\n";
    check("a.c", source, &["needed(", "main(void) {"], "main(void) {\n    needed();\n}\n");
    let source = "#include <vector>\n\nnamespace a {\ntemplate <class T> struct B { T t; int u; };\n}\n\nint main() {\n    std::vector<int> v{1, 2};\n    return v.size();\n}\n";
    check("a.cpp", source, &["struct B"], "struct B;\n");
}

#[test]
fn go_loses_imports_and_variables_with_their_last_use() {
    let source = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc pair() (int, int) { return 1, 2 }\n\nfunc main() {\n\tx, y := pair()\n\tfmt.Println(x, y)\n\tneeded(x)\n\tos.Exit(1)\n}\n";
    // What a compiler would refuse: an import or a variable that nothing uses.
    let compiles = "for name in fmt os; do if grep -q \"\\\"$name\\\"\" a.go; then grep -q \"$name\\.\" a.go || exit 0; fi; done; \
                    grep -q 'package main' a.go || exit 0; grep -q 'func main' a.go || exit 0; \
                    if grep -q 'x, ' a.go; then grep -q '(x' a.go || exit 0; fi; \
                    if grep -q ', y :=' a.go; then grep -q ', y)' a.go || exit 0; fi; ";
    let trial = Trial::with_file("a.go", source).without_python();
    let command = format!("{compiles}{}", has("a.go", &["needed(x)", "x, ", ":= pair()", "func pair"]));
    let ran = trial.minimize(&["--command", &command, "a.go"]);
    let expected = "package main\n\nfunc pair()\n\nfunc main() {\n\tx, _ := pair()\n\tneeded(x)\n}\n";
    assert_eq!(ran.pared(), expected, "{ran}");
}

#[test]
fn rust_java_and_typescript_are_known_by_their_names() {
    let source = "use std::fmt;\n\n#[derive(Debug)]\nstruct A { a: u8 }\n\nfn main() {\n    let a = A { a: 1 };\n    match a.a {\n        1 => needed!(\"x\", 2),\n        _ => {}\n    }\n}\n";
    check("a.rs", source, &["needed!"], "needed!()\n");
    let source = "import java.util.List;\n\npublic class A {\n    private final int a = 1;\n\n    static void f(List<String> b) {\n        try {\n            needed(b.get(0));\n        } finally {\n            g();\n        }\n    }\n}\n";
    check(
        "A.java",
        source,
        &["class A", "void f(List<String> b) {", "needed("],
        "class A {\n    void f(List<String> b) {\n        needed();\n    }\n}\n",
    );
    let source = "interface A { a: number; b?: string }\n\nexport async function f(x: A): Promise<void> {\n  const y: string = needed<string>(x.b);\n}\n";
    check("a.ts", source, &["needed"], "needed;\n");
}

#[test]
fn a_language_can_be_said() {
    let trial = Trial::with_file("script", "first()\nneeded()\nlast()\n").without_python();
    let ran = trial.minimize(&["--command", &has("script", &["needed()"]), "--lang", "python", "script"]);
    assert_eq!(ran.pared(), "needed()\n", "{ran}");
}

#[test]
fn a_real_interpreter_is_asked_where_there_is_one() {
    let source = "def mean(numbers):\n    total = 0\n    for number in numbers:\n        total += number\n    return total / len(numbers)\n\n\nprint(mean([1, 2]))\nprint(mean([]))\n";
    let trial = Trial::with_file("mean.py", source).without_python();
    let command = format!("{} mean.py", paring_testkit::python());
    let ran = trial.minimize(&["--command", &command, "--match", "^ZeroDivisionError", "mean.py"]);
    let n_tokens = ran.only(0, "minimized")["tokens"]["after"].as_u64().expect("a number");
    assert!(n_tokens <= 25, "{ran}");
    ran.says(&["failure: exit 1: ZeroDivisionError: division by zero"]);
}
