//! The user's git repository, read and never written: no lock is taken, no index refreshed, nothing fetched.

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::VersionName;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// What builds leave behind and code may load: looked for among the files that git ignores.
const BUILT: [&str; 6] = ["*.py", "*.so", "*.pyd", "*.dylib", "*.dll", "*.egg-info/*"];

/// A work tree with at least one commit.
pub struct Repo {
    pub top: Utf8PathBuf,
    /// Where the user stands in it.
    pub prefix: Utf8PathBuf,
    pub head: String,
    present: OnceCell<Present>,
}

/// The work tree as it is. Paths are relative to its top.
#[derive(Default)]
pub struct Present {
    /// Known to git, or new and not ignored.
    pub files: Vec<Utf8PathBuf>,
    /// New, and not ignored.
    pub new: Vec<Utf8PathBuf>,
    /// Ignored, and of a kind that builds make.
    pub built: Vec<Utf8PathBuf>,
    /// Git was told not to look at them: whether they changed is not known.
    pub unsure: BTreeSet<Utf8PathBuf>,
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub mode: String,
    pub id: String,
    pub path: Utf8PathBuf,
}

impl Repo {
    /// `Err(None)` where there is no work tree of the project's; `Err(Some(why))` where there is one that cannot be used.
    pub fn find(cwd: &Utf8Path) -> Result<Self, Option<String>> {
        let told = run(cwd, &["rev-parse", "--show-toplevel", "--show-prefix"]).map_err(|said| {
            said.contains("dubious ownership")
                .then(|| "git does not trust this repository (safe.directory)".to_owned())
        })?;
        let mut lines = told.lines();
        let top = Utf8PathBuf::from(lines.next().filter(|top| !top.is_empty()).ok_or(None)?);
        let top = top.canonicalize_utf8().map_err(|_| None)?;
        let prefix = Utf8PathBuf::from(lines.next().unwrap_or_default().trim_end_matches('/'));
        let known = run(cwd, &["ls-files", "-z", "--", "."]).map_err(|_| None)?;
        if known.is_empty() {
            return Err(None);
        }
        let head = run(cwd, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .map_err(|_| Some("the repository has no commits".to_owned()))?;
        Ok(Self { top, prefix, head: head.trim().to_owned(), present: OnceCell::new() })
    }

    /// What git prints, where it succeeds.
    pub fn ask(&self, args: &[&str]) -> Option<String> {
        run(&self.top, args).ok().map(|text| text.trim().to_owned())
    }

    /// The commit that a name stands for.
    pub fn commit(&self, name: &str) -> Option<String> {
        let name = format!("{name}^{{commit}}");
        self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
    }

    pub fn is_shallow(&self) -> bool {
        self.ask(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
    }

    /// Paths that git lists.
    fn paths(&self, args: &[&str]) -> Vec<Utf8PathBuf> {
        let text = run(&self.top, args).unwrap_or_default();
        text.split('\0').filter(|path| !path.is_empty()).map(Utf8PathBuf::from).collect()
    }

    pub fn present(&self) -> &Present {
        self.present.get_or_init(|| {
            let mut files = self.paths(&["ls-files", "-z", "--cached"]);
            let new = self.paths(&["ls-files", "-z", "--others", "--exclude-standard"]);
            files.extend(new.iter().cloned());
            let mut ignored = vec!["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"];
            ignored.extend(BUILT);
            let mut built = self.paths(&ignored);
            built.retain(|path| !is_installed(&self.top, path));
            let marked = run(&self.top, &["ls-files", "-v", "-z"]).unwrap_or_default();
            let is_unsure = |tag: char| tag.is_ascii_lowercase() || tag == 'S';
            let unsure = marked.split('\0').filter(|line| line.starts_with(is_unsure));
            let unsure = unsure.filter_map(|line| line.get(2..)).map(Utf8PathBuf::from).collect();
            Present { files, new, built, unsure }
        })
    }

    /// Files of the work tree that are not as they are in a commit, or not there; and those that are new. `entries` are the
    /// commit's.
    pub fn changed_since(&self, commit: &str, entries: &[Entry]) -> Option<BTreeSet<Utf8PathBuf>> {
        // `git diff` would write the index anew.
        let text = run(&self.top, &["diff-index", "--name-only", "-z", "--no-renames", commit, "--"]).ok()?;
        let named = text.split('\0').filter(|path| !path.is_empty()).map(Utf8PathBuf::from);
        let present = self.present();
        let mut changed: BTreeSet<Utf8PathBuf> = named.chain(present.unsure.iter().cloned()).collect();
        // A file of another time may have the same text.
        let is_file =
            |path: &Utf8Path| self.top.join(path).symlink_metadata().is_ok_and(|about| about.is_file());
        let open: Vec<&Entry> = entries
            .iter()
            .filter(|entry| {
                entry.mode.starts_with("100") && changed.contains(&entry.path) && is_file(&entry.path)
            })
            .collect();
        for (entry, id) in open.iter().zip(self.ids(&open)) {
            if id == entry.id {
                changed.remove(&entry.path);
            }
        }
        changed.extend(present.new.iter().cloned());
        Some(changed)
    }

    /// What git would call the present texts of files.
    fn ids(&self, entries: &[&Entry]) -> Vec<String> {
        // One path to a line.
        if entries.is_empty() || entries.iter().any(|entry| entry.path.as_str().contains('\n')) {
            return Vec::new();
        }
        let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        let child = command(&self.top)
            .args(["hash-object", "--stdin-paths"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else { return Vec::new() };
        let input = paths.join("\n") + "\n";
        let asking = child.stdin.take();
        let asker = std::thread::spawn(move || asking.map(|mut asking| asking.write_all(input.as_bytes())));
        let output = child.wait_with_output();
        let _ = asker.join();
        let text =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The files of a commit.
    pub fn entries(&self, commit: &str) -> Option<Vec<Entry>> {
        let text = run(&self.top, &["ls-tree", "-r", "-z", "--full-tree", commit]).ok()?;
        let entry = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            let mut words = about.split(' ');
            let (mode, id) = (words.next()?, words.nth(1)?);
            Some(Entry { mode: mode.to_owned(), id: id.to_owned(), path: path.into() })
        };
        Some(text.split('\0').filter_map(entry).collect())
    }

    /// The contents of objects, each handed over as it comes.
    pub fn contents(
        &self,
        ids: &[String],
        mut take: impl FnMut(usize, Vec<u8>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut child = command(&self.top)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut asking = child.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        let wanted = ids.join("\n") + "\n";
        let asker = std::thread::spawn(move || asking.write_all(wanted.as_bytes()));
        let mut answers = BufReader::new(child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?);
        let mut read = || {
            for idx in 0..ids.len() {
                let mut head = String::new();
                answers.read_line(&mut head)?;
                let size = head.trim().rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
                let size = size.ok_or_else(|| std::io::Error::other("an object is not here"))?;
                let mut content = vec![0; size + 1];
                answers.read_exact(&mut content)?;
                content.pop();
                take(idx, content)?;
            }
            Ok(())
        };
        let done = read();
        if done.is_err() {
            let _ = child.kill();
        }
        let _ = child.wait();
        let _ = asker.join();
        done
    }

    /// A commit as users know it.
    pub fn name(&self, commit: &str, way: &str) -> VersionName {
        let short = self.ask(&["rev-parse", "--short", commit]);
        VersionName {
            name: short.unwrap_or_else(|| commit.to_owned()),
            commit: Some(commit.to_owned()),
            n_ago: None,
            way: way.to_owned(),
        }
    }

    /// The same, by the last tag before it and with its distance: that may take a walk through the history.
    pub fn describe(&self, version: &mut VersionName) {
        let Some(commit) = &version.commit else { return };
        if let Some(name) = self.ask(&["describe", "--tags", "--always", commit]) {
            version.name = name;
        }
        let since = format!("{commit}..HEAD");
        version.n_ago = self.ask(&["rev-list", "--count", &since]).and_then(|n| n.parse().ok());
    }
}

/// Whether a file belongs to an environment, or to a tool's own folder.
fn is_installed(top: &Utf8Path, path: &Utf8Path) -> bool {
    let is_tool = |name: &str| {
        matches!(name, "site-packages" | "dist-packages" | "node_modules" | "__pycache__" | "build" | "dist")
            || (name.starts_with('.') && name.len() > 1)
    };
    path.parent().into_iter().flat_map(Utf8Path::components).any(|part| is_tool(part.as_str()))
        || path.ancestors().skip(1).any(|folder| top.join(folder).join("pyvenv.cfg").is_file())
}

fn command(folder: &Utf8Path) -> Command {
    let mut command = Command::new("git");
    command.args(["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotepath=false"]);
    // A hook that paring is started from sets these for itself.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.envs(BTreeMap::from([
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("LC_ALL", "C"),
    ]));
    command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// What git prints; what it complains of where it fails.
fn run(folder: &Utf8Path, args: &[&str]) -> Result<String, String> {
    let output =
        command(folder).args(args).stderr(Stdio::piped()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|_| "a path is not UTF-8".to_owned())
}
