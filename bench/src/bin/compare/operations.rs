//! Operations: what everybody is asked for, each in its own words, and what every answer must show.

mod files;
mod insides;
mod trees;

use serde_json::{Value, json};

use crate::data::Data;

/// The limits of our replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// As they are for everybody.
    Usual,
    /// As wide as a configuration can make them, for rivals that answer with all at once.
    Wide,
}

impl Limits {
    /// What the program finds in its environment.
    pub(crate) fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Usual => &[],
            Self::Wide => &[
                ("READSTONE_PAGE_BYTES", "1048576"),
                ("READSTONE_PAGE_LINES", "3000"),
                ("READSTONE_RANGE_LINES", "100000"),
                ("READSTONE_REPLY_BYTES", "4194304"),
            ],
        }
    }
}

/// What we are asked for.
#[derive(Debug)]
pub(crate) struct Ours {
    pub(crate) tool: &'static str,
    /// On the command line.
    pub(crate) arguments: Vec<String>,
    /// Over MCP.
    pub(crate) input: Value,
    pub(crate) limits: Limits,
}

/// A command line that does the same: programs, the output of each going to the next.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) steps: Vec<Vec<String>>,
}

impl Tool {
    /// How it is written.
    pub(crate) fn spelled(&self) -> String {
        self.steps.iter().map(|step| step.join(" ")).collect::<Vec<_>>().join(" | ")
    }

    /// The programs and their flags.
    pub(crate) fn name(&self) -> String {
        let flag = |word: &&String| word.starts_with('-') && word.chars().any(char::is_alphabetic);
        let brief = |step: &Vec<String>| {
            let words = step.iter().take(1).chain(step.iter().skip(1).filter(flag));
            words.map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        self.steps.iter().map(brief).collect::<Vec<_>>().join(", ")
    }
}

/// A call of another server.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
}

/// One operation.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) ours: Ours,
    pub(crate) shows: Vec<String>,
    pub(crate) tools: Vec<Tool>,
    /// In the order of `peers::SERVERS`; nothing where a server has no tool for it.
    pub(crate) servers: [Option<Call>; 2],
    /// Why our process is behind a tool's, where it is and we know.
    pub(crate) behind_tools: &'static str,
    /// Why our call is behind a server's, where it is and we know.
    pub(crate) behind_servers: &'static str,
}

impl Operation {
    fn new(name: impl Into<String>, ours: Ours) -> Self {
        Self {
            name: name.into(),
            ours,
            shows: Vec::new(),
            tools: Vec::new(),
            servers: [None, None],
            behind_tools: "",
            behind_servers: "",
        }
    }

    fn shows(mut self, text: impl Into<String>) -> Self {
        self.shows.push(text.into());
        self
    }

    /// A tool whose arguments have no blanks.
    fn tool(self, step: &str) -> Self {
        self.pipeline(&[step])
    }

    fn pipeline(mut self, steps: &[&str]) -> Self {
        let words = |step: &&str| step.split_whitespace().map(str::to_owned).collect();
        self.tools.push(Tool { steps: steps.iter().map(words).collect() });
        self
    }

    /// A tool with a last argument that has blanks.
    fn tool_with(mut self, step: &str, argument: &str) -> Self {
        let words = step.split_whitespace().chain([argument]).map(str::to_owned).collect();
        self.tools.push(Tool { steps: vec![words] });
        self
    }

    fn rust(mut self, tool: &'static str, input: Value) -> Self {
        let [_, node] = self.servers;
        self.servers = [Some(Call { tool, input }), node];
        self
    }

    fn node(mut self, tool: &'static str, input: Value) -> Self {
        let [rust, _] = self.servers;
        self.servers = [rust, Some(Call { tool, input })];
        self
    }

    fn behind_tools(mut self, reason: &'static str) -> Self {
        self.behind_tools = reason;
        self
    }

    fn behind_servers(mut self, reason: &'static str) -> Self {
        self.behind_servers = reason;
        self
    }
}

/// What a quick process of ours has that a plain tool has not.
pub(crate) const START: &str = "the start of the process, which is larger; the work itself is the first call over MCP";

fn read(address: impl Into<String>) -> Ours {
    let address = address.into();
    Ours { tool: "read", input: json!({ "path": address }), arguments: vec![address], limits: Limits::Usual }
}

fn read_wide(address: impl Into<String>) -> Ours {
    Ours { limits: Limits::Wide, ..read(address) }
}

fn find(glob: &str) -> Ours {
    let arguments = vec![glob.to_owned()];
    Ours { tool: "find", input: json!({ "paths": [glob] }), arguments, limits: Limits::Usual }
}

fn search(pattern: &str, path: &str) -> Ours {
    let arguments = vec![pattern.to_owned(), path.to_owned()];
    Ours { tool: "search", input: json!({ "pattern": pattern, "paths": [path] }), arguments, limits: Limits::Usual }
}

/// All of them.
pub(crate) fn all(data: &Data) -> Vec<Operation> {
    [files::small(data), files::large(data), trees::all(data), insides::all(data)].into_iter().flatten().collect()
}
