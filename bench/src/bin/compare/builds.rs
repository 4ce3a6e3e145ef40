//! Two builds of Readstone: each operation by the older and the newer one in turns, and a verdict for each row.

mod verdict;

use std::error::Error;
use std::io::Write;
use std::path::Path;

use readstone_bench::system;
use readstone_bench::timing::took;

use crate::arguments::BuildOptions;
use crate::contest::{Caller, Ground, call};
use crate::data::Data;
use crate::operations::{self, Limits, Operation};
use crate::report::number;
use crate::servers::{BATCH, IN_FLIGHT, batch};
use verdict::{Decision, Rounds, Run, Starter, Verdict};

/// Work that is timed in one row.
#[derive(Debug)]
enum Work<'a> {
    /// A process that prints its version and ends.
    Version,
    /// A server from its start to its answer to `tools/list`.
    ToolsList,
    /// A process that does the operation.
    Process(&'a Operation),
    /// A call of a server that has done the operation before.
    WarmCall(&'a Operation),
    /// Reads of a small file, several of them at the same time.
    Batch(&'a Data),
}

/// A row of the table.
#[derive(Debug)]
struct Row<'a> {
    name: String,
    work: Work<'a>,
}

impl<'a> Row<'a> {
    fn new(name: impl Into<String>, work: Work<'a>) -> Self {
        Self { name: name.into(), work }
    }

    /// Texts that every answer must contain.
    fn shows(&self) -> &'a [String] {
        match self.work {
            Work::Process(operation) | Work::WarmCall(operation) => &operation.shows,
            Work::Version | Work::ToolsList | Work::Batch(_) => &[],
        }
    }

    /// Prepares the calls of one build. Where a server is called, this starts it.
    fn caller(&self, ground: &'a Ground<'a>) -> Result<Caller<'a>, Box<dyn Error>> {
        Ok(match self.work {
            Work::Version => Box::new(|| ground.version_once(&ground.program)),
            Work::ToolsList => Box::new(|| {
                // The server is stopped after the clock.
                let (_server, time) = took(|| ground.server(Limits::Usual))?;
                Ok((String::new(), time))
            }),
            Work::Process(operation) => Box::new(|| ground.program_once(operation)),
            Work::WarmCall(Operation { ours, .. }) => {
                let mut server = ground.server(ours.limits)?;
                Box::new(move || call(&mut server, ours.tool, &ours.input))
            }
            Work::Batch(data) => {
                let mut server = ground.server(Limits::Usual)?;
                let (path, mut number) = (data.at("small.log"), 0);
                Box::new(move || {
                    let ((), time) = took(|| batch(&mut server, "read", &path, &mut number))?;
                    Ok((String::new(), time))
                })
            }
        })
    }

    /// Measures the row, and again while it looks slower.
    fn decide(&self, grounds: [&'a Ground<'a>; 2], rounds: Rounds, allow: f64) -> Result<Decision, Box<dyn Error>> {
        let starters = grounds.map(|ground| -> Starter<'_> { Box::new(|| self.caller(ground)) });
        Decision::reach(allow, || Run::measure(rounds, &starters, self.shows()))
    }
}

/// All rows, the small ones first.
fn rows<'a>(operations: &'a [Operation], data: &'a Data) -> Vec<Row<'a>> {
    let mut rows = vec![
        Row::new("process that prints its version", Work::Version),
        Row::new("start to tools/list", Work::ToolsList),
    ];
    for operation in operations {
        rows.push(Row::new(format!("{}, command line", operation.name), Work::Process(operation)));
        rows.push(Row::new(format!("{}, warm call", operation.name), Work::WarmCall(operation)));
    }
    rows.push(Row::new(format!("{BATCH} reads of 2 KB, {IN_FLIGHT} in flight, warm call"), Work::Batch(data)));
    rows
}

