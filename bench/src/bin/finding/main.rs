//! `find` and `search` beside `fd` and `rg`, in one run: the command line and a server, in turns with the others.
//!
//! `finding [PLACE]` keeps its trees in PLACE, so that a second run need not make them again.

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use readstone_bench::made::tree as data;
use readstone_bench::spoken::Spoken;
use readstone_bench::timing::{median, time};
use serde_json::json;

/// Rounds of every contest.
const ROUNDS: usize = 15;

/// One operation: what we are asked for, and what the other is.
struct Contest {
    name: &'static str,
    tree: &'static str,
    ours: &'static [&'static str],
    input: &'static str,
    rival: &'static [&'static str],
}

const CONTESTS: [Contest; 10] = [
    search("many: a literal in 3 files", "many", "needleInTheTree"),
    search("many: no match", "many", "nosuchthinganywhere"),
    search("many: a regex, no match", "many", r"\w+Needle\d{3}\b"),
    search("many: a word in every file (a limit ends it)", "many", "buffer"),
    search("large: a literal at the end", "large", "needleInTheTree"),
    search("large: no match", "large", "nosuchthinganywhere"),
    search("large: a regex, no match", "large", r"\w+Needle\d{3}\b"),
    find("many: *.rs", "*.rs"),
    find("many: everything", "**/*"),
    find("many: no match", "*.nosuch"),
];

const fn search(name: &'static str, tree: &'static str, pattern: &'static str) -> Contest {
    Contest { name, tree, ours: &["search"], input: pattern, rival: &["rg"] }
}

const fn find(name: &'static str, glob: &'static str) -> Contest {
    Contest { name, tree: "many", ours: &["find"], input: glob, rival: &["fdfind"] }
}

fn main() -> Result<(), Box<dyn Error>> {
    let kept = std::env::args().nth(1).map(PathBuf::from);
    let own = tempfile::tempdir()?;
    let place = kept.unwrap_or_else(|| own.path().to_owned());
    if !place.join("many").exists() {
        data::many(&place.join("many"), data::SMALL_FILES)?;
        data::large(&place.join("large"))?;
    }
    let program = std::env::current_exe()?.with_file_name("readstone");
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| operation | rival, ms | command line, ms | ratio | over MCP, ms | ratio |\n|---|---|---|---|---|---|"
    )?;
    for contest in &CONTESTS {
        let tree = place.join(contest.tree);
        let mut server = served_by(&program, &tree)?;
        let (mut theirs, mut ours, mut remote) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            theirs.push(time(&mut rival(contest, &tree))?);
            ours.push(time(&mut cli(contest, &program, &tree))?);
            remote.push(asked(contest, &mut server)?);
        }
        let (theirs, ours, remote) = (median(theirs), median(ours), median(remote));
        writeln!(
            out,
            "| {} | {theirs:.1} | {ours:.1} | {:.2} | {remote:.1} | {:.2} |",
            contest.name,
            ours / theirs,
            remote / theirs
        )?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the rivals are processes")]
fn rival(contest: &Contest, tree: &Path) -> Command {
    let tool = contest.rival.first().copied().unwrap_or("rg");
    let mut command = Command::new(tool);
    if tool == "rg" {
        command.args(["--hidden", "-n", contest.input, "."]);
    } else {
        command.args(["--hidden", "--glob", contest.input.trim_start_matches("**/"), "."]);
    }
    command.current_dir(tree).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[expect(clippy::disallowed_methods, reason = "the program under measurement is a process")]
fn cli(contest: &Contest, program: &Path, tree: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("--ephemeral").args(contest.ours).arg(contest.input);
    command.current_dir(tree).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[expect(clippy::disallowed_methods, reason = "the program under measurement is a process")]
fn served_by(program: &Path, tree: &Path) -> Result<Spoken, Box<dyn Error>> {
    let mut command = Command::new(program);
    command.args(["--ephemeral", "mcp"]).current_dir(tree);
    Spoken::start(command)
}

#[expect(clippy::disallowed_methods, reason = "measuring is telling the time")]
fn asked(contest: &Contest, server: &mut Spoken) -> Result<f64, Box<dyn Error>> {
    let tool = contest.ours.first().copied().unwrap_or_default();
    let input = match tool {
        "search" => json!({ "pattern": contest.input, "paths": ["."] }),
        _ => json!({ "paths": [contest.input] }),
    };
    let start = Instant::now();
    let answer = server.call(tool, &input)?;
    let time = start.elapsed().as_secs_f64() * 1_000.0;
    if answer.contains("\"isError\":true") { Err(answer.into()) } else { Ok(time) }
}
