//! Verdicts: rounds of two builds in turns, their medians, and whether the newer build is slower.

use std::error::Error;
use std::fmt;

use readstone_bench::timing::median;

use crate::contest::Caller;

/// Runs in which a row must be slower, one after the other, to count as slower.
const RUNS: usize = 3;
/// Milliseconds below which noise is larger than `--allow`, and the percentage that is allowed there at least.
const SMALL: f64 = 1.0;
const SMALL_ALLOWANCE: f64 = 10.0;

/// Length of a run: it ends after `most` rounds or `time` milliseconds of calls, but not before `least` rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) time: f64,
    /// Rounds after which both builds are started again.
    pub(crate) batch: usize,
}

impl Rounds {
    pub(crate) const USUAL: Self = Self { least: 15, most: 300, time: 20_000.0, batch: 50 };

    fn done(self, counted: usize, spent: f64) -> bool {
        counted >= self.most || (counted >= self.least && spent >= self.time)
    }
}

/// Starts one build, where the row calls a server, and returns a function that calls it.
pub(crate) type Starter<'a> = Box<dyn Fn() -> Result<Caller<'a>, Box<dyn Error>> + 'a>;

/// One build during a run.
struct Side<'s, 'a> {
    start: &'s Starter<'a>,
    /// Milliseconds of the calls that count.
    times: Vec<f64>,
    /// Milliseconds of the last call, or `None` when it did not show what was asked for.
    last: Option<f64>,
}

impl<'s, 'a> Side<'s, 'a> {
    fn new(start: &'s Starter<'a>) -> Self {
        Self { start, times: Vec::new(), last: None }
    }

    /// Calls once, and returns the milliseconds of a right answer.
    fn call(&mut self, caller: &mut Caller<'a>, shows: &[String]) -> Option<f64> {
        let answer = caller().ok().filter(|(answer, _)| shows.iter().all(|text| answer.contains(text)));
        self.last = answer.map(|(_, time)| time);
        self.last
    }

    fn median(self) -> Option<f64> {
        let last = self.last?;
        Some(if self.times.is_empty() { last } else { median(self.times) })
    }
}

/// Medians of one run in milliseconds; `None` is a build that did not show what was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) old: Option<f64>,
    pub(crate) new: Option<f64>,
    /// Rounds that were counted.
    pub(crate) rounds: usize,
}

impl Run {
    /// Calls the old and the new build in turns, in batches with a new start of both.
    ///
    /// One start is not enough: some servers of the same build take many more page faults in each call than others.
    /// The first server to start was often such a one, so the build that starts first is another one in every batch.
    pub(crate) fn measure(
        rounds: Rounds,
        starters: &[Starter<'_>; 2],
        shows: &[String],
    ) -> Result<Self, Box<dyn Error>> {
        let [mut old, mut new] = starters.each_ref().map(Side::new);
        let (mut counted, mut spent, mut sides) = (0, 0.0, [&mut old, &mut new]);
        while !rounds.done(counted, spent) {
            let [first, second] = &mut sides;
            let (mut first_caller, mut second_caller) = ((first.start)()?, (second.start)()?);
            // The first round of a batch warms both builds up and does not count.
            for round in 0..=rounds.batch {
                let both = [first.call(&mut first_caller, shows), second.call(&mut second_caller, shows)];
                let [Some(first_time), Some(second_time)] = both else {
                    return Ok(Self { old: old.median(), new: new.median(), rounds: counted });
                };
                if round > 0 {
                    first.times.push(first_time);
                    second.times.push(second_time);
                    counted += 1;
                    spent += first_time + second_time;
                }
                if rounds.done(counted, spent) {
                    break;
                }
            }
            sides.reverse();
        }
        Ok(Self { old: old.median(), new: new.median(), rounds: counted })
    }

    /// The new median divided by the old one.
    pub(crate) fn ratio(&self) -> Option<f64> {
        Some(self.new? / self.old?)
    }

    fn verdict(&self, allow: f64) -> Verdict {
        let (old, new) = match (self.old, self.new) {
            (Some(old), Some(new)) => (old, new),
            (_, None) => return Verdict::Wrong,
            (None, Some(_)) => return Verdict::Different,
        };
        let allow = if old < SMALL { allow.max(SMALL_ALLOWANCE) } else { allow };
        let factor = 1.0 + allow / 100.0;
        if new > old * factor {
            Verdict::Slower
        } else if old > new * factor {
            Verdict::Quicker
        } else {
            Verdict::Same
        }
    }
}

/// Result of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Same,
    Quicker,
    Slower,
    /// The new build did not show what was asked for.
    Wrong,
    /// Only the old build did not show what was asked for, so there is nothing to compare with.
    Different,
}

impl Verdict {
    /// Whether the row makes the whole comparison fail.
    pub(crate) fn fails(self) -> bool {
        match self {
            Self::Slower | Self::Wrong => true,
            Self::Same | Self::Quicker | Self::Different => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "same",
            Self::Quicker => "quicker",
            Self::Slower => "slower",
            Self::Wrong => "wrong answer of the new build",
            Self::Different => "the old build answers something else",
        })
    }
}

/// All runs of a row, and the verdict of the last one.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) runs: Vec<Run>,
    pub(crate) verdict: Verdict,
}

