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

impl Call {
    /// Reads `tool {JSON}`, or in short `read ADDRESS`, `find GLOB` and `search PATTERN PATH`, whose pattern holds no
    /// blank and whose path may be left out.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let (tool, rest) = line.trim_end_matches('\n').split_once(' ').ok_or("a call is a tool and its input")?;
        let input = match tool {
            _ if rest.starts_with('{') => {
                serde_json::from_str(rest).map_err(|error| format!("the input is no JSON: {error}"))?
            }
            "find" => json!({ "paths": [rest] }),
            "search" => {
                let (pattern, path) = rest.split_once(' ').unwrap_or((rest, "."));
                json!({ "pattern": pattern, "paths": [path] })
            }
            _ => json!({ "path": rest }),
        };
        Ok(Self { tool: tool.to_owned(), input })
    }

    /// The arguments of the command line, where it can say this call at all.
    pub(super) fn arguments(&self) -> Option<Vec<String>> {
        let input = self.input.as_object()?;
        let mut arguments = vec![self.tool.clone()];
        for (name, value) in input {
            if !matches!(name.as_str(), "path" | "paths" | "pattern") {
                arguments.extend(flags(&self.tool, name, value)?);
            }
        }
        arguments.push("--".to_owned());
        if let Some(pattern) = input.get("pattern") {
            arguments.push(pattern.as_str()?.to_owned());
        }
        let addresses = addresses(input)?;
        // Without an address the command line explains itself or takes another one instead.
        let called = !addresses.is_empty();
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

/// A field of an input as flags, of which there are none where its value is what holds anyway.
fn flags(tool: &str, name: &str, value: &Value) -> Option<Vec<String>> {
    let numbers: &[&str] = match tool {
        "read" => &["start_line", "end_line", "start_byte", "max_bytes", "max_lines", "max_tokens"],
        "find" => &["limit", "timeout", "skip"],
        "search" => &["skip", "max_tokens"],
        _ => return None,
    };
    let switch = |flag: String, on: bool| if on { vec![flag] } else { Vec::new() };
    Some(match (tool, name, value) {
        ("read", "raw", Value::Bool(raw)) => switch("--raw".to_owned(), *raw),
        ("search", "i", Value::Bool(fold)) => switch("-i".to_owned(), *fold),
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
