//! [`Keeper`]: files of the user's project outlive no run.
//!
//! A worker saves a file before the test touches it, in the folder of the run ([`manifest`] has the format). When the run is over,
//! its files are put back. What a worker does not see is found by comparing sizes and times ([`watched`]). What paring could not put
//! back because it was killed is put back when it starts again ([`leftover`]). All runners of one process share one keeper.

mod leftover;
pub mod manifest;
mod put_back;
mod reports;
mod store;
mod temporary;
mod watched;

pub use temporary::Temporary;

use camino::{Utf8Path, Utf8PathBuf};
use reports::Reports;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use store::Store;
use watched::{Runs, Watched};

/// Keepers of this process, by the folder they keep files in.
static OPEN: Mutex<Vec<(Utf8PathBuf, Weak<Keeper>)>> = Mutex::new(Vec::new());

/// Saves and puts back the files of projects. Dropped, it puts back what loading the projects changed.
pub struct Keeper {
    store: Store,
    roots: Mutex<Vec<Arc<Watched>>>,
    under_way: Mutex<UnderWay>,
    changed: Condvar,
    next: AtomicU64,
    reports: Mutex<Reports>,
}

/// The runs that are being made.
#[derive(Default)]
struct UnderWay {
    runs: Vec<Running>,
    /// One run wants to be alone, or is.
    is_closed: bool,
    /// When the first of them began, as files tell the time.
    began: Option<i64>,
    /// How many there were since none was under way.
    n_begun: usize,
    /// Of those that are over: what may have written what its worker did not see.
    suspects: Vec<Doing>,
    /// Tests that have run before, might have hidden something, and had not.
    trusted: BTreeSet<String>,
    /// A run waits for the others, to learn whether one of them hid something; none is begun meanwhile.
    is_ending: bool,
    /// How often the last of several runs has ended, and whether something hidden was found the last time.
    n_ends: usize,
    found_hidden: bool,
}

/// A run under way.
struct Running {
    folder: Utf8PathBuf,
    doing: Doing,
    /// Another one was under way at the same time, for a while.
    was_beside: bool,
    /// That other one has written into the project.
    saw_writes: bool,
}

/// What a run is of.
#[derive(Clone, Debug)]
pub struct Doing {
    test: String,
    /// Two runs of the same texts have the same.
    digest: u64,
}

impl Doing {
    /// Of a test; `texts` is all that can differ between its runs.
    pub fn new(test: &str, texts: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        texts.hash(&mut hasher);
        Self { test: test.to_owned(), digest: hasher.finish() }
    }
}

/// What runs changed and no worker saw, all of it undone.
#[derive(Default)]
struct Hidden {
    changed: Vec<Utf8PathBuf>,
    is_doubtful: bool,
}

/// One run: from before its first statement to after its last.
pub struct Saving {
    keeper: Arc<Keeper>,
    folder: Utf8PathBuf,
    is_alone: bool,
    is_over: bool,
}

/// What a run did to the projects, all of it undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Files and folders that it changed.
    pub changed: Vec<Utf8PathBuf>,
    /// The run is to be made again alone. It may have seen what another one wrote, or was about to write the same and ended itself;
    /// or nobody knows yet whether the test has changed a file or the user has.
    pub is_void: bool,
}

impl Keeper {
    /// The keeper of this process that keeps files in `cache`. The first one puts back what a killed paring left.
    pub fn open(cache: &Utf8Path) -> io::Result<Arc<Self>> {
        let mut open = lock(&OPEN);
        if let Some(keeper) = open.iter().filter(|(at, _)| at == cache).find_map(|(_, kept)| kept.upgrade()) {
            return Ok(keeper);
        }
        let mut reports = Reports::default();
        let base = cache.join("saved");
        leftover::put_back_all(&base, &mut reports);
        let keeper = Arc::new(Self {
            store: Store::create(&base)?,
            roots: Mutex::default(),
            under_way: Mutex::default(),
            changed: Condvar::new(),
            next: AtomicU64::new(0),
            reports: Mutex::new(reports),
        });
        open.retain(|(_, kept)| kept.strong_count() > 0);
        open.push((cache.to_owned(), Arc::downgrade(&keeper)));
        Ok(keeper)
    }

