//! The command line: arguments in, bytes and an exit code out.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use readstone_base::{Class, Failure, Fault, Part, Receipt, Reply, Status, TargetError};
use readstone_host::{Environment, block_file_size_signal};
use readstone_session::Config;

use crate::args::{Arguments, Command, Common, OutputArguments};
use crate::calls::{BadArguments, Call, Form, guard};
use crate::progress::Watch;
use crate::{config, install, man, paint, serve, setup, worker};

/// Runs the program and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // A file that may not grow is refused like a full disk, and does not end the program.
    block_file_size_signal();
    let arguments = allow_all(arguments.into_iter().map(guard).collect());
    if let Some(code) = worker::run(&arguments) {
        return code;
    }
    // What cannot be parsed may still tell who is to be answered, and how.
    let tool = Call::tool_in(&arguments);
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    let form = if json { Form::Json } else { Form::Text };
    let done = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => dispatch(arguments),
        Err(error) => usage(&error, &arguments, (tool, form)),
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

fn dispatch(arguments: Arguments) -> io::Result<ExitCode> {
    let environment = Environment::of_process();
    let common = &arguments.common;
    match arguments.command {
        Command::Read(read) => run_call(&Call::read(&read), common, &environment),
        Command::Find(find) => run_call(&Call::find(&find), common, &environment),
        Command::Search(search) => {
            run_or_refuse("search", Call::search(&search), search.output.form(), (common, &environment))
        }
        Command::Edit(edit) => run_or_refuse("edit", Call::edit(&edit), edit.output.form(), (common, &environment)),
        Command::Write(write) => {
            run_or_refuse("write", Call::write(&write), write.output.form(), (common, &environment))
        }
        Command::Undo(undo) => run_call(&Call::undo(&undo), common, &environment),
        Command::Mcp(mcp) => Ok(outcome(serve::run_mcp(&mcp, common, &environment))),
        Command::Install(install) => Ok(outcome(install::run_install(&install, common, &environment))),
        Command::Uninstall(uninstall) => Ok(outcome(install::run_uninstall(&uninstall, common, &environment))),
        Command::Serve(serve) => Ok(outcome(serve::run_http(&serve, common, &environment))),
        Command::Config(output) => run_config(common, &environment, &output),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "readstone", &mut script);
            print(&script).map(|()| ExitCode::SUCCESS)
        }
        Command::Man => print(&man::page()?).map(|()| ExitCode::SUCCESS),
    }
}

/// `--allow-net` with no host behind it allows every private network.
fn allow_all(arguments: Vec<OsString>) -> Vec<OsString> {
    // All commands with all their options are made up for their names: only who needs them waits for that.
    if arguments.iter().all(|argument| argument != "--allow-net") {
        return arguments;
    }
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

/// The command line that tells of the arguments which were meant.
fn help_on(arguments: &[OsString]) -> String {
    let commands = Arguments::command();
    match arguments.iter().skip(1).find_map(|argument| commands.find_subcommand(argument)) {
        Some(command) => format!("readstone {} --help", command.get_name()),
        None => "readstone --help".to_owned(),
    }
}

fn usage(error: &clap::Error, arguments: &[OsString], (tool, form): (&'static str, Form)) -> io::Result<ExitCode> {
    let text = error.render().to_string();
    if error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        let what = first.split_whitespace().collect::<Vec<_>>().join(" ");
        return Ok(refuse(tool, &BadArguments::Unknown { what, help: help_on(arguments) }, form));
    }
    if error.use_stderr() {
        complain(&text);
        return Ok(ExitCode::from(Class::Request.exit_code()));
    }
    print(text.as_bytes()).map(|()| ExitCode::SUCCESS)
}

/// How a server or an installation ended.
fn outcome(served: Result<(), Fault>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => refuse("", &*fault, Form::Text),
    }
}

fn run_config(common: &Common, environment: &Environment, output: &OutputArguments) -> io::Result<ExitCode> {
    let form = output.form();
    let show = match form {
        Form::Json => config::print_json,
        Form::Text => config::print,
    };
    let config = setup::config(common, environment);
    warn(config.as_ref().ok());
    match config {
        Ok(config) => print(show(&config).as_bytes()).map(|()| ExitCode::SUCCESS),
        Err(error) => Ok(refuse("", &error, form)),
    }
}

/// Says on standard error which variables were ignored.
pub(crate) fn warn(config: Option<&Config>) {
    if let Some(warning) = config.and_then(Config::warning) {
        complain(&format!("[warning: {warning}]\n"));
    }
}

fn refuse(tool: &'static str, error: &dyn Failure, form: Form) -> ExitCode {
    let reply = readstone_render::failure(tool, TargetError::of(error));
    match form {
        Form::Text => complain(&reply.text()),
        Form::Json => drop(print(format!("{}\n", readstone_desk::reply_text(&reply)).as_bytes())),
    }
    ExitCode::from(error.class().exit_code())
}

/// Makes a call, if the command line could be read as one.
fn run_or_refuse(
    tool: &'static str,
    call: Result<Call, BadArguments>,
    form: Form,
    (common, environment): (&Common, &Environment),
) -> io::Result<ExitCode> {
    match call {
        Ok(call) => run_call(&call, common, environment),
        Err(error) => Ok(refuse(tool, &error, form)),
    }
}

/// Makes a call and shows its reply.
fn run_call(call: &Call, common: &Common, environment: &Environment) -> io::Result<ExitCode> {
    let config = setup::config(common, environment);
    warn(config.as_ref().ok());
    let toolbox = config.and_then(|config| setup::toolbox(&config, environment));
    let toolbox = match toolbox {
        Ok(toolbox) => toolbox,
        Err(error) => return Ok(refuse(call.tool, &error, call.form)),
    };
    let budget = toolbox.budget();
    let watch = Watch::start(call.tool, &budget);
    let reply = toolbox.call(call.tool, &call.input, &budget);
    watch.stop();
    match call.form {
        Form::Json => print(format!("{}\n", readstone_desk::reply_text(&reply)).as_bytes())?,
        Form::Text => show(&reply)?,
    }
    Ok(ExitCode::from(exit_code(&reply)))
}

/// The exit code of a call that found nothing, as of every program that looks for something.
const NOTHING_FOUND: u8 = 1;

fn exit_code(reply: &Reply) -> u8 {
    let Receipt { found, targets, .. } = &reply.receipt;
    let nothing = found.as_ref().is_some_and(|found| found.paths.is_empty()) && targets.is_empty();
    match reply.status {
        Status::Ok if nothing => NOTHING_FOUND,
        Status::Ok => 0,
        Status::Error(class) => class.exit_code(),
    }
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
            Part::Verbatim(raw) if terminal => {
                let harmless = paint::harmless(&raw.text);
                print(harmless.as_bytes())?;
                if raw.bytes.is_some() || harmless != raw.text {
                    complain(
                        "[not verbatim on a terminal: what could speak to it is spelled out; a pipe gets the bytes]\n",
                    );
                }
            }
            Part::Verbatim(raw) => print(raw.bytes.as_deref().unwrap_or(raw.text.as_bytes()))?,
            Part::Image(image) if alone && !terminal => print(&image.bytes)?,
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
