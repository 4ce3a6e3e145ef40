//! A terminal: the same call where a person would see it, and what must not reach them.

#![expect(clippy::expect_used, reason = "a program that cannot be run must stop the run")]

use std::ffi::OsStr;
use std::process::Stdio;
use std::time::Instant;

use readstone_testkit::tool;

use crate::ask::Ask;
use crate::line::{self, Line, Ran};

/// What the program itself says to a terminal: colours, line ends, and the line that shows progress.
const OURS: [&str; 5] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\r\x1b[K", "\r\n"];

/// Asks on a terminal.
#[expect(clippy::disallowed_methods, reason = "a run is measured")]
pub(crate) fn ask(line: &Line<'_>, ask: &Ask) -> Ran {
    let inner = line.command("terminal", &line::arguments(ask, None));
    let words = std::iter::once(inner.get_program()).chain(inner.get_args()).map(quoted);
    let command = format!("{}; exec {}", line::limits(ask.megabytes), words.collect::<Vec<_>>().join(" "));
    let mut outer = tool("script");
    outer.args(["-qec", &command, "/dev/null"]);
    outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("TERM", "xterm");
    outer.env("SHELL", "/bin/sh");
    outer.current_dir(inner.get_current_dir().expect("a root"));
    outer.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = outer.spawn().expect("a terminal");
    let (stdout, stderr) = (line::taken(child.stdout.take()), line::taken(child.stderr.take()));
    let code = line::ended(&mut child, started);
    let took = started.elapsed();
    let (stdout, stderr) = (stdout.join().expect("its words"), stderr.join().expect("its complaints"));
    Ran { code, stdout, stderr, took, worked: None, grown: 0, left: Vec::new() }
}

/// What of this would speak to a terminal, beside what the program itself says to it.
pub(crate) fn loud(text: &str) -> Option<char> {
    let quiet = OURS.iter().fold(text.to_owned(), |text, ours| text.replace(ours, "\n"));
    spoken(&quiet)
}

/// The first character that would do something to a terminal, or turn text round.
pub(crate) fn spoken(text: &str) -> Option<char> {
    let turns = |letter: char| matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().find(|letter| letter.is_control() && !matches!(letter, '\n' | '\t') || turns(*letter))
}

/// A word for a shell.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_str().expect("a word").replace('\'', "'\\''"))
}
