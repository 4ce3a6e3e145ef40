//! Wishes: members and elements that a configuration file is to have, and how they are recognised there later.

use serde_json::Value;

use super::item::Item;

/// Members of an object, or elements of a list, at a path of keys.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) path: Vec<String>,
    pub(super) content: Content,
    pub(super) owner: Owner,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Members(Vec<(String, Item)>),
    Elements(Vec<String>),
}

/// How what was added is told from what a person wrote. Nothing is recorded outside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The entry of the server: it is ours whatever it holds, so it is removed as a whole. A new one takes over what a
    /// person added.
    Entry,
    /// The name of the server is part of each name, so each is ours by itself while it has the value that we gave it.
    Named,
    /// The names are those of the client's own tools: ours only when all of them follow each other in our order.
    Together,
}

impl Wish {
    /// The names of the members, or the elements.
    pub(super) fn names(&self) -> Vec<&str> {
        match &self.content {
            Content::Members(members) => members.iter().map(|(name, _)| name.as_str()).collect(),
            Content::Elements(elements) => elements.iter().map(String::as_str).collect(),
        }
    }

    /// Which of its names a document has.
    pub(super) fn present_in(&self, document: &Value) -> Vec<&str> {
        let Some(container) = lookup(document, &self.path) else { return Vec::new() };
        let has = |name: &&str| match container {
            Value::Object(object) => object.contains_key(*name),
            Value::Array(elements) => elements.iter().any(|element| element == name),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        };
        self.names().into_iter().filter(has).collect()
    }

    /// Whether a document has a member with just this value.
    pub(super) fn holds(&self, document: &Value, name: &str) -> bool {
        match &self.content {
            Content::Elements(_) => self.present_in(document).contains(&name),
            Content::Members(members) => {
                let wanted = members.iter().find(|(own, _)| own == name).map(|(_, item)| item.value());
                let there = lookup(document, &self.path).and_then(|container| container.get(name));
                wanted.is_some() && wanted.as_ref() == there
            }
        }
    }

    /// Takes what is wished for out of a document, and the objects and lists that become empty by that. Two documents that
    /// are equal afterwards differ in nothing else.
    pub(super) fn strip(&self, document: &mut Value) {
        let names = self.names();
        match lookup_mut(document, &self.path) {
            Some(Value::Object(members)) => members.retain(|name, _| !names.contains(&name.as_str())),
            Some(Value::Array(elements)) => {
                elements.retain(|element| element.as_str().is_none_or(|element| !names.contains(&element)));
            }
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => {}
        }
        for depth in (1..=self.path.len()).rev() {
            let (Some(above), Some(name)) = (self.path.get(..depth - 1), self.path.get(depth - 1)) else { return };
            let Some(object) = lookup_mut(document, above).and_then(Value::as_object_mut) else { continue };
            let empty = |value: &Value| {
                value.as_object().is_some_and(serde_json::Map::is_empty) || value == &Value::Array(Vec::new())
            };
            if object.get(name).is_some_and(empty) {
                object.remove(name);
            }
        }
    }
}

/// The value at a path of keys.
pub(super) fn lookup<'a>(document: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(document, |value, key| value.get(key))
}

fn lookup_mut<'a>(document: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(document, |value, key| value.get_mut(key))
}

/// Whether two documents differ in nothing but what is wished for.
pub(super) fn same_beside(before: &Value, after: &Value, wishes: &[Wish]) -> bool {
    let stripped = |document: &Value| {
        let mut document = if document.is_null() { Value::Object(serde_json::Map::new()) } else { document.clone() };
        for wish in wishes {
            wish.strip(&mut document);
        }
        document
    };
    stripped(before) == stripped(after)
}
