//! The hostile run: every trap of the test kit, by every way to ask for it, against the program as it is delivered.
//!
//! `hostile PROGRAM [WORD]` sets all traps (or those whose names hold the word) below one root, with secrets beside it,
//! and asks `read`, `find` and `search` for them on the command line, on a terminal, over MCP and over REST. Every call must
//! end in time and within its memory, with an answer or a documented error, the same on every surface, without a secret
//! and without a word to the terminal. After all, nothing on disk has changed, and the servers hold what they held before.

mod ask;
mod codes;
mod judge;
mod line;
mod scene;
mod servers;
mod tally;
mod terminal;
mod watch;

use std::process::ExitCode;

use readstone_testkit::Trap;

use ask::Ask;
use codes::Codes;
use line::Line;
use scene::Scene;
use servers::Servers;
use tally::Tally;

#[expect(clippy::print_stderr, reason = "whoever calls it wrongly is told how to")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("hostile PROGRAM [WORD]");
        return ExitCode::from(2);
    };
    let word = arguments.next().unwrap_or_default();
    let mut tally = Tally::start();
    let chosen = |trap: &Trap| trap.name.contains(&word);
    let scene = Scene::set(&program, &Trap::all());
    tally.say("the traps are set");
    let (line, mut servers) = (Line::new(&scene), Servers::start(&scene));
    let codes = Codes::documented();
    let mut play = |asks: &[Ask], tally: &mut Tally| {
        for ask in asks {
            judge::play(ask, (&line, &mut servers), &codes, tally);
        }
    };
    for trap in Trap::all().into_iter().filter(chosen) {
        play(&Ask::of(&trap), &mut tally);
        tally.next_trap();
    }
    if word.is_empty() || word == "everything" {
        play(&Ask::of_everything(), &mut tally);
    }
    for trap in Trap::large().into_iter().filter(chosen) {
        trap.set(scene.root());
        play(&Ask::of(&trap), &mut tally);
        scene.remove(&trap);
        tally.next_trap();
    }
    scene.look(&mut tally);
    servers.end(&mut tally);
    tally.report()
}
