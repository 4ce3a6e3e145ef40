//! Calls: what the command line says, as the input of a tool.

use std::ffi::OsString;
use std::path::Path;

use readstone_base::{Class, Failure, LIMITS, escape_name, plain_words};
use serde_json::{Value, json};

use crate::args::{
    EditArguments, FindArguments, OutputArguments, ReadArguments, SearchArguments, UndoArguments, WriteArguments,
};

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct Call {
    /// The tool.
    pub(crate) tool: &'static str,
    /// Its input.
    pub(crate) input: Value,
    /// How its reply is told.
    pub(crate) form: Form,
}

/// How a reply or a failure is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In words; failures on standard error.
    Text,
    /// As data, on standard output.
    Json,
}

/// A command line that cannot be read.
#[derive(Debug)]
pub(crate) enum BadArguments {
    /// It is none of those that this help tells of.
    Unknown { what: String, help: String },
    /// What it leads to cannot be taken.
    Input(String),
}

impl std::fmt::Display for BadArguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { what, help } => write!(f, "{what}; {help} tells what there is"),
            Self::Input(what) => f.write_str(what),
        }
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

impl OutputArguments {
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

impl Call {
    /// The tool that arguments name, as far as they can be told apart without being understood.
    pub(crate) fn tool_in(arguments: &[OsString]) -> &'static str {
        let tools = ["read", "find", "search", "edit", "write", "undo"];
        let named = arguments.iter().skip(1).find_map(|argument| tools.into_iter().find(|tool| argument == tool));
        named.unwrap_or_default()
    }

    pub(crate) fn read(read: &ReadArguments) -> Self {
        let input = json!({
            "paths": addresses(&read.addresses),
            "start_line": read.start_line,
            "end_line": read.end_line,
            "start_byte": read.start_byte,
            "max_bytes": read.max_bytes,
            "max_lines": read.max_lines,
            "max_tokens": read.max_tokens,
            "raw": read.raw,
        });
        Self { tool: "read", input, form: read.output.form() }
    }

    pub(crate) fn find(find: &FindArguments) -> Self {
        let input = json!({
            "paths": addresses(&find.paths),
            "hidden": !find.no_hidden,
            "gitignore": !find.no_gitignore,
            "limit": find.limit,
            "timeout": find.timeout,
            "skip": find.skip,
        });
        Self { tool: "find", input, form: find.output.form() }
    }

    pub(crate) fn search(search: &SearchArguments) -> Result<Self, BadArguments> {
        // Where the pattern is named, all the rest are paths.
        let (pattern, first) = match &search.expression {
            Some(expression) => (Some(expression), search.pattern.as_ref()),
            None => (search.pattern.as_ref(), None),
        };
        let pattern = pattern.and_then(|pattern| pattern.to_str()).map(unguarded);
        let pattern = pattern.ok_or_else(|| BadArguments::Input("the pattern is not UTF-8".to_owned()))?;
        let mut paths: Vec<String> = first.into_iter().chain(&search.paths).map(address).collect();
        if paths.is_empty() {
            paths.push(".".to_owned());
        }
        let input = json!({
            "pattern": pattern,
            "paths": paths,
            "i": search.ignore_case,
            "gitignore": !search.no_gitignore,
            "skip": search.skip,
            "max_tokens": search.max_tokens,
        });
        Ok(Self { tool: "search", input, form: search.output.form() })
    }

    pub(crate) fn edit(edit: &EditArguments) -> Result<Self, BadArguments> {
        let patch = edit.patch.as_deref().filter(|path| *path != Path::new("-"));
        let input = json!({ "input": content(patch, "the patch")?, "dry_run": edit.trial.dry_run });
        Ok(Self { tool: "edit", input, form: edit.output.form() })
    }

    pub(crate) fn write(write: &WriteArguments) -> Result<Self, BadArguments> {
        let input = json!({
            "path": address(&write.address),
            "content": content(None, "the content")?,
            "if_tag": write.if_tag,
            "dry_run": write.trial.dry_run,
        });
        Ok(Self { tool: "write", input, form: write.output.form() })
    }

