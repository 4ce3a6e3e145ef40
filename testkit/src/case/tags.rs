//! Tags that replies gave, so that the calls of a page need not spell them.

use std::collections::BTreeMap;

use serde_json::Value;

/// The tag that the last reply gave for each path.
#[derive(Debug, Default)]
pub(super) struct Tags(BTreeMap<String, String>);

impl Tags {
    /// Takes the tags that a reply gives.
    pub(super) fn learn(&mut self, wire: &Value) {
        let targets = wire.pointer("/receipt/targets").and_then(Value::as_array);
        for target in targets.into_iter().flatten() {
            let text = |name: &str| target.get(name).and_then(Value::as_str);
            if let (Some(path), Some(tag)) = (text("path").or_else(|| text("address")), text("tag")) {
                self.0.insert(path.to_owned(), tag.to_owned());
            }
        }
    }

    /// A call with its tags: `{tag PATH}` anywhere, and `¶PATH#{tag}` in a header.
    pub(super) fn fill(&self, call: &str) -> Result<String, String> {
        let known = |path: &str| self.0.get(path).ok_or_else(|| format!("no reply gave a tag for {path}"));
        let mut text = String::new();
        for line in call.split_inclusive('\n') {
            let header = line.trim_end().strip_prefix('¶').and_then(|header| header.strip_suffix("#{tag}"));
            let mut line = match header {
                Some(path) => line.replace("{tag}", known(path)?),
                None => line.to_owned(),
            };
            while let Some((before, rest)) = line.split_once("{tag ") {
                let (path, after) = rest.split_once('}').ok_or("a {tag PATH} has no end")?;
                line = format!("{before}{}{after}", known(path)?);
            }
            text.push_str(&line);
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tag_is_that_of_the_last_reply_that_gave_one() {
        let mut tags = Tags::default();
        let reply = |targets: Value| json!({ "receipt": { "targets": targets } });
        tags.learn(&reply(json!([{ "path": "a b.txt", "tag": "0A1B" }])));
        tags.learn(&reply(json!([{ "path": "c", "tag": null }, { "path": "a b.txt", "tag": "FFFF" }])));
        assert_eq!(tags.fill("edit\n¶a b.txt#{tag}\ndelete 1\n").unwrap(), "edit\n¶a b.txt#FFFF\ndelete 1\n");
        assert_eq!(tags.fill("write --if-tag {tag a b.txt} x\n+#{tag}\n").unwrap(), "write --if-tag FFFF x\n+#{tag}\n");
        assert!(tags.fill("¶c#{tag}\n").is_err());
    }
}