    /// From here on the files below `folder` are saved. Where that is part of a git repository, all of that is.
    pub fn protect(&self, folder: &Utf8Path, except: &[Utf8PathBuf]) -> io::Result<()> {
        let real = folder.canonicalize_utf8()?;
        let root = real.ancestors().find(|above| above.join(".git").exists()).unwrap_or(&real).to_owned();
        if lock(&self.roots).iter().any(|known| root.starts_with(known.root())) {
            return Ok(());
        }
        let given = except.iter().filter_map(|path| path.canonicalize_utf8().ok());
        self.add_root(root, false, self.store.own().into_iter().chain(given).collect())
    }

    /// The same for a folder that paring itself has made, wherever it is. When it is taken away it is forgotten.
    pub fn protect_own(&self, folder: &Utf8Path) -> io::Result<()> {
        self.add_root(folder.canonicalize_utf8()?, true, Vec::new())
    }

    fn add_root(&self, root: Utf8PathBuf, is_own: bool, except: Vec<Utf8PathBuf>) -> io::Result<()> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let copies = self.store.folder().join(format!("copies-{number}"));
        let mut roots = lock(&self.roots);
        // One that was made anew has another list.
        roots.retain(|known| !known.is_gone() && known.root() != root);
        roots.push(Arc::new(Watched::start(root, is_own, except, copies)));
        self.store.note_roots(roots.iter().map(|known| known.root()))
    }

    /// The folders whose files are saved, for workers.
    pub fn roots(&self) -> Vec<Utf8PathBuf> {
        lock(&self.roots).iter().map(|root| root.root().to_owned()).collect()
    }

    /// Folders whose files are not saved, wherever they are, for workers.
    pub fn except(&self) -> Vec<Utf8PathBuf> {
        let mut except = self.store.own();
        except.extend(lock(&self.roots).iter().flat_map(|root| root.except().to_vec()));
        except.sort();
        except.dedup();
        except
    }

    /// Where a worker saves what it changes while it loads the project. Put back when the keeper is dropped.
    pub fn loading(&self) -> Utf8PathBuf {
        self.store.folder().join(store::LOADING)
    }

    /// Where runs note which paths they are about to write.
    pub fn claims(&self) -> Utf8PathBuf {
        self.store.folder().join(store::CLAIMS)
    }

    /// Begins a run, which others may be made beside.
    pub fn begin(self: &Arc<Self>, doing: Doing) -> Saving {
        self.begin_once(doing, false)
    }

    /// Begins a run when no other is under way; none is begun before its end.
    pub fn begin_alone(self: &Arc<Self>, doing: Doing) -> Saving {
        self.begin_once(doing, true)
    }

    fn begin_once(self: &Arc<Self>, doing: Doing, is_alone: bool) -> Saving {
        for root in lock(&self.roots).iter() {
            root.wait_until_listed();
        }
        let mut under_way = lock(&self.under_way);
        while under_way.is_closed || under_way.is_ending {
            under_way = self.wait(under_way);
        }
        under_way.is_closed = is_alone;
        while is_alone && !under_way.runs.is_empty() {
            under_way = self.wait(under_way);
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.store.folder().join(format!("run-{number}"));
        under_way.add(folder.clone(), doing);
        Saving { keeper: Arc::clone(self), folder, is_alone, is_over: false }
    }

    /// A temporary folder of its own, for a worker. It is removed when dropped.
    pub fn temporary(&self) -> io::Result<Temporary> {
        self.store.temporary(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// What a user should know and was not told yet, in sentences.
    pub fn notes(&self) -> Vec<String> {
        lock(&self.reports).notes()
    }

    fn put_back(&self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let lines = manifest::read(folder);
        let put = put_back::put_back(&lines, folder, &self.roots(), None);
        let mut reports = lock(&self.reports);
        reports.hear(&lines);
        let is_done = put.failed.is_empty();
        reports.not_put_back(put.failed);
        if is_done {
            // What is left of it harms nobody: the next start removes it.
            let _ = std::fs::remove_dir_all(folder);
        }
        put.changed
    }

    /// After the last of several runs at once: undoes what no worker saw.
    fn undo_hidden(&self, runs: &Runs) -> Hidden {
        let aside = self.store.replaced();
        // A worker may be loading the project meanwhile.
        let loaded: Vec<Utf8PathBuf> =
            manifest::read(&self.loading()).into_iter().map(|line| line.path).collect();
        let mut found = Hidden::default();
        for root in lock(&self.roots).iter() {
            let undone = root.undo(runs, &loaded, &aside);
            found.changed.extend(undone.changed.iter().cloned());
            found.is_doubtful |= undone.is_doubtful;
            lock(&self.reports).hidden(undone, &aside);
        }
        found
    }

    fn wait<'a>(&self, under_way: MutexGuard<'a, UnderWay>) -> MutexGuard<'a, UnderWay> {
        self.changed.wait(under_way).unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keeper({})", self.store.folder())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.put_back(&self.loading());
        self.store.close();
    }
}

