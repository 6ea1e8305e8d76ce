//! [`Lines`]: the statements that are ranked, numbered over all files in a row.

use super::Tests;
use super::constants::{ConstantId, Constants};
use camino::Utf8Path;
use paring_model::{CodeLine, SourceFile};
use paring_spectrum::{LineId, LineSet};
use std::collections::{BTreeMap, BTreeSet};

pub struct Lines<'a> {
    /// The statements of each file in source order, with the constants that somebody reads; none where the file is not ranked.
    code: Vec<Vec<CodeLine>>,
    /// The number of each file's first statement.
    first_of: Vec<u32>,
    /// The file of each line.
    pub file_of: Vec<usize>,
    by_path: BTreeMap<&'a Utf8Path, usize>,
    files: &'a [SourceFile],
    constants: Constants,
}

impl<'a> Lines<'a> {
    pub fn of(files: &'a [SourceFile], tests: Tests) -> Self {
        let constants = Constants::of(files);
        let read = constants.read();
        let mut lines = Self {
            code: Vec::new(),
            first_of: Vec::new(),
            file_of: Vec::new(),
            by_path: files.iter().enumerate().map(|(idx, file)| (file.path.as_path(), idx)).collect(),
            files,
            constants,
        };
        for (file_idx, file) in files.iter().enumerate() {
            let is_ranked = match tests {
                Tests::LeftOut => !file.holds_tests,
                Tests::Ranked => true,
            };
            let code = if is_ranked { code_of(file_idx, files, &read) } else { Vec::new() };
            lines.first_of.push(number(lines.file_of.len()));
            lines.file_of.extend(std::iter::repeat_n(file_idx, code.len()));
            lines.code.push(code);
        }
        lines
    }

    pub fn n_lines(&self) -> usize {
        self.file_of.len()
    }

    /// The statements that begin on lines of files, and the constants they read; those that are not ranked are left out.
    pub fn set<'b>(&self, ran: impl IntoIterator<Item = (usize, &'b [u32])>) -> LineSet {
        let ran =
            ran.into_iter().flat_map(|(file_idx, lines)| lines.iter().map(move |&line| (file_idx, line)));
        ran.flat_map(|(file_idx, line)| {
            let read = self.constants.read_by(file_idx, line);
            let read = read.filter_map(|id| self.id(id.file_idx, id.of(self.files).code.line));
            self.id(file_idx, line).into_iter().chain(read)
        })
        .collect()
    }

    /// The same by the paths of files.
    pub fn set_by_path<'b>(&self, ran: impl IntoIterator<Item = (&'b Utf8Path, &'b [u32])>) -> LineSet {
        self.set(ran.into_iter().filter_map(|(path, lines)| Some((*self.by_path.get(path)?, lines))))
    }

    /// The statement that a line of a file is part of, where it is ranked.
    pub fn holding(&self, path: &Utf8Path, line: u32) -> Option<LineId> {
        let file_idx = *self.by_path.get(path)?;
        let mut statements = self.code[file_idx].iter();
        let innermost =
            statements.rfind(|statement| (statement.line..=statement.last_line).contains(&line))?;
        self.id(file_idx, innermost.line)
    }

    pub fn code(&self, line: LineId) -> CodeLine {
        let file_idx = self.file_of[line.idx()];
        self.code[file_idx][(line.0 - self.first_of[file_idx]) as usize]
    }

    fn id(&self, file_idx: usize, line: u32) -> Option<LineId> {
        let idx = self.code[file_idx].binary_search_by_key(&line, |statement| statement.line).ok()?;
        Some(LineId(self.first_of[file_idx] + number(idx)))
    }
}

/// The statements of a file and its constants that are read.
fn code_of(file_idx: usize, files: &[SourceFile], read: &BTreeSet<ConstantId>) -> Vec<CodeLine> {
    let own = read.iter().filter(|id| id.file_idx == file_idx).map(|id| id.of(files).code);
    let mut code: Vec<CodeLine> = files[file_idx].statements.iter().copied().chain(own).collect();
    code.sort_by_key(|it| it.line);
    // What ran while it was loaded, and later too: a lambda.
    code.dedup_by_key(|it| it.line);
    code
}

fn number(idx: usize) -> u32 {
    u32::try_from(idx).expect("a project has fewer than 2^32 lines")
}
