//! Files paring was told to write: whole or not at all.

use crate::value::Sink;
use camino::{Utf8Path, Utf8PathBuf};
use std::io::{self, Write};

/// Writes a report to where it was asked for.
pub fn to_sink(sink: &Sink, text: &str) -> io::Result<()> {
    match sink {
        Sink::Stdout => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        }
        Sink::File(path) => file(path, text.as_bytes()),
    }
}

/// Replaces a file, or makes it with the folders it needs. Its permissions stay, and a link stays a link.
pub fn file(path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let path = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let metadata = std::fs::metadata(&path).ok();
    if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        // A device or a pipe, such as /dev/stdout, is written through; it cannot be replaced.
        return std::fs::write(&path, bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new();
    let temporary = temporary.prefix(".paring-");
    #[cfg(unix)]
    let temporary = {
        use std::os::unix::fs::PermissionsExt;
        // What any program would ask for; the user's umask takes from it.
        temporary.permissions(std::fs::Permissions::from_mode(0o666))
    };
    let mut temporary = temporary.tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    if let Some(metadata) = metadata {
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a file could be written there: makes one beside it, of a few bytes, and removes it.
pub fn check(path: &Utf8Path) -> io::Result<()> {
    let path = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    if let Ok(metadata) = std::fs::metadata(&path)
        && !metadata.is_file()
    {
        let is_folder = metadata.is_dir();
        return if is_folder { Err(io::Error::from(io::ErrorKind::IsADirectory)) } else { Ok(()) };
    }
    let folders = path.ancestors().skip(1);
    let folders = folders.map(|folder| if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder });
    let Some(folder) = folders.into_iter().find(|folder| folder.exists()) else { return Ok(()) };
    let mut temporary = tempfile::Builder::new().prefix(".paring-").tempfile_in(folder)?;
    temporary.write_all(&[b'\n'; 4096])?;
    temporary.as_file().sync_all()
}

/// The name of a file in a patch: from the root of its git repository, as `git apply` expects it, or else from `cwd`.
pub fn patch_name(path: &Utf8Path, cwd: &Utf8Path) -> String {
    let path: Utf8PathBuf = cwd.join(path);
    let root = path.ancestors().skip(1).find(|folder| folder.join(".git").exists());
    let relative = path.strip_prefix(root.unwrap_or(cwd)).unwrap_or(&path);
    relative.as_str().trim_start_matches('/').replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().canonicalize_utf8().unwrap();
        (dir, path)
    }

    #[test]
    fn a_file_is_made_with_its_folders() {
        let (_dir, root) = folder();
        file(&root.join("a/b/c.json"), b"[]").unwrap();
        assert_eq!(std::fs::read(root.join("a/b/c.json")).unwrap(), b"[]");
        assert_eq!(std::fs::read_dir(root.join("a/b")).unwrap().count(), 1, "nothing else is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_its_link() {
        use std::os::unix::fs::PermissionsExt;
        let (_dir, root) = folder();
        std::fs::write(root.join("real.py"), "old").unwrap();
        std::fs::set_permissions(root.join("real.py"), std::fs::Permissions::from_mode(0o750)).unwrap();
        std::os::unix::fs::symlink(root.join("real.py"), root.join("link.py")).unwrap();
        file(&root.join("link.py"), b"new").unwrap();
        assert!(root.join("link.py").is_symlink());
        assert_eq!(std::fs::read(root.join("real.py")).unwrap(), b"new");
        assert_eq!(std::fs::metadata(root.join("real.py")).unwrap().permissions().mode() & 0o777, 0o750);
    }

    #[test]
    fn a_place_is_checked_without_a_trace() {
        let (_dir, root) = folder();
        std::fs::write(root.join("file"), "").unwrap();
        assert!(check(&root.join("new/folder/out.py")).is_ok());
        assert!(check(&root.join("file")).is_ok());
        assert!(check(&root.join("file/out.py")).is_err(), "a file is no folder");
        assert!(check(&root).is_err(), "a folder is no file");
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1);
    }

    #[test]
    fn a_patch_names_files_from_the_root_of_the_repository() {
        let (_dir, root) = folder();
        std::fs::create_dir_all(root.join("repo/.git")).unwrap();
        assert_eq!(patch_name(Utf8Path::new("tests/a.py"), &root.join("repo/sub")), "sub/tests/a.py");
        assert_eq!(patch_name(&root.join("plain/tests/a.py"), &root.join("plain")), "tests/a.py");
    }
}
