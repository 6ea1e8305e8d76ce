//! [`Codes`]: mutants of the code under test, compiled once each, for all runs on them.

use super::error;
use super::jvms::Jvms;
use super::message::Request;
use crate::frontend::outline;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{CodeText, Heat, RunnerError};
use paring_worker::Patience;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Where the class files are, or what the compiler says.
pub type Compiled = Result<Utf8PathBuf, String>;

#[derive(Default)]
pub struct Codes(Mutex<BTreeMap<Vec<u8>, Compiled>>);

impl Codes {
    /// The classes of a text, nested ones included.
    pub fn compiled(&self, jvms: &Jvms, code: &CodeText) -> Result<Compiled, RunnerError> {
        let key = Sha256::new().chain_update(code.path.as_str()).chain_update("\n").chain_update(&code.text);
        let key = key.finalize().to_vec();
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let compiled = compile(jvms, code)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, compiled.clone());
        Ok(compiled)
    }
}

fn compile(jvms: &Jvms, code: &CodeText) -> Result<Compiled, RunnerError> {
    let folder = jvms.scratch.classes()?;
    let package = outline(&code.text).package.replace('.', "/");
    let file = Utf8Path::new(&package).join(code.path.file_name().unwrap_or_default());
    let request = Request {
        op: "compile_code",
        id: jvms.next_id(),
        file: Some(file.as_str()),
        text: Some(&code.text),
        to: Some(folder.as_str()),
        ..Request::default()
    };
    let ran = jvms.faulty.run_warm(&request, Heat::Warm, Patience::Heed)?;
    Ok(match (ran.broken, ran.ended.as_str()) {
        (Some(broken), _) => Err(first_error(&broken.message)),
        (None, "done") => Ok(folder),
        (None, ended) => Err(format!("the compiler came to no end ({ended})")),
    })
}

/// Its line and words: the head says that there are errors.
fn first_error(message: &str) -> String {
    message.lines().nth(1).unwrap_or(message).to_owned()
}

/// Puts class files beside those of a compiled test, before the class path.
pub fn copy(from: &Utf8Path, to: &Utf8Path) -> Result<(), RunnerError> {
    copy_all(from, to).map_err(|io| error::cache(to, &io))
}

fn copy_all(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