/// Measures both builds and prints a line for each row as soon as it is decided. Returns whether no row fails.
pub(crate) fn compare(
    options: &BuildOptions,
    new: &Ground<'_>,
    data: &Data,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let old = Ground { program: options.before.clone(), ..new.clone() };
    let operations = operations::all(data);
    let mut rows = rows(&operations, data);
    rows.retain(|row| row.name.contains(&options.rows));
    if rows.is_empty() {
        return Err(format!("no row has a name that contains \"{}\"", options.rows).into());
    }
    writeln!(out, "{}, load {} at the start, {}.", system::machine(), system::load(), system::date())?;
    writeln!(out, "old: {}\nnew: {}\n", described(&old.program)?, described(&new.program)?)?;
    writeln!(out, "| operation | old, ms | new, ms | new : old in each run | rounds | verdict |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    let mut failed = Vec::new();
    for row in &rows {
        let decision = row.decide([&old, new], Rounds::USUAL, options.allow)?;
        writeln!(out, "{}", line(&row.name, &decision))?;
        out.flush()?;
        if decision.verdict.fails() {
            failed.push((row.name.as_str(), decision.verdict));
        }
    }
    writeln!(out, "\n{} of {} rows failed.", failed.len(), rows.len())?;
    for (name, verdict) in &failed {
        writeln!(out, "- {name}: {verdict}")?;
    }
    Ok(failed.is_empty())
}

/// Version, size and path of a program.
fn described(program: &Path) -> Result<String, Box<dyn Error>> {
    let version = system::printed(system::command(program).arg("--version"))?;
    let megabytes = program.metadata()?.len() / 1_000_000;
    let version = version.lines().next().unwrap_or_default();
    Ok(format!("{version} ({megabytes} MB), {}", program.display()))
}

/// A row of the table: the times are those of the last run, the ratios those of all runs.
fn line(name: &str, decision: &Decision) -> String {
    let shown = |time: Option<f64>| time.map_or_else(|| "✗".to_owned(), number);
    let ratios = decision.runs.iter().filter_map(Run::ratio).map(|ratio| format!("{ratio:.2}"));
    let ratios = ratios.collect::<Vec<_>>().join(", ");
    let Decision { runs, verdict } = decision;
    let (old, new, rounds) = runs.last().map_or((None, None, 0), |run| (run.old, run.new, run.rounds));
    let verdict = match verdict {
        Verdict::Slower | Verdict::Wrong => format!("**{verdict}**"),
        Verdict::Same | Verdict::Quicker | Verdict::Different => verdict.to_string(),
    };
    format!("| {name} | {} | {} | {ratios} | {rounds} | {verdict} |", shown(old), shown(new))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use super::*;
    use crate::peers::Peers;

    fn data() -> Data {
        Data { place: PathBuf::from("/data"), scale: 1, lines: 1_000_000, files: 6_500 }
    }

    #[test]
    fn every_operation_has_a_row_for_the_command_line_and_one_for_a_warm_call() {
        let (data, names) = (data(), |rows: Vec<Row<'_>>| rows.into_iter().map(|row| row.name).collect::<Vec<_>>());
        let operations = operations::all(&data);
        let names = names(rows(&operations, &data));
        assert_eq!(names.len(), 2 * operations.len() + 3);
        for name in ["start to tools/list", "2 KB file, warm call", "200 KB source file, whole, command line"] {
            assert!(names.iter().any(|other| other == name), "{name} is not in {names:?}");
        }
    }

    #[test]
    fn a_row_has_the_ratios_of_all_its_runs_and_the_times_of_the_last() {
        let run = |new| Run { old: Some(2.0), new: Some(new), rounds: 15 };
        let decision = Decision { runs: vec![run(3.0), run(2.5)], verdict: Verdict::Slower };
        assert_eq!(line("read", &decision), "| read | 2.00 | 2.50 | 1.50, 1.25 | 15 | **slower** |");
        let run = Run { old: Some(2.0), new: None, rounds: 0 };
        let decision = Decision { runs: vec![run], verdict: Verdict::Wrong };
        assert_eq!(line("read", &decision), "| read | 2.00 | ✗ |  | 0 | **wrong answer of the new build** |");
    }

    #[test]
    fn a_program_that_waits_before_it_answers_is_slower() {
        let place = tempfile::tempdir().unwrap();
        let [old, new] = [("old", ""), ("new", "sleep 0.05\n")].map(|(name, wait)| {
            let path = place.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{wait}echo 00000000 INFO 00000035 INFO\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        });
        let (peers, data, rounds) = (Peers::default(), data(), Rounds { least: 3, most: 3, time: 0.0, batch: 3 });
        let [old, new] = [old, new].map(|program| Ground { program, place: place.path().to_owned(), peers: &peers });
        let operations = operations::all(&data);
        let row = Row::new("2 KB file, command line", Work::Process(&operations[0]));
        let decision = row.decide([&old, &new], rounds, 5.0).unwrap();
        assert_eq!((decision.verdict, decision.runs.len()), (Verdict::Slower, 3), "{decision:?}");
    }
}
