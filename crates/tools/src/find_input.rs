//! What `find` takes.

use schemars::JsonSchema;
use serde::Deserialize;

/// The description of `paths`.
const PATHS: &str = "\
    Globs, directories and files. `*.ts` matches at any depth, `src/*.ts` in `src` alone, `src/**/*.ts` below it, \
    `src/*/` directories; `{a,b}` and `[a-z]` work; names are matched whole. A directory stands for all below it. \
    `archive.zip:src/**` looks into an archive.";

/// The input of `find`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindInput {
    #[schemars(description = PATHS)]
    pub(crate) paths: Vec<String>,
    /// False leaves out names that begin with a dot.
    #[serde(default = "yes")]
    pub(crate) hidden: bool,
    /// False also finds what `.gitignore` names.
    #[serde(default = "yes")]
    pub(crate) gitignore: bool,
    /// Paths to show: 200 unless given, which is the most.
    #[serde(default)]
    pub(crate) limit: Option<f64>,
    /// Seconds to look: 5 unless given, at most those of a call (20).
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::FindInput;
    use crate::schema;

    fn taken(input: Value) -> Result<FindInput, String> {
        serde_json::from_value(input).map_err(|error| error.to_string())
    }

    #[test]
    fn without_paths_there_is_nothing_to_look_for() {
        assert!(taken(json!({})).unwrap_err().contains("missing field `paths`"));
    }

    #[test]
    fn hidden_names_are_found_and_ignored_ones_are_not_unless_told() {
        let input = taken(json!({ "paths": ["."] })).unwrap();
        assert!(input.hidden && input.gitignore);
        let input = taken(json!({ "paths": ["."], "hidden": false, "gitignore": false })).unwrap();
        assert!(!input.hidden && !input.gitignore);
    }

    #[test]
    fn every_number_reaches_the_tool() {
        let input = taken(json!({ "paths": ["."], "limit": -1, "timeout": 0.5, "skip": 3 })).unwrap();
        assert_eq!((input.limit, input.timeout, input.skip), (Some(-1.0), Some(0.5), Some(3.0)));
    }

    #[test]
    fn the_schema_is_short_and_names_the_defaults() {
        let schema = &schema::of::<FindInput>().json;
        assert_eq!(schema["required"], json!(["paths"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["paths"]["type"], json!("array"));
        assert_eq!(schema["properties"]["hidden"]["default"], json!(true));
        assert_eq!(schema["properties"]["limit"]["type"], json!("number"));
    }
}
