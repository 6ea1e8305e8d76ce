//! Where there are no process groups: the worker alone is killed, and ends its own children.

use std::process::{Child, Command, ExitStatus};

pub fn isolate(_command: &mut Command) {}

pub fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)) | Err(_))
}

pub fn kill_unreaped_group(child: &mut Child) {
    // Already gone is as good as killed.
    let _ = child.kill();
}

/// An exit code, in words.
pub fn how(status: ExitStatus) -> String {
    status.code().map_or_else(|| "an unknown end".to_owned(), |code| format!("exit {code}"))
}
