//! Where an import goes that a file does not have yet: among its own kind.
//!
//! ```python
//! import random               the standard library first
//!
//! import pytest               then what is installed, `import` before `from`
//! from slug import slug
//! ```

use super::super::parsed;
use super::super::tree::range_of;
use paring_model::TextRange;
use ruff_python_ast::{ModModule, Stmt};

/// Modules of the standard library that tests import.
const STANDARD: &str = "__future__ abc argparse array ast asyncio atexit base64 binascii bisect bz2 calendar cmath codecs collections \
    concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis doctest email enum errno \
    faulthandler filecmp fnmatch fractions ftplib functools gc getpass gettext glob graphlib gzip hashlib heapq hmac html http importlib \
    inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes mmap multiprocessing numbers operator os \
    pathlib pdb pickle pkgutil platform plistlib posixpath pprint queue random re reprlib sched secrets select selectors shelve shlex \
    shutil signal site socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time \
    timeit tokenize tomllib traceback types typing unicodedata unittest urllib uuid venv warnings weakref xml zipfile zlib zoneinfo";

/// An import at the top of a file.
struct TopImport<'s> {
    range: TextRange,
    module: &'s str,
    is_from: bool,
}

impl TopImport<'_> {
    fn is_standard(&self) -> bool {
        let root = self.module.split('.').next().unwrap_or_default();
        STANDARD.split_whitespace().any(|known| known == root)
    }

    /// Whether it is of another package, as far as its name tells.
    fn is_installed(&self) -> bool {
        !self.is_standard() && !self.module.starts_with('.')
    }
}

/// The text with `import module`; `None` where it has no import to go by, or has this one.
pub fn with_import(source: &str, module: &str) -> Option<String> {
    let parsed = parsed(source);
    let found = found(parsed.syntax());
    let line = format!("import {module}");
    if found.iter().any(|it| !it.is_from && it.module == module) {
        return None;
    }
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let is_plain = |it: &&TopImport<'_>| it.is_installed() && !it.is_from;
    if let Some(next) = found.iter().filter(is_plain).find(|it| it.module > module) {
        return Some(inserted(source, next.range.start, &format!("{line}{end}")));
    }
    if let Some(last) = found.iter().rfind(is_plain) {
        return Some(inserted(source, last.range.end, &format!("{end}{line}")));
    }
    if let Some(first) = found.iter().find(|it| it.is_installed()) {
        let before = source[..first.range.start as usize].trim_end_matches(['\r', '\n']);
        // Right behind the standard library it would be taken for a part of it.
        let is_joined = found.iter().any(|it| it.range.end as usize == before.len());
        let is_apart = source[before.len()..first.range.start as usize].matches('\n').count() > 1;
        let gap = if is_joined && !is_apart { end } else { "" };
        return Some(inserted(source, first.range.start, &format!("{gap}{line}{end}")));
    }
    let last = found.iter().rfind(|it| it.is_standard())?;
    let behind = source[last.range.end as usize..].trim_start_matches(['\r', ' ', '\t']);
    let gap = if behind.starts_with("\n\n") || behind.starts_with("\n\r\n") { "" } else { end };
    Some(inserted(source, last.range.end, &format!("{end}{end}{line}{gap}")))
}

/// The imports that a file begins with.
fn found(module: &ModModule) -> Vec<TopImport<'_>> {
    let is_doc = |stmt: &&Stmt| matches!(stmt, Stmt::Expr(it) if it.value.is_string_literal_expr());
    let stmts = module.body.iter().skip_while(is_doc);
    stmts.map_while(of_stmt).collect()
}

fn of_stmt(stmt: &Stmt) -> Option<TopImport<'_>> {
    let range = range_of(stmt);
    match stmt {
        Stmt::Import(it) => {
            let [only, ..] = it.names.as_slice() else { return None };
            Some(TopImport { range, module: only.name.as_str(), is_from: false })
        }
        Stmt::ImportFrom(it) => {
            let module = it.module.as_ref().filter(|_| it.level == 0).map_or(".", |name| name.as_str());
            Some(TopImport { range, module, is_from: true })
        }
        _ => None,
    }
}

fn inserted(source: &str, at: u32, text: &str) -> String {
    let (before, behind) = source.split_at(at as usize);
    format!("{before}{text}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_goes_among_its_own_kind() {
        let check = |source: &str, expected: &str| {
            assert_eq!(with_import(source, "pytest").as_deref(), Some(expected), "{source}");
        };
        check("import os\nimport re\n\n\nx = 1\n", "import os\nimport re\n\nimport pytest\n\n\nx = 1\n");
        check("import os\n\nfrom a import b\n", "import os\n\nimport pytest\nfrom a import b\n");
        check("import os\nfrom a import b\n", "import os\n\nimport pytest\nfrom a import b\n");
        check(
            "import os\n\nimport numpy\nimport six\n",
            "import os\n\nimport numpy\nimport pytest\nimport six\n",
        );
        check(
            "\"\"\"Doc.\"\"\"\nimport attr\n\nfrom . import x\n",
            "\"\"\"Doc.\"\"\"\nimport attr\nimport pytest\n\nfrom . import x\n",
        );
    }

    #[test]
    fn what_is_there_is_not_imported_again() {
        assert_eq!(with_import("import pytest\n", "pytest"), None);
        assert_eq!(with_import("x = 1\n", "pytest"), None);
    }
}
