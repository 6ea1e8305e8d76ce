"""Puts another text in the place of a file of the code under test, for this process only; no file is written.

What is loaded later is compiled from that text. Of what is loaded already the functions get the code that they would have: a
mutant changes what a function does and leaves lines and names where they are, so each function is known by its name and line.
What a module did while it was loaded stays done.
"""
import gc
import importlib.machinery
import os
import types


def install(request):
    """Answers for the file of the request from here on."""
    code = request.get("code")
    if code is None:
        return
    path, text = os.path.realpath(code["path"]), code["text"]
    try:
        whole = compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    answer_for_loaders(path, text)
    replace_functions(path, whole)


def answer_for_loaders(path, text):
    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self, fullname):
        place = self.get_filename(fullname)
        if is_file(place, path):
            return compile(text, place, "exec", dont_inherit=True)
        return usual(self, fullname)

    loader.get_code = get_code


def replace_functions(path, whole):
    codes = {}
    for code in within(whole):
        codes.setdefault((code.co_name, code.co_firstlineno), []).append(code)
    for each in gc.get_objects():
        if type(each) is types.FunctionType and is_file(each.__code__.co_filename, path):
            replace(each, codes.get((each.__code__.co_name, each.__code__.co_firstlineno), ()))


def replace(function, codes):
    old = function.__code__
    # Of several lambdas in a line it is not known which is which.
    if len(codes) != 1 or codes[0].co_freevars != old.co_freevars:
        return
    new = codes[0].replace(co_filename=old.co_filename)
    if new != old:
        function.__code__ = new


def within(code):
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield each
            yield from within(each)


def is_file(name, path):
    return name == path or (os.path.basename(name) == os.path.basename(path) and os.path.realpath(name) == path)
