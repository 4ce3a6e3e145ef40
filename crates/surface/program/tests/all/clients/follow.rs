//! Reading on: the calls that a reply names after `next:`, and the rows that all replies show together.

use serde_json::{Value, json};

/// The calls that a reply names in its bracketed lines, as inputs of the same tool.
pub(crate) fn next_calls(tool: &str, input: &Value, texts: &[&str]) -> Vec<Value> {
    let own = texts.iter().skip(usize::from(is_raw(input)));
    let brackets = own.flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
    let named = brackets.filter_map(|line| Some(line.rsplit_once("next: ")?.1));
    named.filter_map(|call| next_input(input, call.strip_prefix(tool)?.strip_prefix(' ')?)).collect()
}

/// Whether an input is a read of one verbatim page: its first block has no lines but those of the file.
pub(crate) fn is_raw(input: &Value) -> bool {
    input["path"].as_str().is_some_and(|path| path.ends_with(":raw") || path.contains(":raw:"))
}

/// The input of the call that shows what follows.
fn next_input(input: &Value, argument: &str) -> Option<Value> {
    let mut next = input.clone();
    let fields = next.as_object_mut()?;
    if let Some(skip) = argument.strip_prefix("skip=") {
        fields.insert("skip".to_owned(), json!(skip.parse::<u64>().ok()?));
    } else if fields.contains_key("pattern") {
        fields.remove("skip");
        fields.insert("paths".to_owned(), json!([argument]));
    } else {
        return Some(json!({ "path": argument }));
    }
    Some(next)
}

/// A row of a reply, and the path of the header above it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The rows of a reply.
pub(crate) fn rows(texts: &[&str]) -> Vec<Row> {
    let (mut path, mut rows) = (String::new(), Vec::new());
    for line in texts.iter().flat_map(|text| text.lines()) {
        if let Some(header) = line.strip_prefix('¶').or_else(|| line.strip_prefix("# ")) {
            path_of(header).clone_into(&mut path);
        } else if !line.starts_with('[') && !line.starts_with("next: ") {
            rows.push(Row { path: path.clone(), text: line.to_owned() });
        }
    }
    rows
}

/// The path of a header, without a tag and without what differs between pages.
fn path_of(header: &str) -> &str {
    let path = header.split('?').next().unwrap_or_default();
    path.rsplit_once('#').filter(|(_, tag)| tag.len() == 4).map_or(path, |(path, _)| path)
}

/// Tags that replies showed, in their order.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    seen: Vec<(String, String)>,
}

impl Tags {
    /// Notes the tags of a reply.
    pub(crate) fn note(&mut self, texts: &[&str]) {
        let lines = texts.iter().flat_map(|text| text.lines());
        let headers = lines.filter_map(|line| line.strip_prefix('¶').or_else(|| line.strip_prefix("# ")));
        let tags = headers.filter_map(|header| header.rsplit_once('#')).filter(|(_, tag)| tag.len() == 4);
        self.seen.extend(tags.map(|(path, tag)| (path.to_owned(), tag.to_owned())));
    }

    /// An input with the client's directory and with tags in their places.
    pub(crate) fn fill(&self, input: &Value, own: &str) -> Value {
        match input {
            Value::String(text) => Value::String(self.fill_text(&text.replace("{own}", own))),
            Value::Array(list) => list.iter().map(|value| self.fill(value, own)).collect(),
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), self.fill(value, own))).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => input.clone(),
        }
    }

    fn fill_text(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (path, newest) in &self.seen {
            let first = self.seen.iter().find(|(other, _)| other == path).map_or(newest, |(_, tag)| tag);
            filled = filled.replace(&format!("{path}#{{first}}"), &format!("{path}#{first}"));
        }
        for (path, tag) in self.seen.iter().rev() {
            filled = filled.replace(&format!("{path}#{{tag}}"), &format!("{path}#{tag}"));
        }
        filled
    }
}
