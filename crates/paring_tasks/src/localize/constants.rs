//! [`Constants`]: statements that run while a file is loaded, and who reads the names they give.
//!
//! ```python
//! RATE = 19                        # ran before any test did
//! SHARE = RATE / 100               # the same; reads `RATE`
//! def tax(price):
//!     return price * SHARE         # whoever runs this lives on both
//! ```
//!
//! No recorder can tell for whom `RATE` ran, but the text says who reads it. A constant counts for a test that runs a statement which
//! reads its name, or the name of a constant that reads it. Names are compared as text: one that stands for something else makes the constant
//! count for more tests than it should, passing ones among them. That a name stands in a comment does no harm either.

use paring_model::{Constant, NameScope, SourceFile};
use std::collections::{BTreeSet, HashMap};

/// A constant by its file and its place among the constants of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId {
    pub file_idx: usize,
    idx: usize,
}

impl ConstantId {
    pub fn of(self, files: &[SourceFile]) -> &Constant {
        &files[self.file_idx].constants[self.idx]
    }
}

#[derive(Debug, Default)]
pub struct Constants {
    /// What each statement reads, by its file and first line.
    read_by: HashMap<(usize, u32), BTreeSet<ConstantId>>,
}

impl Constants {
    pub fn of(files: &[SourceFile]) -> Self {
        let givers = Givers::of(files);
        let mut constants = Self::default();
        if givers.by_name.is_empty() {
            return constants;
        }
        let mut through: HashMap<ConstantId, BTreeSet<ConstantId>> = HashMap::new();
        for (file_idx, file) in files.iter().enumerate() {
            let readers = Readers::of(file);
            for (line, name, is_member) in names(&file.text) {
                let given = givers.by_name.get(name).into_iter().flatten().copied();
                let read = given.filter(|giver| giver.is_read(files, file_idx, name, is_member));
                match readers.on(line) {
                    Some(Reader::Statement(first)) => {
                        constants.read_by.entry((file_idx, first)).or_default().extend(read.map(|it| it.id));
                    }
                    Some(Reader::Constant(idx)) => {
                        let reader = ConstantId { file_idx, idx };
                        through
                            .entry(reader)
                            .or_default()
                            .extend(read.map(|it| it.id).filter(|&it| it != reader));
                    }
                    None => {}
                }
            }
        }
        constants.read_by.retain(|_, read| !read.is_empty());
        constants.read_by.values_mut().for_each(|read| close(read, &through));
        constants
    }

    /// What somebody reads.
    pub fn read(&self) -> BTreeSet<ConstantId> {
        self.read_by.values().flatten().copied().collect()
    }

    /// What a statement reads.
    pub fn read_by(&self, file_idx: usize, line: u32) -> impl Iterator<Item = ConstantId> + '_ {
        self.read_by.get(&(file_idx, line)).into_iter().flatten().copied()
    }
}

/// Adds what the constants of a set read in turn.
fn close(read: &mut BTreeSet<ConstantId>, through: &HashMap<ConstantId, BTreeSet<ConstantId>>) {
    let mut open: Vec<ConstantId> = read.iter().copied().collect();
    while let Some(id) = open.pop() {
        for &next in through.get(&id).into_iter().flatten() {
            if read.insert(next) {
                open.push(next);
            }
        }
    }
}

struct Givers<'a> {
    by_name: HashMap<&'a str, Vec<Giver>>,
}

#[derive(Clone, Copy)]
struct Giver {
    id: ConstantId,
    scope: NameScope,
}

impl<'a> Givers<'a> {
    fn of(files: &'a [SourceFile]) -> Self {
        let mut by_name: HashMap<&str, Vec<Giver>> = HashMap::new();
        for (file_idx, file) in files.iter().enumerate() {
            for (idx, constant) in file.constants.iter().enumerate() {
                for given in &constant.given {
                    let giver = Giver { id: ConstantId { file_idx, idx }, scope: given.scope };
                    by_name.entry(&given.name).or_default().push(giver);
                }
            }
        }
        Self { by_name }
    }
}

impl Giver {
    /// Whether a name that stands in a file, after a dot or not, can be the one it gives.
    fn is_read(&self, files: &[SourceFile], file_idx: usize, name: &str, is_member: bool) -> bool {
        match self.scope {
            _ if is_member => true,
            NameScope::Member => false,
            NameScope::File => file_idx == self.id.file_idx || files[file_idx].taken.contains(name),
        }
    }
}

