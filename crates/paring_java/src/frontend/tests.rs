//! Helpers of the front end's tests, and the suite every front end passes.

use super::*;

mod conformance;
mod flow;
mod literals;
mod rendering;
mod trims;
mod turn_off;
mod write;

use paring_model::{EditSet, Op, PlaceId, PlaceScope, StmtId, TestDraft};

/// The unit of a method body, in a class with a field `cart` and a helper.
fn unit_of(body: &str) -> Unit {
    let source = format!("{HEAD}{body}{TAIL}");
    test_unit(&source, "t.CartTest#total")
}

const HEAD: &str = "package t;\nimport static org.junit.Assert.assertEquals;\nimport java.util.List;\nimport org.junit.Test;\npublic class CartTest {\n    Cart cart = new Cart();\n    int n;\n    @Test\n    public void total() {\n";
const TAIL: &str = "\n    }\n    void fill(Cart into) { n++; }\n}\n";

/// The first node that begins with a text, outermost first.
fn node(unit: &Unit, start: &str) -> StmtId {
    let found = unit.ids().find(|&id| unit.stmt(id).range.of(&unit.source).starts_with(start));
    found.unwrap_or_else(|| panic!("no statement begins with {start:?}"))
}

/// A place in short: `x`, `::x` of the file, `.x` of the test object.
fn place(unit: &Unit, id: PlaceId) -> String {
    let place = unit.place(id);
    match place.scope {
        PlaceScope::Global => format!("::{}", place.name),
        PlaceScope::Member => format!(".{}", place.name),
        PlaceScope::Hidden => format!("?{}", place.name),
        PlaceScope::Local(_) => place.name.clone(),
    }
}

/// The operations of a statement in short.
fn ops(unit: &Unit, start: &str) -> String {
    let shown = unit.stmt(node(unit, start)).ops.iter().map(|op| match op {
        Op::Use(id) => place(unit, *id),
        Op::Define(id) => format!("={}", place(unit, *id)),
        Op::MayDefine(id) => format!("?={}", place(unit, *id)),
        Op::Mutate(id) => format!("!{}", place(unit, *id)),
        Op::Call(call) => {
            let receiver = call.receiver.map_or(String::new(), |id| place(unit, id));
            let args: Vec<String> = call.args.iter().map(|&id| place(unit, id)).collect();
            let dropped = if call.result == paring_model::CallResult::Dropped { "!" } else { "" };
            let new = if call.constructs { "new" } else { "" };
            format!("{new}{receiver}({}){dropped}", args.join(" "))
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