    pub(crate) fn undo(undo: &UndoArguments) -> Self {
        let input = json!({ "path": undo.path.as_ref().map(address), "dry_run": undo.trial.dry_run });
        Self { tool: "undo", input, form: undo.output.form() }
    }
}

/// The text of a file, or of standard input where none is named.
fn content(path: Option<&Path>, what: &str) -> Result<String, BadArguments> {
    // One more than there can be, so that what is too long is told as that.
    let most = LIMITS.iter().find(|limit| limit.name == "write_bytes").map_or(0, |limit| limit.ceiling + 1);
    let what = path.map_or_else(|| what.to_owned(), |path| format!("{what} in {}", escape_name(path.as_os_str())));
    let bytes = readstone_host::read_input(path, most)
        .map_err(|error| BadArguments::Input(format!("{what} cannot be read: {}", plain_words(&error))))?;
    String::from_utf8(bytes).map_err(|_| BadArguments::Input(format!("{what} is not UTF-8")))
}

/// A part of standard input, such as `-:10-20`, looks like a flag; a pilcrow before an address says that it is none.
pub(crate) fn guard(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with("-:") => format!("¶{text}").into(),
        Some(_) | None => argument,
    }
}

fn unguarded(text: &str) -> &str {
    if text.starts_with("¶-:") { text.trim_start_matches('¶') } else { text }
}

fn addresses(arguments: &[OsString]) -> Vec<String> {
    arguments.iter().map(address).collect()
}

fn address(argument: &OsString) -> String {
    argument.to_str().map_or_else(|| escape_name(argument), |text| unguarded(text).to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Arguments, Command};

    fn search(arguments: &[&str]) -> Value {
        let arguments = ["readstone", "search"].iter().chain(arguments).map(|text| guard(OsString::from(text)));
        let Command::Search(search) = Arguments::try_parse_from(arguments).unwrap().command else {
            panic!("another command");
        };
        Call::search(&search).unwrap().input
    }

    fn find(arguments: &[&str]) -> Value {
        let arguments = ["readstone", "find"].iter().chain(arguments);
        let Command::Find(find) = Arguments::try_parse_from(arguments).unwrap().command else {
            panic!("another command");
        };
        Call::find(&find).input
    }

    #[test]
    fn a_pattern_stands_first_and_this_directory_is_searched_where_no_path_is_named() {
        let input = search(&["fn main"]);
        assert_eq!((&input["pattern"], &input["paths"]), (&json!("fn main"), &json!(["."])));
        let input = search(&["-i", "todo", "src", "--skip", "20", "docs"]);
        assert_eq!((&input["pattern"], &input["paths"]), (&json!("todo"), &json!(["src", "docs"])));
        assert_eq!((&input["i"], &input["skip"], &input["gitignore"]), (&json!(true), &json!(20.0), &json!(true)));
    }

    #[test]
    fn a_pattern_may_begin_with_a_dash() {
        for arguments in [["-e", "--json", "src"], ["--", "--json", "src"]] {
            let input = search(&arguments);
            assert_eq!((&input["pattern"], &input["paths"]), (&json!("--json"), &json!(["src"])));
        }
        assert_eq!(search(&["-e-x"])["paths"], json!(["."]));
        let input = search(&["-:5", "--", "-"]);
        assert_eq!((&input["pattern"], &input["paths"]), (&json!("-:5"), &json!(["-"])));
    }

    #[test]
    fn flags_say_what_is_left_out_and_numbers_reach_the_tool() {
        let input = find(&["*.rs", "docs", "--no-hidden", "--limit", "-1", "--timeout=0.5"]);
        assert_eq!((&input["paths"], &input["hidden"]), (&json!(["*.rs", "docs"]), &json!(false)));
        assert_eq!((&input["limit"], &input["timeout"], &input["skip"]), (&json!(-1.0), &json!(0.5), &Value::Null));
        for bad in ["nan", "inf", "1e999", "many"] {
            assert!(Arguments::try_parse_from(["readstone", "find", ".", "--limit", bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_tool_is_told_even_where_the_rest_cannot_be() {
        let tool = |line: &str| Call::tool_in(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(tool("readstone search --colour red"), "search");
        assert_eq!(tool("readstone --ephemeral find --json"), "find");
        assert_eq!(tool("readstone config --xml"), "");
    }
}
