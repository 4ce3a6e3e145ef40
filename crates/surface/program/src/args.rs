//! The arguments of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// Read, find, search and change anything, a bounded page at a time.
#[derive(Debug, Parser)]
#[command(name = "readstone", version, about, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

const EXAMPLES: &str = "\
Examples:
  readstone read src/lib.rs              the file, numbered, with its tag
  readstone read big.log:-50             the last 50 lines
  readstone read src/lib.rs:40-80        lines 40 to 80 with a little context
  readstone read .                       the tree of this directory
  readstone find '*.rs'                  paths, newest first
  readstone search 'fn main' src         lines that match, with their files' tags
  readstone edit patch.txt               change lines by their numbers, under a tag
  readstone write notes.md < draft.md    a whole file; undo takes it back
  readstone config                       every setting and where it comes from";

const READ_EXAMPLES: &str = "\
Addresses:
  path                a file or a directory; / alone is the working root, - is standard input
  path:N  path:N-     from line N on             path:A-B  path:A+C   lines A to B, C lines from A
  path:5-9,40-60      several ranges             path:-N              the last N lines
  path:N:C            around a place in a trace  path:bS+C            C bytes from byte S, as lines
  path:raw            verbatim; before or after a range
  path:hex            bytes                      path:conflicts       unresolved merge conflicts
  path#TAG            what changed since a reply with that tag
  dir:all             a listing with what .gitignore hides
  a.zip:dir/file      an entry of an archive     x.db:table:KEY       a row; 'x.db?q=SELECT ...' a query
  x.pdf:p3-5          pages or slides            x.xlsx:Sheet1        a sheet
  x.png:crop=X,Y,W,H  a part of a picture        x.png:info           what it is
  x.csv?limit=20      rows of a table            x.json:/a/0          a value
  path:source         the text of a file that is shown as something made of it

Examples:
  readstone read notes.txt
  readstone read report.pdf:p3-5
  readstone read src/main.rs:10-40 src/lib.rs:1-20
  readstone read data.csv --start-byte 500000 --max-bytes 65536
  readstone read app.log:-200 --max-tokens 4000 --json
  git diff | readstone read -";

const FIND_EXAMPLES: &str = "\
A glob without a slash finds names at any depth; others start where they say: src/*.ts, src/**/*.ts.
A directory stands for all it holds. Exit code 1: nothing was found.

Examples:
  readstone find '*.rs'
  readstone find 'src/**/*.{ts,tsx}' docs --no-hidden
  readstone find . --no-gitignore --limit 20 --skip 20";

const SEARCH_EXAMPLES: &str = "\
PATTERN is a regular expression in Rust syntax; it matches within lines unless it holds \\n.
A PATH is a file, a directory, a glob or another address: report.pdf, a.zip:src, shop.db:users.
Where none is named, this directory is searched. Exit code 1: nothing matched.

Examples:
  readstone search 'fn main'
  readstone search -i todo src docs 'lib/**/*.ts'
  readstone search panic src/main.rs:50-100
  readstone search -e --json . --json";

const EDIT_EXAMPLES: &str = "\
A patch has a header for each file, as read showed it, and operations on the lines of that version:
  ¶src/a.ts#0A3B
  replace 4..6:            delete 4..6            insert before 4:   insert after 4:
  +the new lines           delete block 12        insert head:       insert tail:
  +one by one              replace block 12:      insert after block 12:

Examples:
  readstone edit patch.txt
  readstone edit < patch.txt
  readstone edit --dry-run patch.txt";

const WRITE_EXAMPLES: &str = "\
ADDRESS is a path, an entry of an archive, a row of a database, local://NAME or conflict://ID.

Examples:
  readstone write src/new.rs < new.rs
  readstone write notes.md --if-tag 0A1B < notes.md
  readstone write site.zip:css/app.css < app.css
  echo '{name: \"Ada\", active: true}' | readstone write app.db:users
  echo '@ours' | readstone write conflict://3";

const MCP_EXAMPLES: &str = "\
Examples:
  readstone mcp                              works below the directory it starts in
  readstone mcp --root src --root docs       works below these
  readstone mcp --print-config claude        the lines to paste into a client's settings";

const SERVE_EXAMPLES: &str = "\
Paths:
  POST /v1/tools/NAME             call a tool        GET /v1/tools      the tools and their schemas
  GET  /api/v0/read-file-lines    bounded lines      GET /openapi.json  all of this, for programs
  GET  /api/v0/read-file          bytes              GET /metrics       counters
       /mcp                       MCP                GET /healthz       whether it is there

Examples:
  readstone serve
  readstone serve --root /srv/code --listen 127.0.0.1:8080
  readstone serve --listen 0.0.0.0:7333 --token-file /etc/readstone/token --allow-host files.example";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read files and directories by their addresses
    #[command(after_help = READ_EXAMPLES)]
    Read(ReadArguments),
    /// Find paths by glob, newest first
    #[command(after_help = FIND_EXAMPLES)]
    Find(FindArguments),
    /// Search contents by regular expression
    #[command(after_help = SEARCH_EXAMPLES)]
    Search(SearchArguments),
    /// Change lines of files by a patch
    #[command(after_help = EDIT_EXAMPLES)]
    Edit(EditArguments),
    /// Write a file, an entry of an archive or a row of a database from standard input
    #[command(after_help = WRITE_EXAMPLES)]
    Write(WriteArguments),
    /// Take back the last change, if the file is still as it was made
    Undo(UndoArguments),
    /// Serve one MCP client on standard input and output
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArguments),
    /// Serve MCP, the tools and the line endpoints over HTTP
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArguments),
    /// Show every setting and where its value comes from
    Config(OutputArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Arguments of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Read and change files only below this directory (repeatable); relative paths start at the first
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) root: Vec<PathBuf>,
    /// Use this configuration file
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Fetch from this host or network too (repeatable): 127.0.0.1:8080, wiki.lan, 10.0.0.0/8, loopback, private
    #[arg(long, value_name = "HOST", global = true)]
    pub(crate) allow_net: Vec<String>,
    /// Remember nothing after this call
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
    /// Print the answer as JSON; a reply with its receipt
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
    /// Seconds to look, 0.5 to 60
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
    /// What to search for; a PATH as well when -e says it
    #[arg(value_name = "PATTERN", required_unless_present = "expression")]
    pub(crate) pattern: Option<OsString>,
    /// Where to search
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
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// The set of tools: default, lines or windows
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = ["default", "lines", "windows"])]
    pub(crate) profile: String,
    /// Offer only these tools of the profile
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) tools: Vec<String>,
    /// Offer only tools that change nothing
    #[arg(long)]
    pub(crate) read_only: bool,
    /// What to log on standard error: off, error, warn, info or debug
    #[arg(long, value_name = "LEVEL", value_parser = ["off", "error", "warn", "info", "debug"])]
    pub(crate) log: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Remember under this name, so that the next start knows what this one did
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Print what to paste into the settings of claude, cursor, vscode, zed or codex
    #[arg(long, value_name = "CLIENT", value_parser = ["claude", "cursor", "vscode", "zed", "codex"])]
    pub(crate) print_config: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// Where to listen; other machines can reach it only with a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7333")]
    pub(crate) listen: String,
    /// A file with tokens, one on each line; the variable `READSTONE_TOKEN` holds one instead
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// A further name this server answers to (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose pages may call (repeatable)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
}
