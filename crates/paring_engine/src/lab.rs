//! Judges drafts and remembers the verdicts.
//!
//! The lab renders a draft, has it [run](crate::runs), asks the oracle, and keeps the verdict. With several workers it runs
//! ahead: the next drafts of a list are run at once, and their verdicts are used in the order of the list, so the answer is
//! the same as with one worker. A verdict is charged to the budget when it is used, and only once.

use crate::oracle::Oracle;
use crate::order::score;
use crate::rules::Freedom;
use crate::runs::{Ask, Purpose, Runs, Seen, Trust};
use paring_model::{
    Candidate, EditSet, Event, Form, Frontend, Heat, Job, Observation, Unit, Verdict, Version,
};
use std::collections::BTreeMap;
use std::time::Duration;

pub use crate::runs::Stop;

/// The ports and settings an experiment needs.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    pub runs: &'a Runs<'a>,
    pub frontend: &'a dyn Frontend,
    pub timeout: Option<Duration>,
    /// The same on the good version, which may have more to do than a test that hangs early.
    pub good_timeout: Option<Duration>,
    pub heat: Heat,
    /// Whether an accepted draft must pass on the good version.
    pub use_good: bool,
    /// Whether what only caution keeps may go.
    pub bold: bool,
    /// How often a draft that holds must hold again before it is believed: where threads run, once may be luck.
    pub n_again: usize,
}

impl Bench<'_> {
    /// How much experiments may try.
    pub fn freedom(&self) -> Freedom {
        match (self.use_good, self.bold) {
            (true, _) => Freedom::All,
            (false, true) => Freedom::Bold,
            (false, false) => Freedom::Careful,
        }
    }
}

pub struct Lab<'a> {
    pub bench: Bench<'a>,
    pub unit: &'a Unit,
    pub oracle: &'a Oracle,
    /// The best draft accepted so far: what an interruption hands over.
    pub best: Option<EditSet>,
    verdicts: BTreeMap<Candidate, Judged>,
}

/// A verdict, and the runs it took, until it is used for the first time.
struct Judged {
    verdict: Verdict,
    unused: Option<Vec<Seen>>,
}

impl Judged {
    /// What holds here must pass on the good version.
    fn add_good(&mut self, on_good: Seen) {
        if self.verdict.is_same() && *on_good.observation() != Observation::Passed {
            self.verdict = Verdict::Slipped;
        }
        self.unused.get_or_insert_default().push(on_good);
    }
}

impl<'a> Lab<'a> {
    pub fn new(bench: Bench<'a>, unit: &'a Unit, oracle: &'a Oracle) -> Self {
        Self { bench, unit, oracle, best: None, verdicts: BTreeMap::new() }
    }

    /// The verdict on one draft.
    pub fn judge(&mut self, edits: &EditSet) -> Result<Verdict, Stop> {
        let candidate = self.render(edits);
        let is_known = self.verdicts.get(&candidate).is_some_and(|judged| judged.unused.is_none());
        if !is_known && self.bench.frontend.is_well_formed(self.unit, &candidate) {
            self.bench.runs.may_go_on()?;
        }
        self.run_open(vec![candidate.clone()])?;
        Ok(self.used(&candidate))
    }

    /// Whether a draft is the same failure.
    pub fn holds(&mut self, edits: &EditSet) -> Result<bool, Stop> {
        Ok(self.judge(edits)?.is_same())
    }

    /// The first draft of the list that is the same failure.
    pub fn first_same(&mut self, drafts: &[EditSet]) -> Result<Option<usize>, Stop> {
        let window = self.n_ahead();
        for (idx, draft) in drafts.iter().enumerate() {
            if idx % window == 0 {
                self.run_ahead(&drafts[idx..(idx + window).min(drafts.len())])?;
            }
            if self.holds(draft)? {
                return Ok(Some(idx));
            }
        }
        Ok(None)
    }

    /// How many drafts are worth running at once.
    pub fn n_ahead(&self) -> usize {
        self.bench.runs.n_parallel()
    }