#[derive(Clone, Copy)]
enum Reader {
    /// By its first line.
    Statement(u32),
    /// By its place among the constants of the file.
    Constant(usize),
}

/// Whose text each line is, from line 0, which is nobody's.
struct Readers(Vec<Option<Reader>>);

impl Readers {
    fn of(file: &SourceFile) -> Self {
        let mut readers = vec![None; file.text.lines().count() + 1];
        let mut claim = |first: u32, last: u32, reader: Reader| {
            let end = readers.len().min(last as usize + 1);
            if let Some(lines) = readers.get_mut(first as usize..end) {
                lines.fill(Some(reader));
            }
        };
        for (idx, constant) in file.constants.iter().enumerate() {
            claim(constant.code.line, constant.code.last_line, Reader::Constant(idx));
        }
        // What stands within another comes after it.
        for statement in &file.statements {
            claim(statement.line, statement.last_line, Reader::Statement(statement.line));
        }
        Self(readers)
    }

    fn on(&self, line: usize) -> Option<Reader> {
        self.0.get(line).copied().flatten()
    }
}

/// The names of a text with their lines, from 1, and whether a dot stands before them.
fn names(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.lines().enumerate().flat_map(move |(line_idx, line)| {
        let starts = line.char_indices().scan(' ', move |before, (at, c)| {
            let starts_here = is_part(c) && !is_part(*before);
            *before = c;
            Some(starts_here.then_some(at))
        });
        starts.flatten().map(move |at| {
            let rest = &line[at..];
            let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            (line_idx + 1, name, line[..at].trim_end().ends_with('.'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{CodeLine, Given, Taken};

    fn code(line: u32) -> CodeLine {
        CodeLine { line, last_line: line, function: None, n_tokens: 1 }
    }

    /// A file of one statement a line. Lines with a mark give the name they begin with: `=` for files, `.` for classes.
    fn file(text: &str, taken: Taken) -> SourceFile {
        let mut file = SourceFile {
            path: "/p/a.py".into(),
            text: text.to_owned(),
            holds_tests: false,
            statements: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            taken,
        };
        for (idx, line) in (1..).zip(text.lines()) {
            let name = line.split(' ').next().unwrap_or_default().to_owned();
            let scope = match line.split(' ').nth(1) {
                Some("=") => NameScope::File,
                Some(".=") => NameScope::Member,
                _ => {
                    file.statements.push(code(idx));
                    continue;
                }
            };
            file.constants.push(Constant { code: code(idx), given: vec![Given { name, scope }] });
        }
        file
    }

    /// The constants that a statement reads, as file and line.
    #[track_caller]
    fn check(files: &[SourceFile], reader: (usize, u32), expected: &[(usize, u32)]) {
        let constants = Constants::of(files);
        let found: Vec<(usize, u32)> =
            constants.read_by(reader.0, reader.1).map(|id| (id.file_idx, id.of(files).code.line)).collect();
        assert_eq!(found, expected, "{reader:?}");
    }

    #[test]
    fn a_constant_is_read_where_its_name_stands_and_through_others() {
        let files = [file("RATE = 19\nSHARE = RATE / 100\nreturn SHARE\nreturn RATED\n", Taken::default())];
        check(&files, (0, 3), &[(0, 1), (0, 2)]);
        check(&files, (0, 4), &[]);
        assert_eq!(Constants::of(&files).read().len(), 2);
    }

    #[test]
    fn other_files_read_it_after_a_dot_or_where_they_take_it() {
        let giver = file("RATE = 19\n", Taken::default());
        let text = "return RATE\nreturn shop.RATE\n";
        let taken = Taken::Names(["RATE".to_owned()].into());
        let files = [giver, file(text, Taken::default()), file(text, taken), file(text, Taken::Any)];
        for (file_idx, read) in [(1, false), (2, true), (3, true)] {
            check(&files, (file_idx, 1), if read { &[(0, 1)] } else { &[] });
            check(&files, (file_idx, 2), &[(0, 1)]);
        }
    }

    #[test]
    fn what_a_class_has_is_read_after_a_dot_alone() {
        let files = [file("rate .= 19\nreturn self . rate\nreturn rate\n", Taken::default())];
        check(&files, (0, 2), &[(0, 1)]);
        check(&files, (0, 3), &[]);
    }

    #[test]
    fn what_nobody_reads_is_no_part_of_it() {
        let files = [file("A = B\nB = A\nC = 1\nreturn 2\n", Taken::default())];
        assert!(Constants::of(&files).read().is_empty());
    }
}
