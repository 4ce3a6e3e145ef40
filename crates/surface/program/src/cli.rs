//! The command line: arguments in, bytes and an exit code out.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use readstone_base::{Class, Failure, Fault, Part, Reply, Status, TargetError, escape_name};
use readstone_host::Environment;
use serde_json::json;

use crate::args::{Arguments, Command, Common, ReadArguments};
use crate::progress::Watch;
use crate::{config, paint, serve, setup, worker};

/// Runs the program and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = allow_all(arguments.into_iter().map(guard).collect());
    if let Some(code) = worker::run(&arguments) {
        return code;
    }
    let form = if arguments.iter().any(|argument| argument == "--json") { Form::Json } else { Form::Text };
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error, form),
    };
    let environment = Environment::of_process();
    let done = match arguments.command {
        Command::Read(read) => run_read(&read, &arguments.common, &environment, form),
        Command::Mcp(mcp) => Ok(outcome(serve::run_mcp(&mcp, &arguments.common, &environment), form)),
        Command::Serve(serve) => Ok(outcome(serve::run_http(&serve, &arguments.common, &environment), form)),
        Command::Config { json } => {
            let show = if json { config::print_json } else { config::print };
            run_config(&arguments.common, &environment, show, form)
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "readstone", &mut script);
            print(&script).map(|()| ExitCode::SUCCESS)
        }
    };
    match done {
        Ok(code) => code,
        // Whoever reads the output may stop early; that is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("surface.io: the reply could not be written: {error}\n"));
            ExitCode::from(Class::Broken.exit_code())
        }
    }
}

/// A part of standard input, such as `-:10-20`, looks like a flag; a pilcrow before an address says that it is none.
fn guard(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with("-:") => format!("¶{text}").into(),
        Some(_) | None => argument,
    }
}

/// `--allow-net` with no host behind it allows every private network.
fn allow_all(arguments: Vec<OsString>) -> Vec<OsString> {
    let names: Vec<String> =
        Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let is_host =
        |text: &str| !text.starts_with('-') && !text.contains("://") && !names.iter().any(|name| name == text);
    let mut all = Vec::with_capacity(arguments.len() + 1);
    let mut rest = arguments.into_iter().peekable();
    while let Some(argument) = rest.next() {
        let bare = argument == "--allow-net" && !rest.peek().and_then(|next| next.to_str()).is_some_and(is_host);
        all.push(argument);
        all.extend(bare.then(|| "private".into()));
    }
    all
}

/// How a failure is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In words, on standard error.
    Text,
    /// As data, on standard output.
    Json,
}

/// A command line that cannot be read.
#[derive(Debug)]
struct BadArguments(String);

impl std::fmt::Display for BadArguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; readstone --help tells what there is", self.0)
    }
}

impl std::error::Error for BadArguments {}

impl Failure for BadArguments {
    fn code(&self) -> &'static str {
        "surface.bad_arguments"
    }

    fn class(&self) -> Class {
        Class::Request
    }
}

fn usage(error: &clap::Error, form: Form) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        let what = first.split_whitespace().collect::<Vec<_>>().join(" ");
        return refuse(&BadArguments(what), form);
    }
    if error.use_stderr() {
        complain(&text);
        return ExitCode::from(Class::Request.exit_code());
    }
    // Help that nobody reads to the end is still help.
    drop(print(text.as_bytes()));
    ExitCode::SUCCESS
}

/// How a server ended.
fn outcome(served: Result<(), Fault>, form: Form) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => refuse(&*fault, form),
    }
}

fn run_config(
    common: &Common,
    environment: &Environment,
    show: fn(&readstone_session::Config) -> String,
    form: Form,
) -> io::Result<ExitCode> {
    match setup::config(common, environment) {
        Ok(config) => print(show(&config).as_bytes()).map(|()| ExitCode::SUCCESS),
        Err(error) => Ok(refuse(&error, form)),
    }
}

