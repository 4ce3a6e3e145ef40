//! `readstone config`: every setting and where it comes from.

use readstone_session::Config;
use serde_json::{Map, Value, json};

/// The settings as lines of a configuration file, each with its origin.
pub(crate) fn print(config: &Config) -> String {
    let settings = config.settings();
    let rows: Vec<(String, String)> = settings
        .iter()
        .map(|setting| (format!("{} = {}", setting.name, setting.value), setting.origin.to_string()))
        .collect();
    let width = rows.iter().map(|(value, _)| value.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows.into_iter().map(|(value, origin)| format!("{value:width$}  # {origin}\n")).collect();
    lines.concat()
}

/// The settings as JSON.
pub(crate) fn print_json(config: &Config) -> String {
    let entry = |setting: readstone_session::Setting| {
        (setting.name, json!({ "value": setting.value, "origin": setting.origin.to_string() }))
    };
    let object: Map<String, Value> = config.settings().into_iter().map(entry).collect();
    format!("{}\n", Value::Object(object))
}
