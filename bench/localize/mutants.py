"""The six mutation operators of the purification paper (its Table 2) on Python source: one change in one place each.

A mutant is a line, an operator's name, and the whole text with the change. Changes are made in the text itself, by the positions
of the syntax tree, so that all other lines stay as they are.
"""
import ast
import dataclasses

MATH = {"Add": "-", "Sub": "+", "Mult": "/", "Div": "*", "FloorDiv": "*", "Mod": "*", "Pow": "*", "BitAnd": "|", "BitOr": "&", "BitXor": "&", "LShift": ">>", "RShift": "<<"}
OPPOSITE = {"Eq": "!=", "NotEq": "==", "Lt": ">=", "GtE": "<", "Gt": "<=", "LtE": ">", "Is": "is not", "IsNot": "is", "In": "not in", "NotIn": "in"}
BOUNDARY = {"Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">"}
STEP = {"Add": "-=", "Sub": "+="}


@dataclasses.dataclass(frozen=True)
class Mutant:
    operator: str
    line: int
    text: str


def mutants(source):
    """All of them, in the order of the text; only within functions, for what runs at import belongs to no test."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    offsets = line_offsets(source)
    found = []
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in function.body:
                for node in within(statement):
                    found += changes(source, offsets, node)
    unique = {(mutant.line, mutant.text): mutant for mutant in found}
    return sorted(unique.values(), key=lambda mutant: (mutant.line, mutant.operator, mutant.text))


def within(node):
    """A node and all below it, other functions left out: they come by themselves."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from within(child)


def changes(source, offsets, node):
    def text(part):
        return source.encode()[start(part) : end(part)].decode()

    def start(part):
        return offsets[part.lineno - 1] + part.col_offset

    def end(part):
        return offsets[part.end_lineno - 1] + part.end_col_offset

    def mutant(operator, part, replacement):
        data = source.encode()
        changed = (data[: start(part)] + replacement.encode() + data[end(part) :]).decode()
        return [Mutant(operator, part.lineno, changed)] if parses(changed) else []

    kind = type(node)
    if kind is ast.UnaryOp and isinstance(node.op, ast.USub):
        return mutant("invert negatives", node, "(%s)" % text(node.operand))
    if kind is ast.Name and isinstance(node.ctx, ast.Load):
        return []
    if kind is ast.Return and node.value is not None and not is_constant(node.value, None):
        value = node.value
        if is_constant(value, True) or is_constant(value, False):
            return mutant("return values", value, str(not value.value))
        if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
            return mutant("return values", value, "(%s + 1)" % text(value))
        return mutant("return values", value, "None")
    if kind is ast.BinOp and type(node.op).__name__ in MATH:
        other = MATH[type(node.op).__name__]
        return mutant("math", node, "(%s) %s (%s)" % (text(node.left), other, text(node.right)))
    if kind is ast.AugAssign and type(node.op).__name__ in STEP:
        return mutant("increments", node, "%s %s %s" % (text(node.target), STEP[type(node.op).__name__], text(node.value)))
    found = []
    if kind is ast.Compare and len(node.ops) == 1:
        name, right = type(node.ops[0]).__name__, text(node.comparators[0])
        found += mutant("negate conditionals", node, "%s %s %s" % (text(node.left), OPPOSITE[name], right))
        if name in BOUNDARY:
            found += mutant("conditional boundary", node, "%s %s %s" % (text(node.left), BOUNDARY[name], right))
    elif kind in (ast.If, ast.While) and not isinstance(node.test, ast.Compare):
        found += mutant("negate conditionals", node.test, "not (%s)" % text(node.test))
    return found


def is_constant(node, value):
    return isinstance(node, ast.Constant) and node.value is value


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def line_offsets(source):
    """Where each line begins, in bytes: the tree counts so."""
    offsets, at = [], 0
    for line in source.encode().split(b"\n"):
        offsets.append(at)
        at += len(line) + 1
    return offsets
