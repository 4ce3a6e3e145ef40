//! The man page: the whole command line on one page, made from the arguments it is parsed with.

use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use readstone_base::Class;

use crate::args::Arguments;
use crate::help;

/// The page in the language of `man`.
pub(crate) fn page() -> io::Result<Vec<u8>> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let whole = Man::new(program.clone()).manual("Readstone");
    let mut page = Vec::new();
    whole.render_title(&mut page)?;
    add(&mut page, |part| whole.render_name_section(part))?;
    add(&mut page, |part| whole.render_synopsis_section(part))?;
    add(&mut page, |part| section("DESCRIPTION", DESCRIPTION).to_writer(part))?;
    add(&mut page, |part| whole.render_options_section(part))?;
    add(&mut page, |part| section("COMMANDS", COMMANDS).to_writer(part))?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        self::command(command, &mut page)?;
    }
    add(&mut page, |part| exit_status().to_writer(part))?;
    add(&mut page, |part| section("ENVIRONMENT", ENVIRONMENT).to_writer(part))?;
    add(&mut page, |part| section("FILES", FILES).to_writer(part))?;
    add(&mut page, |part| section("EXAMPLES", "").to_writer(part))?;
    add(&mut page, |part| as_it_stands(help::EXAMPLES).to_writer(part))?;
    Ok(page)
}

/// Adds a part; what every part defines anew stands at the head of the page already.
fn add(page: &mut Vec<u8>, render: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
    let mut part = Vec::new();
    render(&mut part)?;
    let lines = part.split_inclusive(|byte| *byte == b'\n');
    page.extend(lines.filter(|line| !line.starts_with(b".ie ") && !line.starts_with(b".el ")).flatten());
    Ok(())
}

const DESCRIPTION: &str = "\
Readstone reads, finds, searches and changes files, documents and the web for agents and for people. An address names what is meant: a \
path, and behind a colon a part of it. A reply fits a context window; when it shows a part, it ends with the address that shows what \
follows.

A header such as ¶notes.txt#0A1B names a file and the tag of the version that was shown. The tag and the line numbers below it are what \
edit takes.

readstone read readstone:// shows the manual, readstone read readstone://addresses.md every form of an address.";

const COMMANDS: &str = "\
The options above go with every command.";

const ENVIRONMENT: &str = "\
Every setting but mcp can be given as READSTONE_NAME; readstone config shows them all. READSTONE_CONFIG names the configuration file and \
READSTONE_TOKEN holds a token for serve. NO_COLOR switches colours off.";

const FILES: &str = "\
~/.config/readstone/config.toml has the settings, ~/.local/state/readstone what is remembered between calls; XDG_CONFIG_HOME and \
XDG_STATE_HOME move them.";

/// A section of paragraphs.
fn section(title: &str, text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for paragraph in text.split("\n\n") {
        roff.control("PP", []);
        roff.text([roman(paragraph)]);
    }
    roff
}

/// A command with what it takes, but for the options that all of them have.
fn command(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let own = command.clone().mut_args(|argument| {
        let general = argument.is_global_set() || argument.get_id() == "help";
        argument.hide(general)
    });
    let name = format!("readstone {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut start = Roff::new();
    start.control("SS", [name.as_str()]);
    start.text([roman(about + ".")]);
    start.control("PP", []);
    add(page, |part| start.to_writer(part))?;
    let man = Man::new(own);
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    // They stand below the heading of the command.
    let lines = parts.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(b".SH "));
    add(page, |part| {
        part.extend(lines.flatten());
        let after = command.get_after_help().map(ToString::to_string);
        after.map_or(Ok(()), |text| as_it_stands(&text).to_writer(part))
    })
}

/// A text line by line.
fn as_it_stands(text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("PP", []);
    roff.control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}

fn exit_status() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    let found = [(0, "the call succeeded"), (1, "find or search found nothing")];
    let failed = Class::ALL.into_iter().map(|class| (class.exit_code(), words_of(class)));
    for (code, words) in found.into_iter().chain(failed) {
        roff.control("TP", []);
        roff.text([bold(code.to_string())]);
        roff.text([roman(words)]);
    }
    roff
}

fn words_of(class: Class) -> &'static str {
    match class {
        Class::Request => "the call was wrong",
        Class::Missing => "what was asked for is not there",
        Class::Denied => "a rule or a permission forbids it",
        Class::TooBig => "it is larger than a limit",
        Class::Stale => "it changed since it was shown",
        Class::Broken => "it cannot be read or changed as it is",
        Class::Outside => "the system or another machine failed",
        Class::Stopped => "it took too long, or was stopped",
        Class::Bug => "a bug of Readstone",
    }
}
