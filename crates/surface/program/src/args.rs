//! The arguments of the command line.

mod install;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::help;

pub(crate) use install::{InstallArguments, PlaceArguments, UninstallArguments};

/// Read, find, search and change files, documents and the web, a bounded page at a time
#[derive(Debug, Parser)]
#[command(name = "readstone", version, arg_required_else_help = true, after_help = help::PROGRAM)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read a file, a directory, a document, a database or a web page by its address
    #[command(after_help = help::READ)]
    Read(ReadArguments),
    /// Find files and directories by their names, the newest first
    #[command(after_help = help::FIND)]
    Find(FindArguments),
    /// Search text by regular expression
    #[command(after_help = help::SEARCH)]
    Search(SearchArguments),
    /// Change lines of files by a patch
    #[command(after_help = help::EDIT)]
    Edit(EditArguments),
    /// Write a file, an entry of an archive or a row of a database from standard input
    #[command(after_help = help::WRITE)]
    Write(WriteArguments),
    /// Take back the last edit or write, if the file is still as that left it
    #[command(after_help = help::UNDO)]
    Undo(UndoArguments),
    /// Serve one MCP client on standard input and output
    #[command(after_help = help::MCP)]
    Mcp(McpArguments),
    /// Add Readstone to the configuration of an MCP client
    #[command(after_help = help::INSTALL)]
    Install(InstallArguments),
    /// Take Readstone out of the configuration of an MCP client
    #[command(after_help = help::UNINSTALL)]
    Uninstall(UninstallArguments),
    /// Serve MCP, the tools and the line endpoints over HTTP
    #[command(after_help = help::SERVE)]
    Serve(ServeArguments),
    /// Show every setting, and where its value comes from
    Config(OutputArguments),
    /// Print a script that completes commands and options in a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page
    #[command(after_help = help::MAN)]
    Man,
}

/// Arguments of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Read and change files only below this directory (repeatable); a relative path is looked up in each, in order
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) root: Vec<PathBuf>,
    /// Use this configuration file
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Fetch from this host or network too (repeatable): 127.0.0.1:8080, *:8443, wiki.lan, 10.0.0.0/8, loopback or private; private if no value is given
    #[arg(long, value_name = "HOST", global = true)]
    pub(crate) allow_net: Vec<String>,
    /// Keep nothing after the program ends, undo included
    #[arg(long, global = true)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// What to read
    #[arg(value_name = "ADDRESS", required = true)]
    pub(crate) addresses: Vec<OsString>,
    /// The first line to show
    #[arg(long, value_name = "N")]
    pub(crate) start_line: Option<u64>,
    /// The last line to show
    #[arg(long, value_name = "N")]
    pub(crate) end_line: Option<u64>,
    /// The byte at which a window starts, from 0
    #[arg(long, value_name = "N")]
    pub(crate) start_byte: Option<u64>,
    /// The size of a window in bytes
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// Lines a page may have, context aside
    #[arg(long, value_name = "N")]
    pub(crate) max_lines: Option<u64>,
    /// Tokens the reply may have, estimated
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Show the text verbatim
    #[arg(long)]
    pub(crate) raw: bool,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// How the answer is shown.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Print the answer as JSON: a reply comes with its receipt
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FindArguments {
    /// Globs, directories or files
    #[arg(value_name = "GLOB", required = true)]
    pub(crate) paths: Vec<OsString>,
    /// Leave out names that begin with a dot
    #[arg(long)]
    pub(crate) no_hidden: bool,
    /// Also find what .gitignore names
    #[arg(long)]
    pub(crate) no_gitignore: bool,
    /// Paths to show, at most 200
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub(crate) limit: Option<f64>,
    /// Seconds to look: 5 unless given, at most those of the call
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Paths to skip
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub(crate) skip: Option<f64>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// What to search for; with -e, a PATH like the others
    #[arg(value_name = "PATTERN", required_unless_present = "expression")]
    pub(crate) pattern: Option<OsString>,
    /// Where to search; this directory, if none is named
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<OsString>,
    /// What to search for, also when it begins with a dash
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) expression: Option<OsString>,
    /// Ignore case
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// Also search what .gitignore names
    #[arg(long)]
    pub(crate) no_gitignore: bool,
    /// Files with matches to skip
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub(crate) skip: Option<f64>,
    /// Tokens the reply may have, estimated
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct EditArguments {
    /// A file with the patch; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) patch: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trial: TrialArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct WriteArguments {
    /// What to write
    #[arg(value_name = "ADDRESS")]
    pub(crate) address: OsString,
    /// Write only if this is the tag of what is there; new: only if nothing is
    #[arg(long, value_name = "TAG")]
    pub(crate) if_tag: Option<String>,
    #[command(flatten)]
    pub(crate) trial: TrialArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArguments {
    /// The file whose last change is taken back; without one, all that the last call changed
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    #[command(flatten)]
    pub(crate) trial: TrialArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Whether something is really done.
#[derive(Debug, Args)]
pub(crate) struct TrialArguments {
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A number that can be said in JSON.
fn number(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("it is no number")
}

/// Arguments of both servers.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ServerArguments {
    #[arg(
        long,
        value_name = "NAME",
        default_value = "default",
        value_parser = ["default", "lines", "windows"],
        help = "The tools: all, or one read_file by lines or by byte windows"
    )]
    pub(crate) profile: String,
    /// Offer only these tools of the profile
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) tools: Vec<String>,
    /// Offer only tools that change nothing
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Add the receipt for programs to every reply over MCP; several clients then hide the text from their models
    #[arg(long)]
    pub(crate) receipts: bool,
    /// What to log on standard error
    #[arg(long, value_name = "LEVEL", value_parser = ["off", "error", "warn", "info", "debug"])]
    pub(crate) log: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// Read and change files only below these directories, as with --root
    #[arg(value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Remember under this name, so that the next start knows what this one showed and changed
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// The same as `readstone install --print CLIENT`
    #[arg(long, hide = true, value_name = "CLIENT")]
    pub(crate) print_config: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Where to listen; an address that other machines reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7333")]
    pub(crate) listen: String,
    #[arg(
        long,
        value_name = "FILE",
        help = "A file with tokens, one on each line; without it, the variable READSTONE_TOKEN may hold one"
    )]
    pub(crate) token_file: Option<PathBuf>,
    /// A further name this server answers to (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose pages may call (repeatable)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
}
