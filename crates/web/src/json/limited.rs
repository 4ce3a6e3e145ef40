//! JSON of others as values, with a bound on the memory that they take.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Bytes that one document may take as values.
const ROOM: usize = 32 * 1024 * 1024;
/// Bytes that one value takes in a list that grows.
const OF_VALUE: usize = 64;
/// Bytes that a text takes beside its letters.
const OF_TEXT: usize = 32;
/// Members of an object that are sure to share one piece of memory, and the bytes of such a piece.
const TOGETHER: usize = 6;
const OF_TOGETHER: usize = 640;

/// Which members of objects are wanted; those that are not take no memory.
#[derive(Clone, Copy)]
pub(crate) enum Members {
    /// All of them.
    All,
    /// These of the outermost object, with all that is in them.
    Only(&'static [&'static str]),
    /// All but these, on every level.
    But(&'static [&'static str]),
}

impl Members {
    fn has(self, key: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(&key),
            Self::But(names) => !names.contains(&key),
        }
    }

    fn inside(self) -> Self {
        match self {
            Self::All | Self::Only(_) => Self::All,
            Self::But(_) => self,
        }
    }
}

/// What a document holds; nothing if it is no JSON, or if it would take too much memory.
pub(crate) fn limited(body: &[u8], wanted: Members) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = Limited::new(&mut { ROOM }, wanted).deserialize(&mut reader).ok()?;
    reader.end().is_ok().then_some(value)
}

/// Takes a value from a document that is being read.
pub(crate) struct Limited<'r> {
    room: &'r mut usize,
    wanted: Members,
}

impl<'r> Limited<'r> {
    /// Takes from what is left of some room.
    pub(crate) fn new(room: &'r mut usize, wanted: Members) -> Self {
        Self { room, wanted }
    }

    /// The room that a document has.
    pub(crate) fn room() -> usize {
        ROOM
    }

    fn spend<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        *self.room = self.room.checked_sub(bytes).ok_or_else(|| E::custom("too large"))?;
        Ok(())
    }

    fn plain<E: Error>(mut self, value: impl Into<Value>) -> Result<Value, E> {
        self.spend(OF_VALUE)?;
        Ok(value.into())
    }

    fn inside(&mut self) -> Limited<'_> {
        Limited { room: self.room, wanted: self.wanted.inside() }
    }
}

impl<'de> DeserializeSeed<'de> for Limited<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Limited<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.plain(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.plain(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.plain(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.plain(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.plain(value)
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Value, E> {
        self.spend(OF_TEXT + text.len())?;
        self.plain(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        self.spend(OF_VALUE)?;
        let mut all = Vec::new();
        while let Some(value) = list.next_element_seed(self.inside())? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        self.spend(OF_VALUE)?;
        let mut all = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if !self.wanted.has(&key) {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            self.spend(OF_TEXT + key.len() + if all.len().is_multiple_of(TOGETHER) { OF_TOGETHER } else { 0 })?;
            let value = members.next_value_seed(self.inside())?;
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Members, limited};

    #[test]
    fn what_fits_is_as_it_was_written() {
        let value = json!({"a": [1, -2, 0.5, null, true, "x\n"], "b": {"c": {}, "d": []}});
        assert_eq!(limited(value.to_string().as_bytes(), Members::All), Some(value));
        for text in ["", "{", "[1", "{} {}", "<html>", "\"\u{1}\""] {
            assert_eq!(limited(text.as_bytes(), Members::All), None, "{text}");
        }
        assert_eq!(limited("[".repeat(1_000_000).as_bytes(), Members::All), None);
    }

    #[test]
    fn only_the_members_that_are_wanted_are_there() {
        let text = r#"{"a":{"b":1,"c":2},"b":3,"c":[{"b":4}]}"#;
        assert_eq!(limited(text.as_bytes(), Members::Only(&["a"])), Some(json!({"a": {"b": 1, "c": 2}})));
        assert_eq!(limited(text.as_bytes(), Members::But(&["b"])), Some(json!({"a": {"c": 2}, "c": [{}]})));
    }

    #[test]
    fn what_takes_far_more_memory_than_its_text_is_refused() {
        for (piece, fits) in [("0", 400_000), ("{\"a\":0}", 40_000), ("\"\"", 300_000), ("[]", 400_000)] {
            let list = |count: usize| format!("[{}]", vec![piece; count].join(","));
            assert!(limited(list(fits).as_bytes(), Members::All).is_some(), "{piece}");
            assert_eq!(limited(list(fits * 2).as_bytes(), Members::All), None, "{piece}");
            let unwanted = format!("{{\"x\":{},\"y\":1}}", list(fits * 2));
            assert_eq!(limited(unwanted.as_bytes(), Members::Only(&["y"])), Some(json!({"y": 1})), "{piece}");
        }
        let large = format!("{{\"readme\":\"{}\"}}", "x".repeat(20_000_000));
        assert!(limited(large.as_bytes(), Members::All).is_some());
    }
}
