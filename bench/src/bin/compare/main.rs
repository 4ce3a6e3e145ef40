//! Readstone beside its peers: command-line tools and MCP servers, in turns, on data made for it, in one run.
//!
//! `bench/compare` builds this and calls it: `compare --program PATH [--peers DIR] [--place DIR] [--write DIR] [--quick]`,
//! with `--before PATH [--rows TEXT] [--allow PERCENT]` to compare two builds of Readstone instead.

mod arguments;
mod builds;
mod contest;
mod data;
mod growth;
mod operations;
mod peers;
mod plot;
mod report;
mod servers;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use arguments::Arguments;
use contest::Ground;
use data::Data;
use peers::Peers;
use readstone_bench::{results, system};
use servers::Servers;

/// How much smaller the data of a try is.
const QUICK: u64 = 10;

/// Exits with 1 when a row of a comparison fails, and with 2 when something could not be measured.
fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            drop(writeln!(std::io::stderr(), "{error}"));
            ExitCode::from(2)
        }
    }
}

/// Returns false when a row of a comparison with an older build fails.
fn run() -> Result<bool, Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let own = tempfile::tempdir()?;
    let place = arguments.place.clone().unwrap_or_else(|| own.path().to_owned());
    // Two builds of ours are compared without anybody else.
    let peers = if arguments.builds.is_none() { Peers::find(&arguments.peers) } else { Peers::default() };
    let mut out = std::io::stdout().lock();
    for (name, get) in peers.missing() {
        writeln!(out, "{name} is not installed ({get})")?;
    }
    if !peers.missing().is_empty() {
        writeln!(out, "bench/compare --install fetches those of cargo, npm and PyPI")?;
    }
    writeln!(out, "making the data")?;
    let data = Data::make(&place, if arguments.quick { QUICK } else { 1 })?;
    let ground = Ground { program: arguments.program, place, peers: &peers };
    if let Some(options) = &arguments.builds {
        return builds::compare(options, &ground, &data, &mut out);
    }
    let (text, picture) = measure(&ground, &data, &mut out)?;
    writeln!(out, "\n{text}")?;
    if let Some(directory) = arguments.write {
        results::put(&directory.join("RESULTS.md"), "compare", &text)?;
        std::fs::write(directory.join("growth.svg"), picture)?;
    }
    Ok(true)
}

/// Everything, as the report and the picture.
fn measure(
    ground: &Ground<'_>,
    data: &Data,
    out: &mut impl std::io::Write,
) -> Result<(String, String), Box<dyn Error>> {
    let load = system::load();
    writeln!(out, "starting the servers")?;
    let bare = ground.bare()?;
    let starts = servers::starts(ground)?;
    let mut servers = Servers::start(ground)?;
    let [idle, own] = servers.idle();
    let mut rows = Vec::new();
    for operation in operations::all(data) {
        writeln!(out, "{}", operation.name)?;
        let measured = ground.contest(&operation, &mut servers);
        rows.push((operation, measured));
    }
    writeln!(out, "many small reads at once")?;
    let [few, many] = servers.flow(data)?;
    let standing = [starts, idle, own, servers.peak(), few, many];
    writeln!(out, "growth")?;
    let grown = growth::measure(ground, data)?;
    let mut text = introduction(ground, &servers, &load)?;
    write!(text, "\n### Command line\n\n{}", report::command_line(&rows, &bare)?)?;
    writeln!(
        text,
        "\nA process that only says its version takes {:.2} ms of ours and {:.2} ms of `cat`.",
        bare.ours, bare.theirs
    )?;
    write!(text, "\n### Over MCP\n\n{}", report::over_mcp(&rows)?)?;
    write!(text, "\n### Servers\n\n{}", report::standing(&standing)?)?;
    write!(text, "\n### How cost grows\n\n![growth](growth.svg)\n\n{}", report::growth(&grown)?)?;
    write!(text, "\n### What was asked\n\n{}", report::asked(&rows)?)?;
    Ok((text, plot::svg(&grown)?))
}

fn introduction(ground: &Ground<'_>, servers: &Servers, load: &str) -> Result<String, Box<dyn Error>> {
    let version = system::printed(system::command(&ground.program).arg("--version"))?;
    let megabytes = Path::new(&ground.program).metadata()?.len() / 1_000_000;
    let mut text = format!(
        "{}, file pages in memory, load {load} at the start, {}. {} ({megabytes} MB) beside {}, {}.\n",
        system::machine(),
        system::date(),
        version.trim(),
        servers.versions(),
        ground.peers.versions(),
    );
    for (name, get) in ground.peers.missing() {
        writeln!(text, "Not installed: {name} ({get}).")?;
    }
    text.push_str(
        "\nMedians of rounds in turns; a ratio is ours through theirs, so below 1 we are ahead. ✗: the answer did not show what was asked for. *once*: too slow to be \
         asked again.\n",
    );
    Ok(text)
}
