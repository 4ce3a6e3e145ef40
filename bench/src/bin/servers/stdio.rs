//! MCP on standard input and output, beside another server of files.

use std::error::Error;
use std::path::Path;

use readstone_bench::spoken::Spoken;
use serde_json::{Value, json};

use crate::process::{Program, command, median, memory, time};

/// Starts of each server.
const STARTS: usize = 31;
/// Calls of each server, in turns of a hundred.
const TURNS: usize = 21;
const CALLS: usize = 100;

/// How a server is started and asked for a file.
struct Rival<'a> {
    path: &'a Path,
    arguments: Vec<String>,
    call: Value,
}

fn start(rival: &Rival<'_>, place: &Path) -> Result<Spoken, Box<dyn Error>> {
    let mut command = command(rival.path);
    command.args(&rival.arguments).current_dir(place);
    Spoken::start(command)
}

/// Start, memory and one small read.
pub(crate) fn measure(program: &Program, peer: Option<&Path>, small: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let call = |tool: &str| {
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": tool, "arguments": { "path": small } } })
    };
    let ours = ["mcp", "--ephemeral"].map(str::to_owned).to_vec();
    let mut rivals = vec![Rival { path: &program.path, arguments: ours, call: call("read") }];
    if let Some(path) = peer {
        let arguments = vec![program.place.display().to_string()];
        rivals.push(Rival { path, arguments, call: call("read_text_file") });
    }
    let mut starts = vec![Vec::new(); rivals.len()];
    for _ in 0..STARTS {
        for (rival, times) in rivals.iter().zip(&mut starts) {
            times.push(time(|| start(rival, &program.place))?.1);
        }
    }
    let mut spoken = rivals.iter().map(|rival| start(rival, &program.place)).collect::<Result<Vec<_>, _>>()?;
    let idle: Vec<f64> =
        spoken.iter().map(|spoken| memory(spoken.id()).map(|(now, _)| now)).collect::<Result<_, _>>()?;
    let mut calls = vec![Vec::new(); rivals.len()];
    for _ in 0..TURNS {
        for ((rival, spoken), times) in rivals.iter().zip(&mut spoken).zip(&mut calls) {
            for _ in 0..CALLS {
                let (line, took) = time(|| spoken.ask(&rival.call))?;
                if !line.contains("request served") {
                    return Err(format!("{} does not read: {line}", rival.path.display()).into());
                }
                times.push(took);
            }
        }
    }
    let starts: Vec<f64> = starts.into_iter().map(median).collect();
    let calls: Vec<f64> = calls.into_iter().map(median).collect();
    Ok(vec![
        row("mcp: start to the answer of tools/list, ms", &starts),
        row("mcp: resident memory when idle, MB", &idle),
        row("mcp: read of 2 KB, ms", &calls),
    ])
}

fn row(name: &str, values: &[f64]) -> String {
    match values {
        [ours, theirs] => format!("| {name} | {ours:.3} | rust-mcp-filesystem {theirs:.3} | {:.2} |", ours / theirs),
        [ours] => format!("| {name} | {ours:.3} | | |"),
        _ => String::new(),
    }
}