impl Saving {
    /// Where the worker saves files for this run. It need not be there before there is something to save.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Puts back what the run changed. The run's processes must be gone. `may_hide`: whether it may have written what its worker did
    /// not see, as child processes and native code do.
    pub fn end(mut self, may_hide: bool) -> Ended {
        self.finish(may_hide)
    }

    fn finish(&mut self, may_hide: bool) -> Ended {
        self.is_over = true;
        let keeper = &self.keeper;
        // While this run counts as under way, who ends sees that it has written.
        let has_written = manifest::tells_of_project(&self.folder);
        let mut ended = Ended::default();
        if self.folder.exists() {
            ended.is_void = self.folder.join(store::MET).exists();
            ended.changed = keeper.put_back(&self.folder);
            keeper.store.release(&self.folder);
        }
        let mut under_way = lock(&keeper.under_way);
        let run = under_way.remove(&self.folder, has_written, may_hide);
        ended.is_void |= run.saw_writes;
        if under_way.runs.is_empty() {
            let found = under_way.to_look_after().map(|runs| keeper.undo_hidden(&runs)).unwrap_or_default();
            under_way.end(!found.changed.is_empty());
            ended.is_void |= found.is_doubtful;
            ended.changed.extend(found.changed);
        } else if may_hide && !under_way.trusted.contains(&run.doing.test) {
            // Whether one of them hid something, their end tells.
            let n_ends = under_way.n_ends;
            under_way.is_ending = true;
            while under_way.n_ends == n_ends {
                under_way = keeper.wait(under_way);
            }
        }
        ended.is_void |= run.was_beside && may_hide && under_way.found_hidden;
        under_way.is_closed &= !self.is_alone;
        drop(under_way);
        keeper.changed.notify_all();
        ended
    }
}

impl UnderWay {
    fn add(&mut self, folder: Utf8PathBuf, doing: Doing) {
        for other in &mut self.runs {
            other.was_beside = true;
        }
        let was_beside = !self.runs.is_empty();
        self.runs.push(Running { folder, doing, was_beside, saw_writes: false });
        self.n_begun += 1;
        self.began.get_or_insert_with(crate::system::file_time);
    }

    fn remove(&mut self, folder: &Utf8Path, has_written: bool, may_hide: bool) -> Running {
        let at = self.runs.iter().position(|run| run.folder == folder).expect("a run ends once");
        let mut run = self.runs.swap_remove(at);
        for other in &mut self.runs {
            other.saw_writes |= has_written;
            run.saw_writes |= manifest::tells_of_project(&other.folder);
        }
        if may_hide {
            self.suspects.push(run.doing.clone());
        }
        run
    }

    /// The runs that may have hidden something, where there were any.
    fn to_look_after(&self) -> Option<Runs> {
        let which = self.suspects.iter().map(|doing| doing.digest).collect();
        let began = self.began.filter(|_| !self.suspects.is_empty())?;
        Some(Runs { began, which, is_single: self.n_begun == 1 })
    }

    /// The last run is over.
    fn end(&mut self, found_hidden: bool) {
        self.n_ends += 1;
        self.found_hidden = found_hidden;
        let suspects = std::mem::take(&mut self.suspects);
        if found_hidden {
            self.trusted.clear();
        } else {
            self.trusted.extend(suspects.into_iter().map(|doing| doing.test));
        }
        (self.n_begun, self.began, self.is_ending) = (0, None, false);
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        if !self.is_over {
            self.finish(true);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
