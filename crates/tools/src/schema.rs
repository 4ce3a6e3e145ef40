//! The schema of a tool's input, made from its type.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of an input as a model should see it: every word of it costs, so what says nothing is left out.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    trim(&mut value);
    value
}

fn trim(value: &mut Value) {
    let Value::Object(object) = value else {
        return;
    };
    object.remove("format");
    object.remove("title");
    if object.get("default").is_some_and(is_nothing) {
        object.remove("default");
    }
    // A field that may be absent need not be allowed to be null.
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            object.insert("type".to_owned(), one);
        }
    }
    if object.contains_key("properties") {
        object.remove("description");
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        trim_all(properties);
    }
    if let Some(items) = object.get_mut("items") {
        trim(items);
    }
}

fn trim_all(properties: &mut Map<String, Value>) {
    properties.values_mut().for_each(trim);
}

/// A default that says no more than that the field may be left out.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    }
}
