//! Documents and pictures over MCP and on the command line, beside markitdown and pdftotext in the same run.
//!
//! `documents [MARKITDOWN]` takes the path of `markitdown`, which is otherwise looked for on the path. Every read is of
//! a document that the server has not seen: a copy with another name and one byte changed.

mod cases;
mod picture;
mod process;
mod rivals;
mod server;

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use cases::{Case, Fixture, Limits};
use process::{load, mean, median};
use rivals::Rivals;
use server::Server;

/// Rounds of our reads, and of `markitdown`, which takes a second to start.
const ROUNDS: usize = 9;
const SLOW_ROUNDS: usize = 3;
/// Milliseconds after which a rival is not asked again for the same.
const PATIENCE: f64 = 5_000.0;

/// Times of one case in milliseconds.
#[derive(Debug, Default)]
struct Times {
    /// The first document of a server, its worker's start included.
    first: Vec<f64>,
    /// A document for a worker that has worked before.
    warm: Vec<f64>,
    /// Processor time of the server and its worker for the same.
    busy: Vec<f64>,
    /// A whole process.
    cli: Vec<f64>,
    markitdown: Vec<f64>,
    pdftotext: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let program = std::env::current_exe()?.with_file_name("readstone");
    if !program.exists() {
        return Err("there is no readstone beside this program; build it with the profile of this one first".into());
    }
    let rivals = Rivals::find(std::env::args().nth(1).map(PathBuf::from));
    let cases = cases::all();
    let mut out = std::io::stdout().lock();
    writeln!(out, "Load before: {}\n", load()?)?;
    writeln!(
        out,
        "| document | first, ms | warm, ms | least | CPU, ms | target | | cli, ms | markitdown, ms | ratio |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    let mut remarks = Vec::new();
    for case in &cases {
        let mut fixture = Fixture::make(case, place.path())?;
        let times = measure(case, &mut fixture, &program, &rivals)?;
        writeln!(out, "{}", row(case, &times, &rivals))?;
        remarks.push(remark(case, &fixture, &times));
        if let Some(most) = case.most_memory {
            let peak = peak_memory(case, &mut fixture, &program)?;
            remarks.push(format!("- {}: the worker grows to {peak:.0} MB (target {most:.0})", case.name));
        }
        fixture.remove()?;
    }
    writeln!(out, "\n{}\n\nLoad after: {}", remarks.join("\n"), load()?)?;
    Ok(())
}

/// All in turns.
fn measure(case: &Case, fixture: &mut Fixture, program: &Path, rivals: &Rivals) -> Result<Times, Box<dyn Error>> {
    let mut times = Times::default();
    let mut warm = Server::start(program, fixture.place(), case.limits)?;
    warm.read(&fixture.fresh()?, case)?;
    for round in 0..ROUNDS {
        let mut cold = Server::start(program, fixture.place(), case.limits)?;
        times.first.push(cold.read(&fixture.fresh()?, case)?.wall);
        let took = warm.read(&fixture.fresh()?, case)?;
        times.warm.push(took.wall);
        times.busy.push(took.busy);
        times.cli.push(rivals::cli(program, &fixture.fresh()?, case)?);
        if case.beside_pdftotext {
            times.pdftotext.extend(rivals.pdftotext(&fixture.fresh()?)?);
        }
        if round < SLOW_ROUNDS && times.markitdown.iter().all(|took| *took < PATIENCE) {
            times.markitdown.extend(rivals.markitdown(&fixture.fresh()?)?);
        }
    }
    Ok(times)
}

/// The largest that the worker of a fresh server becomes.
fn peak_memory(case: &Case, fixture: &mut Fixture, program: &Path) -> Result<f64, Box<dyn Error>> {
    let mut server = Server::start(program, fixture.place(), case.limits)?;
    let file = fixture.fresh()?;
    let watch = server.watch_workers();
    server.read(&file, case)?;
    watch.end()
}

fn row(case: &Case, times: &Times, rivals: &Rivals) -> String {
    let least = times.warm.iter().copied().fold(f64::INFINITY, f64::min);
    let (warm, cli) = (median(&times.warm), median(&times.cli));
    let pdftotext = median(&times.pdftotext);
    let (target, met) = match case.target {
        Some(target) => (format!("{target:.0}"), warm < target),
        None => (format!("{:.0} (10 × pdftotext)", pdftotext * 10.0), warm <= pdftotext * 10.0),
    };
    let beside = match (rivals.has_markitdown(), times.markitdown.is_empty()) {
        (false, _) => "not installed | ".to_owned(),
        (true, true) => "no text | ".to_owned(),
        (true, false) => {
            let theirs = median(&times.markitdown);
            format!("{theirs:.0} | {:.0}", theirs / cli)
        }
    };
    format!(
        "| {} | {:.1} | {warm:.1} | {least:.1} | {:.1} | {target} | {} | {cli:.1} | {beside} |",
        case.name,
        median(&times.first),
        mean(&times.busy),
        if met { "met" } else { "MISSED" },
    )
}

fn remark(case: &Case, fixture: &Fixture, times: &Times) -> String {
    let mut text = format!("- {}: {}", case.name, fixture.about());
    if case.beside_pdftotext {
        let theirs = median(&times.pdftotext);
        let (warm, cli) = (median(&times.warm) / theirs, median(&times.cli) / theirs);
        text = format!("{text}; pdftotext {theirs:.1} ms, we {warm:.1} times that warm, {cli:.1} times on the cli");
    }
    if matches!(case.limits, Limits::Whole) {
        text.push_str("; the limits of a page raised so that one reply shows the whole text");
    }
    text
}
