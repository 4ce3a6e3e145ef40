//! A call, as a page writes it and as the command line says it.

use serde_json::{Map, Value, json};

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// The tool.
    pub(super) tool: String,
    /// Its input.
    pub(super) input: Value,
}

/// Tools that change what they are called for.
const CHANGING: [&str; 3] = ["edit", "write", "undo"];

impl Call {
    /// Reads `tool {JSON}`, or in short `read ADDRESS`, `find GLOB` and `search PATTERN PATH`, whose pattern holds no
    /// blank and whose path may be left out; `edit` and `write ADDRESS` with their text on the lines below, and `undo`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (line, below) = text.split_once('\n').unwrap_or((text, ""));
        let (tool, rest) = line.split_once(' ').unwrap_or((line, ""));
        let input = match tool {
            _ if rest.starts_with('{') => {
                let whole = format!("{rest}\n{below}");
                serde_json::from_str(&whole).map_err(|error| format!("the input is no JSON: {error}"))?
            }
            _ if CHANGING.contains(&tool) => changing(tool, rest, below)?,
            _ if rest.is_empty() => return Err("a call is a tool and its input".to_owned()),
            _ if !below.is_empty() => return Err(format!("{tool} takes one line")),
            "find" => json!({ "paths": [rest] }),
            "search" => {
                let (pattern, path) = rest.split_once(' ').unwrap_or((rest, "."));
                json!({ "pattern": pattern, "paths": [path] })
            }
            _ => json!({ "path": rest }),
        };
        Ok(Self { tool: tool.to_owned(), input })
    }

    /// Whether it may change something.
    pub(super) fn changes(&self) -> bool {
        CHANGING.contains(&self.tool.as_str())
    }

    /// Whether it is only to show what it would change.
    pub(super) fn is_trial(&self) -> bool {
        self.input.get("dry_run").is_some_and(|dry| dry == true)
    }

    /// What the command line gets on its standard input.
    pub(super) fn fed(&self) -> Option<&str> {
        self.text_field().and_then(|name| self.input.get(name)).and_then(Value::as_str)
    }

    /// The field that holds a text of many lines.
    fn text_field(&self) -> Option<&'static str> {
        match self.tool.as_str() {
            "edit" => Some("input"),
            "write" => Some("content"),
            _ => None,
        }
    }

    /// The arguments of the command line, where it can say this call at all.
    pub(super) fn arguments(&self) -> Option<Vec<String>> {
        let input = self.input.as_object()?;
        let mut arguments = vec![self.tool.clone()];
        for (name, value) in input {
            if self.text_field() != Some(name) && !matches!(name.as_str(), "path" | "paths" | "pattern") {
                arguments.extend(flags(&self.tool, name, value)?);
            }
        }
        if self.text_field().is_some() {
            self.fed()?;
        }
        if self.tool == "edit" {
            return (!input.contains_key("path") && !input.contains_key("paths")).then_some(arguments);
        }
        arguments.push("--".to_owned());
        if let Some(pattern) = input.get("pattern") {
            arguments.push(pattern.as_str()?.to_owned());
        }
        let addresses = addresses(input)?;
        // Without an address the command line explains itself or takes another one instead.
        let called = !addresses.is_empty() || self.tool == "undo";
        arguments.extend(addresses);
        called.then_some(arguments)
    }

    /// The call that a reply to this one offers: `read ADDRESS`, `find skip=200`, `search ADDRESS`.
    pub(super) fn following(&self, tool: &str, argument: &str) -> Result<Self, String> {
        let offer = format!("{tool} {argument}");
        if tool == "read" {
            return Ok(Self { tool: tool.to_owned(), input: json!({ "path": argument }) });
        }
        let mut input = if self.tool == tool { self.input.clone() } else { json!({}) };
        let fields = input.as_object_mut().ok_or_else(|| format!("`{offer}` has nothing to go on from"))?;
        if let Some(skip) = argument.strip_prefix("skip=") {
            let skip: u64 = skip.parse().map_err(|_| format!("`{offer}` skips no number"))?;
            fields.insert("skip".to_owned(), skip.into());
        } else {
            fields.insert("paths".to_owned(), json!([argument]));
            fields.remove("skip");
        }
        let unsaid = !fields.contains_key("paths") || (tool == "search" && !fields.contains_key("pattern"));
        if unsaid {
            return Err(format!("`{offer}` cannot be called: the reply does not say the rest of it"));
        }
        Ok(Self { tool: tool.to_owned(), input })
    }
}

