//! What `find` takes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// The input of `find`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindInput {
    /// Globs, directories or files: `*.rs`, `src/**/*.ts`, `docs`.
    #[serde(deserialize_with = "one_or_many")]
    #[schemars(schema_with = "one_or_many_schema")]
    pub(crate) paths: Vec<String>,
    /// Also find names that begin with a dot.
    #[serde(default = "yes")]
    pub(crate) hidden: bool,
    /// Leave out what `.gitignore` names.
    #[serde(default = "yes")]
    pub(crate) gitignore: bool,
    /// Paths to show, at most 200, which is also the default.
    #[serde(default)]
    pub(crate) limit: Option<f64>,
    /// Seconds to look: 5 unless given, at most those of the call (20 by default).
    #[serde(default)]
    pub(crate) timeout: Option<f64>,
    /// Paths to skip, as `next:` says.
    #[serde(default)]
    pub(crate) skip: Option<f64>,
}

/// What holds unless the caller says otherwise.
pub(crate) const fn yes() -> bool {
    true
}

/// A text or a list of texts.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A list, of which a single text is the only item.
pub(crate) fn one_or_many<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match OneOrMany::deserialize(from)? {
        OneOrMany::One(text) => vec![text],
        OneOrMany::Many(texts) => texts,
    })
}

/// The schema of such a list.
pub(crate) fn one_or_many_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["array", "string"], "items": { "type": "string" } })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::FindInput;
    use crate::schema;

    fn taken(input: Value) -> Result<FindInput, String> {
        serde_json::from_value(input).map_err(|error| error.to_string())
    }

    #[test]
    fn one_path_is_a_list_of_one() {
        assert_eq!(taken(json!({ "paths": "*.rs" })).unwrap().paths, ["*.rs"]);
        assert_eq!(taken(json!({ "paths": ["a", "b"] })).unwrap().paths, ["a", "b"]);
    }

    #[test]
    fn without_paths_there_is_nothing_to_look_for() {
        assert!(taken(json!({})).unwrap_err().contains("missing field `paths`"));
        assert!(taken(json!({ "paths": 7 })).unwrap_err().contains("expected a text or a list of texts"));
        assert!(taken(json!({ "paths": ["a", 7] })).unwrap_err().contains("expected a text or a list of texts"));
    }

    #[test]
    fn hidden_names_are_found_and_ignored_ones_are_not_unless_told() {
        let input = taken(json!({ "paths": "." })).unwrap();
        assert!(input.hidden && input.gitignore);
        let input = taken(json!({ "paths": ".", "hidden": false, "gitignore": false })).unwrap();
        assert!(!input.hidden && !input.gitignore);
    }

    #[test]
    fn every_number_reaches_the_tool() {
        let input = taken(json!({ "paths": ".", "limit": -1, "timeout": 0.5, "skip": 3 })).unwrap();
        assert_eq!((input.limit, input.timeout, input.skip), (Some(-1.0), Some(0.5), Some(3.0)));
    }

    #[test]
    fn the_schema_is_short_and_names_the_defaults() {
        let schema = schema::of::<FindInput>();
        assert_eq!(schema["required"], json!(["paths"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["paths"]["type"], json!(["array", "string"]));
        assert_eq!(schema["properties"]["hidden"]["default"], json!(true));
        assert_eq!(schema["properties"]["limit"]["type"], json!("number"));
    }
}
