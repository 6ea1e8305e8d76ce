//! What only works on Unix: a process group per worker, killed as a whole; what files tell beyond their contents.

use camino::Utf8Path;
use std::fs::{Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

/// Ctrl-C in the terminal reaches paring, not its workers; and all of a worker's group can be ended at once.
pub fn isolate(command: &mut Command) {
    command.process_group(0);
}

/// Ends the group of a child that was not waited for yet, whether or not the child itself has ended.
pub fn kill_unreaped_group(child: &mut Child) {
    let group = libc::pid_t::try_from(child.id()).expect("a process id fits its own type");
    // SAFETY: kill takes no pointers; the group is the child's own, and the child is not reaped yet.
    unsafe {
        libc::kill(-group, libc::SIGKILL);
    }
}

/// Whether the child has ended. It is not reaped: until it is, its number and that of its group belong to nobody else.
pub fn has_ended(child: &mut Child) -> bool {
    // SAFETY: an all-zero siginfo_t is a valid value of that plain struct.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: waitid writes to `info` alone, which lives until it returns.
    let answer = unsafe { libc::waitid(libc::P_PID, child.id(), &raw mut info, flags) };
    // SAFETY: waitid has filled `info`, or left it zero where the child still runs.
    answer != 0 || unsafe { info.si_pid() } != 0
}

/// Whether there is such a process.
pub fn is_running(pid: u32) -> bool {
    // SAFETY: kill takes no pointers, and signal 0 only asks.
    libc::pid_t::try_from(pid).is_ok_and(|pid| pid > 0 && unsafe { libc::kill(pid, 0) } == 0)
}

/// The time as the system writes it to files: behind the clock by some milliseconds.
pub fn file_time() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    #[cfg(target_os = "linux")]
    let clock = libc::CLOCK_REALTIME_COARSE;
    #[cfg(not(target_os = "linux"))]
    let clock = libc::CLOCK_REALTIME;
    // SAFETY: clock_gettime writes to `time` alone, which lives until it returns.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Permission bits.
pub fn mode(metadata: &Metadata) -> u32 {
    metadata.mode() & 0o7777
}

pub fn set_mode(path: &Utf8Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Nanoseconds since 1970.
pub fn modified(metadata: &Metadata) -> i64 {
    metadata.mtime() * 1_000_000_000 + metadata.mtime_nsec()
}

/// When the entry was last changed in any way.
pub fn touched(metadata: &Metadata) -> i64 {
    metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec()
}

pub fn inode(metadata: &Metadata) -> u64 {
    metadata.ino()
}

pub fn link(target: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

/// An exit code or a signal, in words.
pub fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => match name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        (None, None) => "an unknown end".to_owned(),
    }
}

fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        _ => return None,
    })
}
