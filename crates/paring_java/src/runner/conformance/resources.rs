//! What a traced run tells of files, settings and all else that no name of the test shows.

use super::facts::{stmt, trace};
use paring_model::{Facts, How, Resource, Unit};

const LIB: (&str, &str) = (
    "shop/Cart.java",
    "package shop;\nimport java.util.*;\npublic class Cart {\n  public static final List<String> ROWS = new ArrayList<>();\n  static int made;\n  static String kept;\n  public static int other;\n  public Cart() { made++; }\n  public static void keep(String row) { kept = row; }\n  public static String kept() { return kept; }\n  public static int made() { return made; }\n}\n",
);

/// Whether the statement that begins like this did that to the resource of that name.
fn did(unit: &Unit, facts: &Facts, text: &str, how: How, name: &str) -> bool {
    let id = stmt(unit, text);
    facts
        .resources
        .touches()
        .any(|(touch, resource)| touch.stmt == id && touch.how == how && shown(resource).ends_with(name))
}

fn shown(resource: &Resource) -> String {
    match resource {
        Resource::File(path) => path.to_string(),
        Resource::Env(name) => format!("env {name}"),
        Resource::Table { db, name } => format!("table {db} {name}"),
        Resource::Attribute { owner, name } => format!("static {owner}.{name}"),
        Resource::Logger(name) => format!("logger {name}"),
        Resource::Output(name) => format!("output {name}"),
        Resource::Socket(address) => format!("socket {address}"),
        Resource::Cwd | Resource::Clock | Resource::Random | Resource::Unknown | Resource::Logged { .. } => {
            format!("{resource:?}")
        }
    }
}

/// Traces a `JUnit` 5 test with the given members on every JDK; every use of every statement is told.
fn check(members: &str, look: impl Fn(&Unit, &Facts)) {
    told(&[], members, |unit, facts| {
        assert!(facts.resources.is_complete(stmt(unit, "assert")), "incomplete");
        look(unit, facts);
    });
}

/// The same with more jars, where not every use need be told.
fn told(sets: &[&str], members: &str, look: impl Fn(&Unit, &Facts)) {
    trace(&[LIB], sets, members, |unit, facts| {
        for (touch, resource) in facts.resources.touches() {
            let text = unit.stmt(touch.stmt).range.of(&unit.source);
            println!("{:?} {} by {}: {text}", touch.how, shown(resource), touch.nth);
        }
        look(unit, facts);
    });
}

#[test]
fn a_file_is_followed_through_writers_and_names() {
    check(
        "@Test void test(@org.junit.jupiter.api.io.TempDir java.io.File dir) throws Exception {\njava.io.File file = new java.io.File(dir, \"a.txt\");\njava.io.Writer writer = new java.io.BufferedWriter(new java.io.FileWriter(file));\nwriter.write(\"one\");\nwriter.close();\njava.nio.file.Path other = dir.toPath().resolve(\"b.txt\");\njava.nio.file.Files.writeString(other, \"two\");\nString read = java.nio.file.Files.readString(file.toPath());\nfile.renameTo(new java.io.File(dir, \"c.txt\"));\nString[] all = dir.list();\njava.nio.file.Files.delete(other);\nassertEquals(0, all.length + read.length()); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(did("java.io.Writer writer", How::Kill, "a.txt"));
            assert!(!did("writer.write", How::Define, "a.txt"));
            assert!(did("writer.close", How::Define, "a.txt"));
            assert!(did("java.nio.file.Files.writeString", How::Kill, "b.txt"));
            assert!(did("java.nio.file.Files.writeString", How::Define, "b.txt"));
            assert!(did("String read", How::Use, "a.txt"));
            assert!(!did("String read", How::Use, "b.txt"));
            assert!(did("file.renameTo", How::Use, "a.txt") && did("file.renameTo", How::Kill, "a.txt"));
            assert!(did("file.renameTo", How::Kill, "c.txt"));
            assert!(did("String[] all", How::Use, "b.txt") && did("String[] all", How::Use, "c.txt"));
            assert!(did("java.nio.file.Files.delete", How::Kill, "b.txt"));
        },
    );
}

