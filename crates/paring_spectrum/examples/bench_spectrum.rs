//! `make bench-spectrum`: ten thousand tests over a million lines, each running one line in a hundred, ranked by every formula.
//!
//! The lines of a test are drawn one by one, which is the hardest case: real code runs in stretches, and those take less
//! room and less time. Prints the seconds for counting and ranking and the memory of the whole process; ends with 1 where
//! a limit is passed.

use paring_spectrum::{Equal, Formula, LineId, Spectrum, Tally, Verdict};
use std::time::Instant;

const N_TESTS: u32 = 10_000;
const N_LINES: u32 = 1_000_000;
/// One line in so many is run by a test.
const ONE_IN: u64 = 100;
/// One test in so many fails.
const FAILS: u32 = 50;
const MAX_SECONDS: f64 = 1.0;
const MAX_MEGABYTES: f64 = 500.0;

fn main() {
    let began = Instant::now();
    let tests: Vec<Spectrum> = (0..N_TESTS).map(spectrum).collect();
    let n_pairs: u64 = tests.iter().map(|test| test.lines.n_lines()).sum();
    println!("made {N_TESTS} tests of {N_LINES} lines, {n_pairs} pairs, in {:.2} s", seconds(began));

    let began = Instant::now();
    let tally = Tally::of(N_LINES as usize, &tests, Equal::Each);
    let counted = seconds(began);
    println!("counted in {counted:.3} s: {} classes of lines", tally.n_classes());
    for formula in Formula::ALL {
        let one = Instant::now();
        let ranking = tally.rank(&tally.scores(formula));
        let first = ranking.places()[0];
        println!("{:<12} {:.4} s, best score {:.6}", formula.word(), seconds(one), first.score);
    }
    let all = seconds(began);
    let megabytes = peak_megabytes();
    println!("counted and ranked with every formula in {all:.3} s (limit {MAX_SECONDS} s)");
    match megabytes {
        Some(megabytes) => println!("peak memory {megabytes:.0} MB (limit {MAX_MEGABYTES} MB)"),
        None => println!("peak memory: this system does not tell"),
    }
    let too_much = all > MAX_SECONDS || megabytes.is_some_and(|megabytes| megabytes > MAX_MEGABYTES);
    std::process::exit(i32::from(too_much));
}

fn spectrum(test: u32) -> Spectrum {
    let mut random = u64::from(test) + 1;
    let mut line = 0_u64;
    let mut lines = Vec::new();
    loop {
        // Gaps from 1 to twice the mean: on average one line in `ONE_IN`.
        line += 1 + next(&mut random) % (2 * ONE_IN - 1);
        match u32::try_from(line).ok().filter(|&line| line < N_LINES) {
            Some(line) => lines.push(LineId(line)),
            None => break,
        }
    }
    let verdict = if test.is_multiple_of(FAILS) { Verdict::Failed } else { Verdict::Passed };
    Spectrum { verdict, lines: lines.into_iter().collect() }
}

/// Steele and Vigna's splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
