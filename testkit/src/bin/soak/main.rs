//! A soak: an hour's worth of calls in a minute or two, after which a server must be as it was.
//!
//! `soak PROGRAM [CALLS]` plays mixed calls against `readstone serve` (tools and MCP) and `readstone mcp`, sixteen in
//! flight, some of them cancelled and some left by their callers. Descriptors, threads, processes and memory must
//! return to where they were after a short warm-up. The exit code is 1 when they do not, or when an answer is wrong.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "whoever runs it reads what it says")]

mod calls;
mod http;
mod level;
mod stdio;
mod tally;
mod world;

use std::process::ExitCode;

use readstone_testkit::{Served, Spoken};

use level::Level;
use tally::Tally;

/// Calls unless the caller says otherwise, over all servers.
const CALLS: usize = 10_000;
/// Calls before the first look, so that pools, caches and workers are there.
const WARM: usize = 1_000;
/// Calls in flight.
const FLIGHT: usize = 16;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("soak PROGRAM [CALLS]");
        return ExitCode::from(2);
    };
    let calls = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(CALLS);
    let world = world::make(&program);
    let mut sound = true;

    let server = Served::start(&world, ["--root", "."]);
    let mut tally = Tally::default();
    http::play(&server, WARM, &mut tally);
    let before = Level::at_rest(server.vitals());
    http::play(&server, calls / 2, &mut tally);
    sound &= report("serve", before, Level::back_to(before, server.vitals()), &tally);
    let (code, log) = server.stop();
    sound &= ended("serve", code, &log);

    let mut spoken = Spoken::start(&world, ["--root", "."], "2025-06-18");
    let mut tally = Tally::default();
    stdio::play(&mut spoken, WARM, &mut tally);
    let before = Level::at_rest(spoken.vitals());
    stdio::play(&mut spoken, calls - calls / 2, &mut tally);
    sound &= report("mcp", before, Level::back_to(before, spoken.vitals()), &tally);
    let (code, log) = spoken.end();
    sound &= ended("mcp", code, &log);

    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints what a server had before and has now; whether all is well.
fn report(name: &str, before: Level, now: Level, tally: &Tally) -> bool {
    println!("{name}: {tally}");
    println!("  before: {before}\n  after:  {now}");
    for wrong in tally.wrong() {
        println!("  wrong: {wrong}");
    }
    let back = now.is_back_at(before);
    if !back {
        println!("  {name} did not return to where it was");
    }
    back && tally.is_sound()
}

/// Whether a server ended as it should and never spoke of a panic.
fn ended(name: &str, code: Option<i32>, log: &str) -> bool {
    let panics = log.lines().filter(|line| line.contains("panicked")).count();
    let well = code == Some(0) && panics == 0;
    if !well {
        println!("  {name} ended with {code:?}, {panics} panics");
    }
    well
}
