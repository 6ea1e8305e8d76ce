//! Where there are no process groups: the worker alone is killed, and ends its own children. Files have no modes there.

use camino::Utf8Path;
use std::fs::Metadata;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{SystemTime, UNIX_EPOCH};

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

/// Not known: nobody waits for it.
pub fn is_running(_pid: u32) -> bool {
    false
}

pub fn file_time() -> i64 {
    nanoseconds(SystemTime::now())
}

/// 1 where it is read-only.
pub fn mode(metadata: &Metadata) -> u32 {
    u32::from(metadata.permissions().readonly())
}

pub fn set_mode(path: &Utf8Path, mode: u32) -> io::Result<()> {
    let mut permissions = std::fs::metadata(path)?.permissions();
    permissions.set_readonly(mode == 1);
    std::fs::set_permissions(path, permissions)
}

pub fn modified(metadata: &Metadata) -> i64 {
    metadata.modified().map_or(0, nanoseconds)
}

pub fn touched(metadata: &Metadata) -> i64 {
    modified(metadata)
}

pub fn inode(_metadata: &Metadata) -> u64 {
    0
}

pub fn link(target: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    std::fs::copy(target, at).map(drop)
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
