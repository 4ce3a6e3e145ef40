//! What a model pays: calls, bytes and tokens of reading tasks, with our tools and with plain line paging.
//!
//! `bench/economy` builds this and calls it: `economy --program PATH [--peers DIR] [--write DIR]`.

mod data;
mod ledger;
mod ours;
mod plain;
mod tasks;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use readstone_bench::{results, system};
use tasks::{Row, Tasks};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut program, mut peers, mut write) = (PathBuf::new(), PathBuf::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().map(PathBuf::from).ok_or(format!("{argument} needs a path"))?;
        match argument.as_str() {
            "--program" => program = std::path::absolute(value)?,
            "--peers" => peers = std::path::absolute(value)?,
            "--write" => write = Some(value),
            _ => return Err(format!("{argument} is not known").into()),
        }
    }
    let place = tempfile::tempdir()?;
    data::make(place.path())?;
    let converter = system::program(&peers, &["markitdown"]);
    let mut tasks = Tasks {
        ours: ours::Ours::start(&program, place.path())?,
        plain: plain::Plain::new(place.path())?,
        place: place.path(),
        converter: converter.as_deref(),
    };
    let text = table(&tasks.all()?)?;
    writeln!(std::io::stdout(), "{text}")?;
    if let Some(directory) = write {
        results::put(&directory.join("RESULTS.md"), "economy", &text)?;
    }
    Ok(())
}

/// One row a task; the ratios are ours through plain.
fn table(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut out = format!("{}. Requests and replies together; tokens as `o200k_base` counts them.\n\n", system::date());
    out.push_str(
        "| task | calls | bytes | tokens | plain: calls | bytes | tokens | tokens, ratio |\n|---|---|---|---|---|---|---|---|\n",
    );
    for Row { task, ours, plain } in rows {
        write!(out, "| {task} | {} | {} | {} |", ours.calls, ours.bytes, ours.tokens)?;
        match plain {
            Some(plain) => {
                let ratio = |tokens: usize| u32::try_from(tokens).map_or(0.0, f64::from);
                let share = ratio(ours.tokens) / ratio(plain.tokens);
                writeln!(out, " {} | {} | {} | {share:.3} |", plain.calls, plain.bytes, plain.tokens)?;
            }
            None => writeln!(out, " cannot | | | |")?,
        }
    }
    Ok(out)
}
