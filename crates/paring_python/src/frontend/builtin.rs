//! The names Python itself binds, and which of its functions leave their arguments as they are.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Names every module sees without binding them.
static BUILTINS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "\
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError \
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError \
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning \
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError \
    FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError \
    InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError \
    ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError \
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError \
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration \
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError \
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError \
    UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __annotations__ \
    __debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter \
    all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex \
    delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals \
    hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min \
    next object oct open ord pow print property quit range repr reversed round set setattr slice sorted \
    staticmethod str sum super tuple type vars zip"
        .split_whitespace()
        .collect()
});

/// Builtin functions that change none of their arguments.
static PURE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "\
    abs all any ascii bin bool bytes callable chr complex dict dir divmod enumerate filter float format \
    frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map max min oct ord \
    pow print range repr reversed round set slice sorted str sum super tuple type vars zip"
        .split_whitespace()
        .collect()
});

pub fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(name)
}

pub fn is_pure(name: &str) -> bool {
    PURE.contains(name)
}
