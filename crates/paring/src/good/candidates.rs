//! Which commits are looked at, in order: what the test passed on is likely close, and a base that others built on likelier.
//!
//! `HEAD` without the changes of the work tree; where the change under way began, as CI says, and as branches say; 1, 2, 4, 8 …
//! commits back; tags. Each is asked for only when those before it were no good.

use super::repo::Repo;
use std::collections::VecDeque;

/// Tags that are looked at.
const N_TAGS: usize = 8;
/// Nothing further back is looked at by counting.
const MOST_BACK: u64 = 1 << 16;

/// Variables in which CI names a commit: the last green one, the base of a request, what was there before a push.
const COMMITS: [&str; 6] = [
    "GIT_PREVIOUS_SUCCESSFUL_COMMIT",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",
    "CI_COMMIT_BEFORE_SHA",
    "BITBUCKET_PR_DESTINATION_COMMIT",
    "DRONE_COMMIT_BEFORE",
    "GIT_PREVIOUS_COMMIT",
];
/// Variables in which CI names the branch that a request goes to.
const BRANCHES: [&str; 8] = [
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CHANGE_TARGET",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "DRONE_TARGET_BRANCH",
    "APPVEYOR_REPO_BRANCH_BASE",
];

/// A commit, and why it is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub commit: String,
    pub way: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Head,
    Ci,
    Branches,
    Back(u64),
    Tags,
    Over,
}

/// Places not yet looked at.
pub struct Candidates {
    stage: Stage,
    ready: VecDeque<Place>,
    env: fn(&str) -> Option<String>,
}

impl Candidates {
    pub fn new(env: fn(&str) -> Option<String>) -> Self {
        Self { stage: Stage::Head, ready: VecDeque::new(), env }
    }

    pub fn next(&mut self, repo: &Repo) -> Option<Place> {
        while self.ready.is_empty() && self.stage != Stage::Over {
            self.fill(repo);
        }
        self.ready.pop_front()
    }

    fn fill(&mut self, repo: &Repo) {
        let place = |commit: Option<String>, way: String| commit.map(|commit| Place { commit, way });
        match self.stage {
            Stage::Head => {
                self.ready.push_back(Place { commit: repo.head.clone(), way: "HEAD".to_owned() });
                self.stage = Stage::Ci;
            }
            Stage::Ci => {
                self.ready.extend(of_ci(repo, self.env));
                self.stage = Stage::Branches;
            }
            Stage::Branches => {
                self.ready.extend(of_branches(repo));
                self.stage = Stage::Back(1);
            }
            Stage::Back(n) => {
                let found = place(repo.commit(&format!("HEAD~{n}")), back(n));
                self.stage = if found.is_some() && n < MOST_BACK { Stage::Back(n * 2) } else { Stage::Tags };
                self.ready.extend(found.or_else(|| oldest(repo, n)));
            }
            Stage::Tags => {
                self.ready.extend(of_tags(repo));
                self.stage = Stage::Over;
            }
            Stage::Over => {}
        }
    }
}

fn back(n: u64) -> String {
    if n == 1 { "1 commit back".to_owned() } else { format!("{n} commits back") }
}

/// The last commit that is here, where that is fewer than `n` commits back and further than half of it.
fn oldest(repo: &Repo, n: u64) -> Option<Place> {
    let n_all: u64 = repo.ask(&["rev-list", "--first-parent", "--count", "HEAD"])?.parse().ok()?;
    let last = n_all.checked_sub(1).filter(|&last| last > n / 2 && last < n)?;
    Some(Place { commit: repo.commit(&format!("HEAD~{last}"))?, way: back(last) })
}

fn of_ci(repo: &Repo, env: fn(&str) -> Option<String>) -> Vec<Place> {
    let set = |name: &str| env(name).filter(|value| !value.trim_matches('0').is_empty());
    let commits = COMMITS.iter().filter_map(|name| {
        Some(Place { commit: repo.commit(&set(name)?)?, way: format!("the commit of {name}") })
    });
    let branches = BRANCHES.iter().filter_map(|name| {
        let branch = set(name)?;
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(&branch).to_owned();
        let remote = repo.commit(&format!("origin/{branch}")).map(|_| format!("origin/{branch}"));
        merge_base(repo, &remote.unwrap_or(branch))
    });
    commits.chain(branches).collect()
}

/// Where the branch at hand left the one it goes to.
fn of_branches(repo: &Repo) -> Vec<Place> {
    let upstream = repo.ask(&["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"]);
    let default = repo.ask(&["rev-parse", "--abbrev-ref", "origin/HEAD"]);
    let usual = ["origin/main", "origin/master", "main", "master"].map(str::to_owned);
    let usual = usual.into_iter().find(|name| repo.commit(name).is_some());
    let mut found: Vec<Place> = Vec::new();
    for name in upstream.into_iter().chain(default.or(usual)) {
        let place = merge_base(repo, &name).filter(|place| place.commit != repo.head);
        found.extend(place.filter(|place| found.iter().all(|other| other.commit != place.commit)));
    }
    found
}

fn merge_base(repo: &Repo, branch: &str) -> Option<Place> {
    let commit = repo.ask(&["merge-base", "HEAD", branch]).filter(|commit| !commit.is_empty())?;
    Some(Place { commit, way: format!("the merge base with {branch}") })
}

fn of_tags(repo: &Repo) -> Vec<Place> {
    // Without any there is no walk through the history.
    let any = repo.ask(&["for-each-ref", "--count=1", "--format=%(refname)", "refs/tags"]);
    if any.is_none_or(|any| any.is_empty()) {
        return Vec::new();
    }
    let format = "--format=%(refname:strip=2)";
    let told = repo.ask(&["for-each-ref", "--merged", "HEAD", "--sort=-creatordate", format, "refs/tags"]);
    let told = told.unwrap_or_default();
    let names = told.lines().take(N_TAGS);
    names
        .filter_map(|name| {
            Some(Place { commit: repo.commit(&format!("refs/tags/{name}"))?, way: format!("tag {name}") })
        })
        .collect()
}
