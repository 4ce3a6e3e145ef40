//! What `search` takes.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::find_input::yes;

/// The description of `pattern`.
const PATTERN: &str = "\
    A regular expression in Rust syntax; escape literal braces and parentheses, as in `interface\\{\\}`. It is \
    matched line by line unless it holds `\\n`.";

/// The description of `paths`.
const PATHS: &str = "\
    Files, directories, globs such as `src/**/*.ts`, or any address that `read` takes: `a.zip:src`, `report.pdf`, \
    `app.db:users`, `https://host/page`, `readstone://`; `.` is everything. After one file also lines: \
    `a.rs:50-100`.";

/// The input of `search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchInput {
    #[schemars(description = PATTERN)]
    pub(crate) pattern: String,
    #[schemars(description = PATHS)]
    pub(crate) paths: Vec<String>,
    /// Ignore case.
    #[serde(default)]
    pub(crate) i: bool,
    /// False also searches what `.gitignore` names.
    #[serde(default = "yes")]
    pub(crate) gitignore: bool,
    /// Files with matches to skip, as `next:` says.
    #[serde(default)]
    pub(crate) skip: Option<f64>,
    /// Tokens the reply may have, estimated.
    #[serde(default)]
    pub(crate) max_tokens: Option<u64>,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::SearchInput;
    use crate::schema;

    fn taken(input: Value) -> Result<SearchInput, String> {
        serde_json::from_value(input).map_err(|error| error.to_string())
    }

    #[test]
    fn a_pattern_and_a_path_are_enough() {
        let input = taken(json!({ "pattern": "fn main", "paths": ["src"] })).unwrap();
        assert_eq!((input.pattern.as_str(), input.paths.as_slice()), ("fn main", ["src".to_owned()].as_slice()));
        assert!(!input.i && input.gitignore);
        assert_eq!((input.skip, input.max_tokens), (None, None));
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        assert!(taken(json!({ "paths": ["."] })).unwrap_err().contains("missing field `pattern`"));
        assert!(taken(json!({ "pattern": "a" })).unwrap_err().contains("missing field `paths`"));
        assert!(
            taken(json!({ "pattern": "a", "paths": ["."], "case": 1 })).unwrap_err().contains("unknown field `case`")
        );
    }

    #[test]
    fn every_skip_reaches_the_tool() {
        let skip = |number: Value| taken(json!({ "pattern": "a", "paths": ["."], "skip": number })).unwrap().skip;
        assert_eq!((skip(json!(-1)), skip(json!(20)), skip(json!(1.5))), (Some(-1.0), Some(20.0), Some(1.5)));
    }

    #[test]
    fn the_schema_is_short_and_names_the_defaults() {
        let schema = &schema::of::<SearchInput>().json;
        assert_eq!(schema["required"], json!(["pattern", "paths"]));
        assert_eq!(schema["properties"]["paths"]["type"], json!("array"));
        assert_eq!(schema["properties"]["gitignore"]["default"], json!(true));
        assert!(schema["properties"]["i"].get("default").is_none());
    }
}