    /// Runs drafts that may be judged next at the same time, where there are workers for it. What is not used in the end costs
    /// time and nothing of a budget of runs.
    pub fn run_ahead(&mut self, drafts: &[EditSet]) -> Result<(), Stop> {
        if self.n_ahead() == 1 || drafts.len() < 2 {
            return Ok(());
        }
        match self.bench.runs.may_go_on() {
            Ok(()) => {}
            // Verdicts that cost nothing may still be used.
            Err(Stop::Budget) => return Ok(()),
            Err(stop) => return Err(stop),
        }
        let n_most = self.bench.runs.n_left().unwrap_or(usize::MAX);
        let candidates: Vec<Candidate> = drafts.iter().map(|edits| self.render(edits)).collect();
        let mut open: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            if !self.verdicts.contains_key(&candidate) && !open.contains(&candidate) {
                open.push(candidate);
            }
        }
        open.truncate(n_most);
        self.run_open(open)
    }

    /// Whether a draft is worth a run at all.
    pub fn is_well_formed(&self, edits: &EditSet) -> bool {
        self.bench.frontend.is_well_formed(self.unit, &self.render(edits))
    }

    /// Takes a draft that was judged the same as the result so far, if it is better than the one before.
    pub fn accept(&mut self, edits: &EditSet) {
        let new = score(self.unit, edits);
        if self.best.as_ref().is_none_or(|best| new < score(self.unit, best)) {
            self.bench.runs.tell(Event::Better { n_statements: new.n_test });
            self.best = Some(edits.clone());
        }
    }

    fn render(&self, edits: &EditSet) -> Candidate {
        self.bench.frontend.edited(self.unit, edits, Form::Blanked)
    }

    /// The verdict on a candidate that was judged; its first use is charged, journalled and told.
    fn used(&mut self, candidate: &Candidate) -> Verdict {
        let runs = self.bench.runs;
        let judged = self.verdicts.get_mut(candidate).expect("it was judged");
        if let Some(seen) = judged.unused.take() {
            runs.charge(&seen);
            runs.keep(&seen);
            runs.tell(Event::Ran {
                n_runs: runs.counts().search,
                candidate: candidate.clone(),
                verdict: judged.verdict.clone(),
            });
        }
        judged.verdict.clone()
    }

    /// Judges the candidates that have no verdict yet.
    fn run_open(&mut self, mut open: Vec<Candidate>) -> Result<(), Stop> {
        open.retain(|candidate| !self.verdicts.contains_key(candidate));
        let (open, malformed): (Vec<Candidate>, Vec<Candidate>) =
            open.into_iter().partition(|candidate| self.bench.frontend.is_well_formed(self.unit, candidate));
        for candidate in malformed {
            let verdict = Verdict::Broken { message: "its syntax is wrong".to_owned(), line: None };
            self.verdicts.insert(candidate, Judged { verdict, unused: None });
        }
        if open.is_empty() { Ok(()) } else { self.run(open) }
    }

    fn run(&mut self, open: Vec<Candidate>) -> Result<(), Stop> {
        // Where a worker would be idle, the good version runs at the same time, in case the failure is the same.
        let at_once = self.bench.use_good && open.len() < self.n_ahead();
        let versions: &[Version] =
            if at_once { &[Version::Faulty, Version::Good] } else { &[Version::Faulty] };
        let mut seen = self.ask(&open, versions, 0)?;
        let on_good = seen.split_off(open.len());
        let mut judged: Vec<Judged> = Vec::new();
        for (candidate, seen) in open.iter().zip(&seen) {
            let verdict = self.verdict(candidate, seen.observation());
            judged.push(Judged { verdict, unused: Some(vec![seen.clone()]) });
        }
        if self.bench.use_good {
            let same: Vec<usize> = (0..open.len()).filter(|&idx| judged[idx].verdict.is_same()).collect();
            let on_good: Vec<Seen> = if at_once {
                same.iter().map(|&idx| on_good[idx].clone()).collect()
            } else {
                let texts: Vec<Candidate> = same.iter().map(|&idx| open[idx].clone()).collect();
                self.ask(&texts, &[Version::Good], 0)?
            };
            for (&idx, seen) in same.iter().zip(on_good) {
                judged[idx].add_good(seen);
            }
        }
        for (candidate, judged) in open.iter().zip(&mut judged) {
            self.run_again(candidate, judged)?;
        }
        self.verdicts.extend(open.into_iter().zip(judged));
        Ok(())
    }

    /// Runs what held again, on both versions; the first run that differs decides.
    fn run_again(&self, candidate: &Candidate, judged: &mut Judged) -> Result<(), Stop> {
        for nth in (1..).take(self.bench.n_again) {
            if !judged.verdict.is_same() {
                break;
            }
            let versions: &[Version] =
                if self.bench.use_good { &[Version::Faulty, Version::Good] } else { &[Version::Faulty] };
            let mut seen = self.ask(std::slice::from_ref(candidate), versions, nth)?.into_iter();
            let on_current = seen.next().expect("a run answers every question");
            judged.verdict = self.verdict(candidate, on_current.observation());
            judged.unused.get_or_insert_default().push(on_current);
            if let Some(on_good) = seen.next() {
                judged.add_good(on_good);
            }
        }
        Ok(())
    }

    fn verdict(&self, candidate: &Candidate, observation: &Observation) -> Verdict {
        self.oracle.judge(self.unit, self.bench.frontend, candidate, observation)
    }

    /// Every candidate on the first version, then every candidate on the next.
    fn ask(&self, candidates: &[Candidate], versions: &[Version], nth: u32) -> Result<Vec<Seen>, Stop> {
        let Bench { heat, .. } = self.bench;
        let timeout = |version: Version| match version {
            Version::Faulty => self.bench.timeout,
            Version::Good => self.bench.good_timeout,
        };
        let of = |version: Version| {
            candidates.iter().map(move |candidate| Ask {
                nth,
                ..Ask::once(Job { version, ..Job::new(candidate.clone(), heat, timeout(version)) })
            })
        };
        let asks: Vec<Ask<'_>> = versions.iter().flat_map(|&version| of(version)).collect();
        self.bench.runs.ask_ahead(Purpose::Search, Trust::Replay, &asks)
    }
}
