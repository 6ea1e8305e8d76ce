//! [`Lines`]: the statements that can run, numbered over all files in a row.

use super::Tests;
use camino::Utf8Path;
use paring_model::{CodeLine, SourceFile};
use paring_spectrum::{LineId, LineSet};
use std::collections::BTreeMap;

pub struct Lines<'a> {
    files: &'a [SourceFile],
    /// The number of each file's first statement; `None` where the file is not ranked.
    first_of: Vec<Option<u32>>,
    /// The file of each line.
    pub file_of: Vec<usize>,
    by_path: BTreeMap<&'a Utf8Path, usize>,
}

impl<'a> Lines<'a> {
    pub fn of(files: &'a [SourceFile], tests: Tests) -> Self {
        let mut file_of = Vec::new();
        let mut first_of = Vec::new();
        for (file_idx, file) in files.iter().enumerate() {
            let is_ranked = match tests {
                Tests::LeftOut => !file.holds_tests,
                Tests::Ranked => true,
            };
            first_of.push(is_ranked.then(|| number(file_of.len())));
            if is_ranked {
                file_of.extend(std::iter::repeat_n(file_idx, file.statements.len()));
            }
        }
        let by_path = files.iter().enumerate().map(|(idx, file)| (file.path.as_path(), idx)).collect();
        Self { files, first_of, file_of, by_path }
    }

    pub fn n_lines(&self) -> usize {
        self.file_of.len()
    }

    /// The statements that begin on lines of files; those that are not ranked are left out.
    pub fn set<'b>(&self, ran: impl IntoIterator<Item = (usize, &'b [u32])>) -> LineSet {
        let ran = ran.into_iter();
        ran.flat_map(|(file_idx, lines)| lines.iter().filter_map(move |&line| self.id(file_idx, line)))
            .collect()
    }

    /// The same by the paths of files.
    pub fn set_by_path<'b>(&self, ran: impl IntoIterator<Item = (&'b Utf8Path, &'b [u32])>) -> LineSet {
        self.set(ran.into_iter().filter_map(|(path, lines)| Some((*self.by_path.get(path)?, lines))))
    }

    /// The statement that a line of a file is part of, where it is ranked.
    pub fn holding(&self, path: &Utf8Path, line: u32) -> Option<LineId> {
        let file_idx = *self.by_path.get(path)?;
        let mut statements = self.files[file_idx].statements.iter();
        let innermost =
            statements.rfind(|statement| (statement.line..=statement.last_line).contains(&line))?;
        self.id(file_idx, innermost.line)
    }

    pub fn code(&self, line: LineId) -> CodeLine {
        let file_idx = self.file_of[line.idx()];
        let first = self.first_of[file_idx].expect("a numbered line is of a file that is ranked");
        self.files[file_idx].statements[(line.0 - first) as usize]
    }

    fn id(&self, file_idx: usize, line: u32) -> Option<LineId> {
        let statements = &self.files[file_idx].statements;
        let idx = statements.binary_search_by_key(&line, |statement| statement.line).ok()?;
        Some(LineId(self.first_of[file_idx]? + number(idx)))
    }
}

fn number(idx: usize) -> u32 {
    u32::try_from(idx).expect("a project has fewer than 2^32 lines")
}