#[test]
fn what_a_try_closes_is_its_own_doing() {
    check(
        "@Test void test(@org.junit.jupiter.api.io.TempDir java.nio.file.Path dir) throws Exception {\njava.nio.file.Path file = dir.resolve(\"a.txt\");\ntry (java.io.Writer writer = java.nio.file.Files.newBufferedWriter(file)) {\nwriter.write(\"one\");\n}\nint n = 0;\nfor (String line : (Iterable<String>) java.nio.file.Files.lines(file)::iterator) {\nn++;\n}\nassertEquals(0, n); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(did("try (java.io", How::Kill, "a.txt") && did("try (java.io", How::Define, "a.txt"));
            assert!(did("for (String", How::Use, "a.txt"));
        },
    );
}

#[test]
fn it_is_told_where_code_under_test_ran() {
    check(
        "@Test void test() {\nList<String> rows = new ArrayList<>();\nrows.add(\"x\");\nCart cart = new Cart();\nrows.forEach(Cart::keep);\nassertEquals(0, Cart.made()); }",
        |unit, facts| {
            let ran = |text: &str| facts.resources.runs_code(stmt(unit, text));
            assert!(ran("Cart cart") && ran("rows.forEach") && ran("assertEquals"));
            assert!(!ran("List<String> rows") && !ran("rows.add"));
        },
    );
}

#[test]
fn statics_are_told_by_their_names() {
    check(
        "@Test void test() {\nCart cart = new Cart();\nCart.keep(\"x\");\nCart.ROWS.add(\"y\");\nCart.other = 3;\nString kept = Cart.kept();\nint n = Cart.ROWS.size();\nint made = Cart.made();\nassertEquals(0, n + made + kept.length()); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(
                did("Cart cart", How::Kill, "static shop.Cart.made")
                    || did("Cart cart", How::Define, "static shop.Cart.made")
            );
            assert!(did("Cart.keep", How::Kill, "static shop.Cart.kept"));
            assert!(!did("Cart.keep", How::Use, "static shop.Cart.kept"));
            assert!(did("Cart.ROWS.add", How::Define, "static shop.Cart.ROWS"));
            assert!(did("Cart.other", How::Kill, "static shop.Cart.other"));
            assert!(did("String kept", How::Use, "static shop.Cart.kept"));
            assert!(!did("String kept", How::Use, "static shop.Cart.ROWS"));
            assert!(did("int n", How::Use, "static shop.Cart.ROWS"));
            assert!(did("int made", How::Use, "static shop.Cart.made"));
        },
    );
}

#[test]
fn settings_of_the_process_are_told_by_their_names() {
    check(
        "@Test void test() {\nSystem.setProperty(\"shop.a\", \"1\");\nSystem.setProperty(\"shop.b\", \"2\");\nLocale.setDefault(Locale.FRANCE);\nString a = System.getProperty(\"shop.a\");\nString n = String.format(\"%.1f\", 1.5);\nassertEquals(\"\", a + n); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(did("System.setProperty(\"shop.a\"", How::Kill, "env shop.a"));
            assert!(!did("System.setProperty(\"shop.a\"", How::Kill, "env shop.b"));
            assert!(did("Locale.setDefault", How::Kill, "static java.util.Locale.default"));
            assert!(did("String a", How::Use, "env shop.a") && !did("String a", How::Use, "env shop.b"));
            assert!(did("String n", How::Use, "static java.util.Locale.default"));
        },
    );
}

#[test]
fn output_counts_once_it_is_captured() {
    check(
        "@Test void test() {\nSystem.out.println(\"before\");\njava.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();\nSystem.setOut(new java.io.PrintStream(bytes));\nSystem.out.println(\"one\");\nassertEquals(\"\", bytes.toString()); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(!did("System.out.println(\"before", How::Define, "output stdout"));
            assert!(did("System.setOut", How::Kill, "output stdout"));
            assert!(did("System.out.println(\"one", How::Define, "output stdout"));
        },
    );
}

#[test]
fn a_logger_follows_the_settings_of_those_above_it() {
    check(
        "@Test void test() {\njava.util.logging.Logger logger = java.util.logging.Logger.getLogger(\"shop.cart\");\njava.util.logging.Logger above = java.util.logging.Logger.getLogger(\"shop\");\nabove.setLevel(java.util.logging.Level.FINE);\njava.util.logging.Logger.getLogger(\"other\").setLevel(java.util.logging.Level.FINE);\nboolean is = logger.isLoggable(java.util.logging.Level.FINE);\nassertFalse(is); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(did("above.setLevel", How::Define, "logger shop"));
            assert!(did("boolean is", How::Use, "logger shop"));
            assert!(!did("boolean is", How::Use, "logger other"));
        },
    );
}