impl Decision {
    /// Measures a row, and again while it is slower, because a single slow run is often noise.
    pub(crate) fn reach(
        allow: f64,
        mut measure: impl FnMut() -> Result<Run, Box<dyn Error>>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut runs = Vec::new();
        loop {
            let run = measure()?;
            let verdict = run.verdict(allow);
            runs.push(run);
            if verdict != Verdict::Slower || runs.len() == RUNS {
                return Ok(Self { runs, verdict });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn run(old: f64, new: f64) -> Run {
        Run { old: Some(old), new: Some(new), rounds: 15 }
    }

    fn decide(allow: f64, runs: &[Run]) -> Decision {
        let mut runs = runs.iter();
        Decision::reach(allow, || Ok(*runs.next().ok_or("no more runs")?)).unwrap()
    }

    fn starter(answer: &str, time: f64) -> Starter<'_> {
        Box::new(move || Ok(Box::new(move || Ok((answer.to_owned(), time)))))
    }

    fn measure(old: f64, new: f64) -> Run {
        Run::measure(Rounds::USUAL, &[starter("", old), starter("", new)], &[]).unwrap()
    }

    #[test]
    fn a_row_is_slower_when_three_runs_in_a_row_are() {
        let decision = decide(5.0, &[run(10.0, 10.6), run(10.0, 10.7), run(10.0, 10.6)]);
        assert_eq!((decision.verdict, decision.runs.len()), (Verdict::Slower, 3));
        assert!(decision.verdict.fails());
    }

    #[test]
    fn a_row_is_not_slower_when_a_later_run_is_as_quick() {
        let decision = decide(5.0, &[run(10.0, 14.0), run(10.0, 14.0), run(10.0, 10.4)]);
        assert_eq!((decision.verdict, decision.runs.len()), (Verdict::Same, 3));
        assert!(!decision.verdict.fails());
    }

    #[test]
    fn a_row_that_is_not_slower_is_measured_once() {
        assert_eq!(decide(5.0, &[run(10.0, 10.5)]).verdict, Verdict::Same);
        assert_eq!(decide(5.0, &[run(10.5, 10.0)]).verdict, Verdict::Same);
        assert_eq!(decide(5.0, &[run(10.6, 10.0)]).verdict, Verdict::Quicker);
    }

    #[test]
    fn the_allowance_can_be_given_and_is_ten_percent_at_least_below_a_millisecond() {
        assert_eq!(run(10.0, 10.9).verdict(10.0), Verdict::Same);
        assert_eq!(run(10.0, 11.1).verdict(10.0), Verdict::Slower);
        assert_eq!(run(0.5, 0.54).verdict(5.0), Verdict::Same);
        assert_eq!(run(0.5, 0.56).verdict(5.0), Verdict::Slower);
        assert_eq!(run(0.5, 0.56).verdict(15.0), Verdict::Same);
    }

    #[test]
    fn a_run_has_300_rounds_or_lasts_20_seconds_but_has_15_rounds_at_least() {
        assert_eq!(measure(1.0, 2.0), Run { old: Some(1.0), new: Some(2.0), rounds: 300 });
        assert_eq!(measure(100.0, 100.0).rounds, 100);
        assert_eq!(measure(9_000.0, 9_000.0).rounds, 15);
    }

    #[test]
    fn the_builds_are_called_in_turns_and_both_start_again_after_a_batch_with_the_other_one_first() {
        let order = RefCell::new(String::new());
        let starters = ["old", "new"].map(|name| -> Starter<'_> {
            let (order, letter) = (&order, name.chars().take(1).collect::<String>());
            Box::new(move || {
                order.borrow_mut().extend([" ", name, " "]);
                let letter = letter.clone();
                Ok(Box::new(move || {
                    order.borrow_mut().push_str(&letter);
                    Ok((String::new(), 1.0))
                }))
            })
        });
        let rounds = Rounds { least: 4, most: 5, time: 100.0, batch: 2 };
        assert_eq!(Run::measure(rounds, &starters, &[]).unwrap().rounds, 5);
        drop(starters);
        assert_eq!(order.into_inner(), " old  new ononon new  old nonono old  new onon");
    }

    #[test]
    fn a_new_build_that_answers_wrongly_fails_and_an_old_one_that_does_is_not_compared_with() {
        let shows = ["needle".to_owned()];
        let compare = |old, new| {
            let run = Run::measure(Rounds::USUAL, &[starter(old, 1.0), starter(new, 1.0)], &shows).unwrap();
            run.verdict(5.0)
        };
        assert_eq!(compare("a needle", "a needle"), Verdict::Same);
        assert_eq!(compare("a needle", "hay"), Verdict::Wrong);
        assert_eq!(compare("hay", "hay"), Verdict::Wrong);
        assert_eq!(compare("hay", "a needle"), Verdict::Different);
        assert!(Verdict::Wrong.fails() && !Verdict::Different.fails());
    }

    #[test]
    fn a_build_that_cannot_be_called_answers_wrongly() {
        let broken: Starter<'_> = Box::new(|| Ok(Box::new(|| Err("the server has ended".into()))));
        let run = Run::measure(Rounds::USUAL, &[starter("", 1.0), broken], &[]).unwrap();
        assert_eq!(run, Run { old: Some(1.0), new: None, rounds: 0 });
        assert_eq!(run.verdict(5.0), Verdict::Wrong);
    }
}