/// The input of a tool that changes something: flags, an address, and a text on the lines below.
fn changing(tool: &str, said: &str, below: &str) -> Result<Value, String> {
    let mut input = Map::new();
    let mut rest = said;
    loop {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = match word {
            "--dry-run" => {
                input.insert("dry_run".to_owned(), true.into());
                behind
            }
            "--if-tag" if tool == "write" => {
                let (tag, behind) = behind.split_once(' ').ok_or("--if-tag takes a tag, and an address follows")?;
                input.insert("if_tag".to_owned(), tag.into());
                behind
            }
            _ => break,
        };
    }
    let (address, text) = match tool {
        "edit" => (None, Some("input")),
        "write" => (Some("path"), Some("content")),
        _ => (Some("path").filter(|_| !rest.is_empty()), None),
    };
    match address {
        Some(name) if !rest.is_empty() => drop(input.insert(name.to_owned(), rest.into())),
        None if rest.is_empty() => {}
        Some(_) | None => return Err(format!("{tool} is not called with {rest:?}")),
    }
    match text {
        Some(name) => drop(input.insert(name.to_owned(), below.into())),
        None if below.is_empty() => {}
        None => return Err(format!("{tool} takes one line")),
    }
    Ok(Value::Object(input))
}

/// A field of an input as flags, of which there are none where its value is what holds anyway.
fn flags(tool: &str, name: &str, value: &Value) -> Option<Vec<String>> {
    let numbers: &[&str] = match tool {
        "read" => &["start_line", "end_line", "start_byte", "max_bytes", "max_lines", "max_tokens"],
        "find" => &["limit", "timeout", "skip"],
        "search" => &["skip", "max_tokens"],
        _ if CHANGING.contains(&tool) => &[],
        _ => return None,
    };
    let switch = |flag: String, on: bool| if on { vec![flag] } else { Vec::new() };
    Some(match (tool, name, value) {
        ("read", "raw", Value::Bool(raw)) => switch("--raw".to_owned(), *raw),
        ("search", "i", Value::Bool(fold)) => switch("-i".to_owned(), *fold),
        (_, "dry_run", Value::Bool(dry)) if CHANGING.contains(&tool) => switch("--dry-run".to_owned(), *dry),
        ("write", "if_tag", Value::String(tag)) => vec![format!("--if-tag={tag}")],
        ("find", "hidden", Value::Bool(yes)) | ("find" | "search", "gitignore", Value::Bool(yes)) => {
            switch(format!("--no-{name}"), !yes)
        }
        // Whatever a program may count by, the command line counts lines, bytes and tokens in whole numbers.
        (_, _, Value::Number(number))
            if numbers.contains(&name) && (number.is_u64() || matches!(name, "limit" | "timeout" | "skip")) =>
        {
            vec![format!("--{}={number}", name.replace('_', "-"))]
        }
        _ => return None,
    })
}