#[test]
fn both_ends_of_a_connection_touch_its_ports() {
    check(
        "@Test void test() throws Exception {\njava.net.ServerSocket server = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress());\njava.net.Socket client = new java.net.Socket(server.getInetAddress(), server.getLocalPort());\njava.net.Socket end = server.accept();\nclient.getOutputStream().write(7);\nint read = end.getInputStream().read();\nassertEquals(0, read); }",
        |unit, facts| {
            let ports = |text: &str| -> Vec<String> {
                let id = stmt(unit, text);
                let touches = facts.resources.touches().filter(|(touch, _)| touch.stmt == id);
                touches
                    .map(|(_, resource)| shown(resource))
                    .filter(|name| name.starts_with("socket"))
                    .collect()
            };
            let written = ports("client.getOutputStream");
            assert!(!written.is_empty());
            assert!(ports("int read").iter().any(|port| written.contains(port)), "{written:?}");
        },
    );
}

#[test]
fn the_clock_and_chance_are_told() {
    check(
        "@Test void test() throws Exception {\nThread.sleep(1);\nlong now = System.currentTimeMillis();\njava.time.LocalDate today = java.time.LocalDate.now();\nObject any = java.util.UUID.randomUUID();\nint same = Math.max(1, 2);\nassertEquals(0, same + now); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            assert!(did("Thread.sleep", How::Use, "Clock"));
            assert!(
                did("long now", How::Use, "Clock") && did("java.time.LocalDate today", How::Use, "Clock")
            );
            assert!(did("Object any", How::Use, "Random"));
            let none = stmt(unit, "int same");
            assert!(!facts.resources.touches().any(|(touch, _)| touch.stmt == none));
        },
    );
}

#[test]
fn tables_are_told_by_their_names() {
    told(
        &["hsqldb"],
        "@Test void test() throws Exception {\njava.sql.Connection db = java.sql.DriverManager.getConnection(\"jdbc:hsqldb:mem:shop\", \"sa\", \"\");\njava.sql.Statement made = db.createStatement();\nmade.execute(\"create table items (name varchar(9))\");\nmade.execute(\"create table users (name varchar(9))\");\njava.sql.PreparedStatement insert = db.prepareStatement(\"insert into items values (?)\");\ninsert.setString(1, \"tea\");\ninsert.executeUpdate();\njava.sql.ResultSet found = db.createStatement().executeQuery(\"select * from ITEMS i where name <> 'from users'\");\nassertFalse(found.next()); }",
        |unit, facts| {
            let did = |text: &str, how: How, name: &str| did(unit, facts, text, how, name);
            let (items, users) = ("table jdbc:hsqldb:mem:shop items", "table jdbc:hsqldb:mem:shop users");
            assert!(did("made.execute(\"create table items", How::Kill, items));
            assert!(did("made.execute(\"create table users", How::Kill, users));
            assert!(!did("made.execute(\"create table users", How::Kill, items));
            assert!(did("insert.executeUpdate", How::Define, items));
            assert!(did("java.sql.ResultSet found", How::Use, items));
            assert!(!did("java.sql.ResultSet found", How::Use, users));
        },
    );
}

#[test]
fn what_cannot_be_seen_is_unknown() {
    told(
        &[],
        "@Test void test() throws Exception {\nCart.keep(\"x\");\nnew ProcessBuilder(\"true\").start().waitFor();\nassertNull(Cart.kept()); }",
        |unit, facts| {
            assert!(facts.resources.changes_unknown(stmt(unit, "new ProcessBuilder")));
            assert!(!facts.resources.is_complete(stmt(unit, "assertNull")));
        },
    );
    told(
        &[],
        "@Test void test() throws Exception {\nThread thread = new Thread(() -> Cart.keep(\"x\"));\nthread.start();\nthread.join();\nassertNull(Cart.kept()); }",
        |unit, facts| assert!(!facts.resources.is_complete(stmt(unit, "assertNull"))),
    );
}
