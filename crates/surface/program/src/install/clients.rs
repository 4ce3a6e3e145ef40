//! The table of clients: where each keeps its MCP servers, and what an entry looks like there.
//!
//! Clients change these things several times a year, so they are data. In texts `{name}` is the name of the server and
//! `{tool}` stands for each of the tools that only read.

mod editors;
mod terminal;

/// A client.
#[derive(Debug)]
pub(super) struct Client {
    /// How the command line names it.
    pub(super) name: &'static str,
    /// How people name it.
    pub(super) title: &'static str,
    pub(super) format: Format,
    /// The file of the user.
    pub(super) user: Option<Location>,
    /// The file of a project, below its directory.
    pub(super) project: Option<&'static str>,
    /// The keys above the entries of servers.
    pub(super) path: &'static [&'static str],
    pub(super) shape: Shape,
    /// Settings of the entry that are always the same.
    pub(super) settings: &'static [(&'static str, Fixed)],
    /// Variables of the entry that are set unless others are given.
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) roots: Roots,
    /// The setting that lets the reading tools run without a question.
    pub(super) approve: Extra,
    /// The setting that switches off the client's own tools for files.
    pub(super) prefer: Extra,
    /// The client's own command, and its flag for a variable.
    pub(super) command: Option<(&'static str, &'static str)>,
    /// The next step of a person.
    pub(super) next: &'static str,
}

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON, with comments where there are some.
    Json,
    Toml,
    /// YAML is printed for the user to add: nothing here can change it without disturbing the rest.
    Goose,
    Continue,
    /// There is no file, only a page of settings.
    Form(&'static str),
}

/// Where a file is, by system. `~` is the home directory, `@config` and `@appdata` the usual places for settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) linux: &'static str,
    pub(super) mac: &'static str,
    pub(super) windows: &'static str,
    /// A variable that names the directory (or with an empty rest the file), and what follows it.
    pub(super) moved: Option<(&'static str, &'static str)>,
    /// Another name of the file in the same directory, used when it is there.
    pub(super) instead: Option<&'static str>,
}

/// The form of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `command`, `args`, `env`
    Plain,
    /// The same after `"type": "stdio"`.
    Typed,
    /// `"type": "local"`, one list for the program and its arguments, `environment`.
    Local,
}

/// How a server that is given no directory finds the project.
#[derive(Clone, Copy, Debug)]
pub(super) enum Roots {
    /// From its environment, from the client or from the directory it starts in; in the file of a project perhaps from a
    /// variable that the client expands there.
    Found { project: Option<&'static str> },
    /// From a variable that the client expands in every file.
    Variable(&'static str),
    /// In no way: the client starts it anywhere, so `--root` must say it.
    Asked,
}

/// Something that can be set besides the entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extra {
    /// Nothing can be set; the sentence says why, or what a person can do.
    Words(&'static str),
    /// A list of the reading tools in the entry.
    ToolsInEntry(&'static str),
    /// A setting of the entry.
    InEntry(&'static str, Fixed),
    /// Elements of a list.
    Elements { file: Place, path: &'static [&'static str], elements: &'static [&'static str], words: &'static str },
    /// Members of an object, all with one value.
    Members {
        file: Place,
        path: &'static [&'static str],
        names: &'static [&'static str],
        value: Fixed,
        words: &'static str,
    },
}

/// The file of a setting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The file of the servers.
    Same,
    /// Another one: of the user, and of a project; an empty name means that of the user for both.
    Other(Location, &'static str),
}

/// A value that does not depend on the call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fixed {
    Flag(bool),
    Text(&'static str),
    Texts(&'static [&'static str]),
    Table(&'static [(&'static str, Fixed)]),
}

/// The tools that only read.
pub(super) const READING: [&str; 3] = ["read", "find", "search"];

/// A location that is the same everywhere.
const fn anywhere(path: &'static str) -> Location {
    Location { linux: path, mac: path, windows: path, moved: None, instead: None }
}

/// Every client, in the order of the help.
pub(super) fn all() -> impl Iterator<Item = &'static Client> {
    terminal::CLIENTS.iter().chain(editors::CLIENTS)
}

/// The names of all clients.
pub(crate) fn names() -> Vec<&'static str> {
    all().map(|client| client.name).collect()
}

/// The client with a name; `claude` is what `mcp --print-config` called Claude Code.
pub(super) fn find(name: &str) -> Option<&'static Client> {
    let name = if name == "claude" { "claude-code" } else { name };
    all().find(|client| client.name == name)
}
