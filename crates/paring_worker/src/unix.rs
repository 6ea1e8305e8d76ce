//! What only works on Unix: a process group per worker, killed as a whole.

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
