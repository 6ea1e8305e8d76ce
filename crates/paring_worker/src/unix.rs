//! What only works on Unix: a process group per worker, killed as a whole.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

/// Ctrl-C in the terminal reaches paring, not its workers; and all of a worker's group can be ended at once.
pub fn isolate(command: &mut Command) {
    command.process_group(0);
}

pub fn kill_group(child: &mut Child) {
    // Once reaped, the number may belong to somebody else.
    if matches!(child.try_wait(), Ok(Some(_))) {
        return;
    }
    let group = libc::pid_t::try_from(child.id()).expect("a process id fits its own type");
    // SAFETY: kill takes no pointers; the group is the child's own, and the child is not reaped yet.
    unsafe {
        libc::kill(-group, libc::SIGKILL);
    }
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
