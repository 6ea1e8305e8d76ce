//! Several workers: started ahead in the background, handed out one job at a time, replaced when they die.
//!
//! A worker is *fresh* until its first job. Whoever wants a fresh process takes one of those; afterwards it serves
//! like any other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

type Start<W, E> = dyn Fn() -> Result<W, E> + Send + Sync;

/// Workers of one kind, no more than `limit` of them waiting for work.
pub struct Pool<W, E> {
    shared: Arc<Shared<W, E>>,
}

struct Shared<W, E> {
    limit: usize,
    start: Box<Start<W, E>>,
    state: Mutex<State<W, E>>,
    changed: Condvar,
}

struct State<W, E> {
    fresh: VecDeque<Result<W, E>>,
    used: Vec<W>,
    /// Being started in the background.
    n_starting: usize,
    /// Handed out and not yet back.
    n_out: usize,
}

impl<W: Send + 'static, E: Send + 'static> Pool<W, E> {
    pub fn new(limit: usize, start: impl Fn() -> Result<W, E> + Send + Sync + 'static) -> Self {
        let state = State { fresh: VecDeque::new(), used: Vec::new(), n_starting: 0, n_out: 0 };
        let shared = Shared {
            limit: limit.max(1),
            start: Box::new(start),
            state: Mutex::new(state),
            changed: Condvar::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Starts workers in the background.
    pub fn start_ahead(&self, n: usize) {
        self.shared.lock().n_starting += n;
        for _ in 0..n {
            let shared = Arc::clone(&self.shared);
            thread::spawn(move || {
                let started = (shared.start)();
                let mut state = shared.lock();
                state.n_starting -= 1;
                state.fresh.push_back(started);
                drop(state);
                shared.changed.notify_all();
            });
        }
    }

    /// A worker that has done nothing yet.
    pub fn take_fresh(&self) -> Result<W, E> {
        let mut state = self.shared.lock();
        state.n_out += 1;
        loop {
            if let Some(started) = state.fresh.pop_front() {
                return count_out(state, started);
            }
            if state.n_starting == 0 {
                drop(state);
                let started = (self.shared.start)();
                return count_out(self.shared.lock(), started);
            }
            state = self.shared.wait(state);
        }
    }

    /// A worker other than the last one taken so: a fresh one where there is one, else of two or more the one that has
    /// rested longest.
    pub fn take_another(&self) -> Result<W, E> {
        let mut state = self.shared.lock();
        loop {
            let n_others = state.used.len() + state.n_out;
            if !state.fresh.is_empty() || (state.n_starting == 0 && n_others < 2) {
                drop(state);
                return self.take_fresh();
            }
            if n_others >= 2 && !state.used.is_empty() {
                state.n_out += 1;
                return Ok(state.used.remove(0));
            }
            state = self.shared.wait(state);
        }
    }

    /// Any worker: one that waits for work, one that is about to, a new one while there are fewer than the limit.
    pub fn take(&self) -> Result<W, E> {
        let mut state = self.shared.lock();
        loop {
            if let Some(worker) = state.used.pop() {
                state.n_out += 1;
                return Ok(worker);
            }
            if !state.fresh.is_empty() || (state.n_starting == 0 && state.n_out < self.shared.limit) {
                drop(state);
                return self.take_fresh();
            }
            state = self.shared.wait(state);
        }
    }

    /// Takes back a worker that can serve on.
    pub fn give_back(&self, worker: W) {
        let mut state = self.shared.lock();
        state.n_out -= 1;
        let surplus = if state.used.len() < self.shared.limit {
            state.used.push(worker);
            None
        } else {
            Some(worker)
        };
        drop(state);
        self.shared.changed.notify_all();
        // Ending a worker may take a moment: not under the lock.
        drop(surplus);
    }

    /// A worker that was taken is gone: another may be started in its place.
    pub fn lost(&self) {
        self.shared.lock().n_out -= 1;
        self.shared.changed.notify_all();
    }
}

impl<W, E> Shared<W, E> {
    fn lock(&self) -> MutexGuard<'_, State<W, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<W, E>>) -> MutexGuard<'a, State<W, E>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error is not a worker that is out.
fn count_out<W, E>(mut state: MutexGuard<'_, State<W, E>>, started: Result<W, E>) -> Result<W, E> {
    if started.is_err() {
        state.n_out -= 1;
    }
    started
}

/// Does every job, up to `n` at once, and answers in the order of the jobs.
pub fn in_order<J: Sync, A: Send>(n: usize, jobs: &[J], run: impl Fn(&J) -> A + Sync) -> Vec<A> {
    if n <= 1 || jobs.len() <= 1 {
        return jobs.iter().map(run).collect();
    }
    let next = AtomicUsize::new(0);
    let answers: Vec<Mutex<Option<A>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..n.min(jobs.len()) {
            scope.spawn(|| {
                loop {
                    let job_idx = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(job_idx) else { return };
                    let answer = run(job);
                    *answers[job_idx].lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                }
            });
        }
    });
    answers
        .into_iter()
        .map(|answer| {
            answer.into_inner().unwrap_or_else(PoisonError::into_inner).expect("every job was done")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(limit: usize) -> Pool<usize, String> {
        let n_started = AtomicUsize::new(0);
        Pool::new(limit, move || Ok(n_started.fetch_add(1, Ordering::Relaxed)))
    }

    #[test]
    fn a_used_worker_is_taken_again() {
        let pool = counting(2);
        let first = pool.take().expect("a worker");
        pool.give_back(first);
        assert_eq!(pool.take(), Ok(first));
    }

    #[test]
    fn a_fresh_worker_is_never_a_used_one() {
        let pool = counting(2);
        pool.start_ahead(1);
        let first = pool.take_fresh().expect("a worker");
        pool.give_back(first);
        assert_ne!(pool.take_fresh(), Ok(first));
    }

    #[test]
    fn another_worker_is_never_the_last_one() {
        let pool = counting(2);
        let mut last = pool.take_another().expect("a worker");
        pool.give_back(last);
        for _ in 0..4 {
            let next = pool.take_another().expect("a worker");
            assert_ne!(next, last);
            assert!(next < 2, "two are enough");
            pool.give_back(next);
            last = next;
        }
    }

    #[test]
    fn a_lost_worker_is_replaced() {
        let pool = counting(1);
        assert_eq!(pool.take(), Ok(0));
        pool.lost();
        assert_eq!(pool.take(), Ok(1));
    }

    #[test]
    fn a_failed_start_is_told_and_does_not_count_as_a_worker() {
        let pool: Pool<usize, String> = Pool::new(1, || Err("no interpreter".to_owned()));
        pool.start_ahead(1);
        assert_eq!(pool.take(), Err("no interpreter".to_owned()));
        assert_eq!(pool.take_fresh(), Err("no interpreter".to_owned()));
    }

    #[test]
    fn answers_stand_in_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..50).collect();
        assert_eq!(in_order(4, &jobs, |job| job * 2), jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
    }
}
