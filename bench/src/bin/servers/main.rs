//! The servers beside their rivals, in one run: how fast they start, how fast they answer, and what a flood does.
//!
//! `servers [PEER]` takes the path of `rust-mcp-filesystem` to measure against; `servers bare PORT` is the rival of
//! the HTTP server and is started by the first.

mod bare;
mod flood;
mod http;
mod process;
mod stdio;

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;

use process::Program;

/// What most measurements read.
const SMALL: &str = "small.txt";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, file] = arguments.as_slice()
        && command == "bare"
    {
        return bare::serve(file);
    }
    let place = tempfile::tempdir()?;
    let line = "00000001 INFO request served in 012 ms for /items/00042\n";
    let text: String = line.repeat(2_048 / line.len());
    let small = place.path().join(SMALL);
    write_file(&small, text.as_bytes())?;
    let program = Program::beside(place.path())?;
    let peer = arguments.first().map(PathBuf::from);

    let mut out = std::io::stdout().lock();
    for row in stdio::measure(&program, peer.as_deref(), &small)? {
        writeln!(out, "{row}")?;
    }
    for row in http::measure(&program, &small)? {
        writeln!(out, "{row}")?;
    }
    for row in flood::measure(&program)? {
        writeln!(out, "{row}")?;
    }
    Ok(())
}

fn write_file(path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::File::create(path)?.write_all(bytes)
}
