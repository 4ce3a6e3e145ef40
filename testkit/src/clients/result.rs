//! The result of a call as a client gets it, and what the client's model is shown of it.

use serde_json::Value;

/// The result of `tools/call`, and the tool as `tools/list` described it: some clients obey its `_meta`.
#[derive(Clone, Copy, Debug)]
pub struct ToolResult<'a> {
    /// The result.
    pub result: &'a Value,
    /// The tool.
    pub tool: &'a Value,
}

impl<'a> ToolResult<'a> {
    fn blocks(&self) -> impl Iterator<Item = &'a Value> {
        self.result.get("content").and_then(Value::as_array).into_iter().flatten()
    }

    /// The text blocks, in order.
    pub fn texts(&self) -> Vec<&'a str> {
        self.blocks().filter_map(|block| block.get("text")?.as_str()).collect()
    }

    /// The pictures, in base64.
    pub fn pictures(&self) -> Vec<&'a str> {
        self.blocks().filter_map(|block| block.get("data")?.as_str()).collect()
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.result.get("isError").and_then(Value::as_bool).unwrap_or_default()
    }

    /// The result as one line of JSON.
    pub fn json(&self) -> String {
        self.result.to_string()
    }

    /// The content blocks as JSON.
    pub(super) fn content_json(&self) -> String {
        self.result.get("content").unwrap_or(&Value::Null).to_string()
    }

    /// The structured content as JSON.
    pub(super) fn structured(&self) -> Option<String> {
        self.result.get("structuredContent").map(Value::to_string)
    }

    /// The structured content where there is some, else the texts.
    pub(super) fn structured_or_texts(&self, separator: &str) -> String {
        self.structured().unwrap_or_else(|| self.texts().join(separator))
    }

    /// The texts, and the structured content after them.
    pub(super) fn texts_and_structured(&self, separator: &str) -> String {
        let structured = self.structured().map(|json| format!("{separator}{json}"));
        self.texts().join(separator) + &structured.unwrap_or_default()
    }

    /// A size that the tool's definition declares.
    pub(super) fn declared(&self, key: &str) -> Option<usize> {
        let size = self.tool.get("_meta")?.get(key)?.as_u64()?;
        usize::try_from(size).ok()
    }
}

/// What a model is shown of a result.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Everything in letters.
    pub text: String,
    /// How the texts of the result are written in it.
    pub form: TextForm,
    /// The pictures that the model sees as pictures.
    pub pictures: usize,
}

/// How a client writes the texts of a result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TextForm {
    /// As they are.
    Plain,
    /// As strings in JSON, with escapes.
    Json,
}

impl Shown {
    pub(super) fn plain(text: impl Into<String>, pictures: usize) -> Self {
        Self { text: text.into(), form: TextForm::Plain, pictures }
    }

    pub(super) fn json(text: impl Into<String>, pictures: usize) -> Self {
        Self { text: text.into(), form: TextForm::Json, pictures }
    }

    /// What is missing of a result, or wrong about it; `None` when every block arrives whole and in order.
    pub(super) fn loss(&self, sent: &ToolResult<'_>) -> Option<String> {
        let (texts, pictures) = (sent.texts(), sent.pictures());
        let mut rest = self.text.as_str();
        for (number, text) in (1..).zip(&texts) {
            let wanted = match self.form {
                TextForm::Plain => (*text).to_owned(),
                TextForm::Json => escaped(text),
            };
            let Some(at) = rest.find(&wanted) else {
                let (count, size) = (texts.len(), text.len());
                return Some(format!("text block {number} of {count}, {size} bytes, does not reach the model whole"));
            };
            rest = rest.get(at + wanted.len()..).unwrap_or_default();
        }
        if pictures.iter().any(|data| self.text.contains(data.get(..40).unwrap_or(data))) {
            return Some("the model is given the letters of a picture".to_owned());
        }
        let lost = pictures.len().saturating_sub(self.pictures);
        (lost > 0).then(|| format!("{lost} of {} pictures do not reach the model", pictures.len()))
    }
}

/// A text as it stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}
