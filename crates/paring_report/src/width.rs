//! How many columns the terminal has: the one question here that the operating system answers.

/// Columns where nobody knows.
pub const DEFAULT: usize = 80;

/// Columns of the terminal behind standard error or output, where there is one.
#[cfg(unix)]
pub fn of_terminal() -> Option<usize> {
    [libc::STDERR_FILENO, libc::STDOUT_FILENO].into_iter().find_map(columns)
}

#[cfg(not(unix))]
pub fn of_terminal() -> Option<usize> {
    None
}

#[cfg(unix)]
fn columns(fd: libc::c_int) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request fills in the `winsize` it is given, which lives until the call returns.
    let status = unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut size) };
    (status == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
}
