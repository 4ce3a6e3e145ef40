//! The schema of a tool's input, made from its type.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::bent::Field;

/// The schema of an input, and its fields.
#[derive(Debug)]
pub(crate) struct InputSchema {
    pub(crate) json: Value,
    pub(crate) fields: Vec<Field>,
}

/// Schemas by input type: each is made once in a process, because every call needs the fields.
static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<InputSchema>>>> = LazyLock::new(RwLock::default);

/// The schema of an input type.
pub(crate) fn of<T: JsonSchema + 'static>() -> Arc<InputSchema> {
    let id = TypeId::of::<T>();
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return Arc::clone(known);
    }
    let json = generate::<T>();
    let fields = Field::all_of(&json);
    let made = Arc::new(InputSchema { json, fields });
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&made));
    made
}

/// Generates a schema as a model should see it: every word of it costs, so what says nothing is left out.
fn generate<T: JsonSchema>() -> Value {
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
    // The tool says of a number that is too small what it takes; some clients only drop this, others lengthen descriptions.
    object.remove("minimum");
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