fn refuse(error: &dyn Failure, form: Form) -> ExitCode {
    let reply = readstone_render::failure("read", TargetError::of(error));
    match form {
        Form::Text => complain(&reply.text()),
        Form::Json => drop(print(format!("{}\n", readstone_desk::reply_text(&reply)).as_bytes())),
    }
    ExitCode::from(error.class().exit_code())
}

fn run_read(read: &ReadArguments, common: &Common, environment: &Environment, form: Form) -> io::Result<ExitCode> {
    let toolbox = setup::config(common, environment).and_then(|config| setup::toolbox(&config, environment));
    let toolbox = match toolbox {
        Ok(toolbox) => toolbox,
        Err(error) => return Ok(refuse(&error, form)),
    };
    let budget = toolbox.budget();
    let watch = Watch::start(&budget);
    let reply = toolbox.call("read", &input(read), &budget);
    watch.stop();
    if read.json {
        let text = format!("{}\n", readstone_desk::reply_text(&reply));
        print(text.as_bytes())?;
    } else {
        show(&reply)?;
    }
    Ok(match reply.status {
        Status::Ok => ExitCode::SUCCESS,
        Status::Error(class) => ExitCode::from(class.exit_code()),
    })
}

fn input(read: &ReadArguments) -> serde_json::Value {
    let address = |argument: &OsString| match argument.to_str() {
        Some(text) if text.starts_with("¶-:") => text.trim_start_matches('¶').to_owned(),
        Some(text) => text.to_owned(),
        None => escape_name(argument),
    };
    let addresses: Vec<String> = read.addresses.iter().map(address).collect();
    json!({
        "paths": addresses,
        "start_line": read.start_line,
        "end_line": read.end_line,
        "start_byte": read.start_byte,
        "max_bytes": read.max_bytes,
        "max_lines": read.max_lines,
        "max_tokens": read.max_tokens,
        "raw": read.raw,
    })
}

/// Shows a reply: text on standard output, errors and the coverage of verbatim pages on standard error.
fn show(reply: &Reply) -> io::Result<()> {
    if let Status::Error(_) = reply.status {
        complain(&reply.text());
        return Ok(());
    }
    let terminal = io::stdout().is_terminal();
    let colours = terminal && paint::wanted(&Environment::of_process());
    let mut targets = reply.receipt.targets.iter();
    // A picture alone is the bytes of a file; among words it was named by them.
    let alone = reply.parts.len() == 1;
    for part in &reply.parts {
        match part {
            Part::Text(text) if colours => print(paint::page(text).as_bytes())?,
            Part::Text(text) => print(text.as_bytes())?,
            // A terminal must not be spoken to by what is read.
            Part::Verbatim(raw) if terminal => print(paint::harmless(&raw.text).as_bytes())?,
            Part::Verbatim(raw) => print(raw.bytes.as_deref().unwrap_or(raw.text.as_bytes()))?,
            Part::Image(image) if terminal => {
                print(format!("[{}, {} bytes]\n", image.mime, image.bytes.len()).as_bytes())?;
            }
            Part::Image(image) if alone => print(&image.bytes)?,
            Part::Image(image) => {
                complain(&format!("[{}, {} bytes, is not shown here; --json has it]\n", image.mime, image.bytes.len()));
            }
        }
        // Pictures belong to the target before them.
        let target = if matches!(part, Part::Image(_)) { None } else { targets.next() };
        let aside = target.filter(|_| matches!(part, Part::Verbatim(_))).and_then(readstone_render::aside);
        if let Some(aside) = aside {
            complain(&aside);
        }
    }
    Ok(())
}

pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Says something on standard error, in which nothing can speak to the terminal; that it is closed is no reason to
/// fail.
pub(crate) fn complain(text: &str) {
    drop(io::stderr().lock().write_all(paint::harmless(text).as_bytes()));
}