fn addresses(input: &Map<String, Value>) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let first = input.get("path").map(text);
    let rest: Vec<Option<String>> = match input.get("paths") {
        Some(Value::Array(paths)) => paths.iter().map(text).collect(),
        Some(path) => vec![text(path)],
        None => Vec::new(),
    };
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Call {
        Call::parse(line).unwrap()
    }

    #[test]
    fn every_tool_has_a_short_form() {
        assert_eq!(call("read a b:5\n").input, json!({ "path": "a b:5" }));
        assert_eq!(call("find src/**/*.rs\n").input, json!({ "paths": ["src/**/*.rs"] }));
        assert_eq!(call("search fn\n").input, json!({ "pattern": "fn", "paths": ["."] }));
        assert_eq!(call("search fn a b\n").input, json!({ "pattern": "fn", "paths": ["a b"] }));
        assert_eq!(call(r#"search {"pattern": "a b", "paths": "."}"#).input["pattern"], "a b");
    }

    #[test]
    fn a_tool_that_changes_something_has_its_text_on_the_lines_below() {
        assert_eq!(
            call("edit --dry-run\n¶a#0A1B\ndelete 1\n").input,
            json!({ "input": "¶a#0A1B\ndelete 1\n", "dry_run": true })
        );
        assert_eq!(call("write a b\none\n").input, json!({ "path": "a b", "content": "one\n" }));
        assert_eq!(
            call("write --dry-run --if-tag new a").input,
            json!({ "path": "a", "content": "", "if_tag": "new", "dry_run": true })
        );
        assert_eq!(call("undo\n").input, json!({}));
        assert_eq!(call("undo a b\n").input, json!({ "path": "a b" }));
        for bad in ["edit a\n", "write\n", "undo a\nb\n", "read a\nb\n", "read\n"] {
            assert!(Call::parse(bad).is_err(), "{bad}");
        }
        let said = |line: &str| call(line).arguments().map(|arguments| arguments.join(" "));
        assert_eq!(said("edit --dry-run\nx\n").unwrap(), "edit --dry-run");
        assert_eq!(said("write --if-tag 0A1B a b\nx\n").unwrap(), "write --if-tag=0A1B -- a b");
        assert_eq!((said("undo\n").unwrap(), said("undo a").unwrap()), ("undo --".to_owned(), "undo -- a".to_owned()));
        assert_eq!(call("write a\nx\n").fed(), Some("x\n"));
        for unsaid in [r#"edit {"input": 7}"#, r#"edit {"input": "", "path": "a"}"#, r#"write {"path": "a"}"#] {
            assert_eq!(said(unsaid), None, "{unsaid}");
        }
    }

    #[test]
    fn the_command_line_says_what_it_can() {
        let said = |line: &str| call(line).arguments().map(|arguments| arguments.join(" "));
        assert_eq!(said("read a:5").unwrap(), "read -- a:5");
        assert_eq!(
            said(r#"read {"path": "a", "max_lines": 5, "raw": true}"#).unwrap(),
            "read --max-lines=5 --raw -- a"
        );
        assert_eq!(
            said(r#"find {"paths": "a", "hidden": false, "gitignore": true, "limit": -1}"#).unwrap(),
            "find --no-hidden --limit=-1 -- a"
        );
        assert_eq!(
            said(r#"search {"pattern": "--x", "paths": ["a", "b"], "i": true, "skip": 20}"#).unwrap(),
            "search -i --skip=20 -- --x a b"
        );
        for unsaid in
            [r#"search {"pattern": "a", "paths": []}"#, r#"find {"paths": [7]}"#, r#"find {"paths": "a", "x": 1}"#]
        {
            assert_eq!(said(unsaid), None, "{unsaid}");
        }
    }

    #[test]
    fn an_offer_goes_on_from_the_call_it_answers() {
        let search = call(r#"search {"pattern": "fn", "paths": ["a", "b"], "i": true, "skip": 20}"#);
        let next = |tool: &str, argument: &str| search.following(tool, argument).unwrap().input;
        assert_eq!(next("search", "skip=40"), json!({ "pattern": "fn", "paths": ["a", "b"], "i": true, "skip": 40 }));
        assert_eq!(next("search", "a:50-"), json!({ "pattern": "fn", "paths": ["a:50-"], "i": true }));
        assert_eq!(next("read", "a:5"), json!({ "path": "a:5" }));
        assert_eq!(call("find b").following("find", "skip=200").unwrap().input, json!({ "paths": ["b"], "skip": 200 }));
        assert_eq!(call("read b").following("find", "c").unwrap().input, json!({ "paths": ["c"] }));
        assert!(call("read b").following("search", "c").unwrap_err().contains("does not say the rest"));
        assert!(call("find b").following("find", "skip=x").is_err());
    }
}
