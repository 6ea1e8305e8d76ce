"""Names of a test file that come near one that is not in it."""
import ast
import tokenize


def near(request):
    """A line that names them, to stand under pytest's "not found"; empty where none comes near."""
    import difflib

    path, _, wanted = request["nodeids"][0].partition("::")
    wanted, bracket, _ = wanted.partition("[")
    try:
        tree = ast.parse(request.get("text") or read(path))
    except (OSError, SyntaxError, ValueError):
        return ""
    names = ["::".join(parts) for parts in tests(tree.body)]
    if bracket and wanted in names:
        return "\n%s is there, and has no such case" % wanted
    found = difflib.get_close_matches(wanted, names, 3)
    return "\ndid you mean %s?" % " or ".join("%s::%s" % (path, name) for name in found) if found else ""


def read(path):
    with tokenize.open(path) as file:
        return file.read()


def tests(body, parts=()):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from tests(node.body, parts + (node.name,))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            yield parts + (node.name,)
