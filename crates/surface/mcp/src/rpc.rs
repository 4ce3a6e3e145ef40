//! Messages as such: what is none is told so, with the id of whoever waits for an answer.

use readstone_desk::{Bound, parse_json};
use serde_json::{Map, Value, json};

/// Something that is no message.
#[derive(Clone, Debug, PartialEq)]
pub struct BadMessage {
    /// The id of the request, where one can be read.
    id: Option<Value>,
    code: i32,
    what: String,
}

/// How much of a message that cannot be read is looked at for its id.
pub(crate) const BEGINNING: usize = 512;
/// It cannot be parsed.
const PARSE_ERROR: i32 = -32_700;
/// It can, and is no message.
const INVALID_REQUEST: i32 = -32_600;

impl BadMessage {
    /// A message that is longer than it may be, of which this is the beginning.
    pub(crate) fn too_long(bound: Bound, beginning: &[u8]) -> Self {
        let Bound { most, limit } = bound;
        let what = format!("the message is longer than {most} bytes; the limit is {limit}");
        Self { id: id_in(beginning), code: INVALID_REQUEST, what }
    }

    /// A message of the right shape that the kit does not take.
    pub(crate) fn unfit(message: &Value, what: String) -> Self {
        let id = message.get("id").filter(|id| is_id(id)).cloned();
        Self { id, code: INVALID_REQUEST, what }
    }

    /// A request whose id another still waits with.
    pub(crate) fn in_use(id: &rmcp::model::RequestId) -> Self {
        let id = serde_json::to_value(id).ok();
        Self { id, code: INVALID_REQUEST, what: "a request with this id still waits for its answer".to_owned() }
    }

    /// What to answer.
    pub fn answer(&self) -> Value {
        let mut answer = Map::new();
        answer.insert("jsonrpc".to_owned(), "2.0".into());
        // An id that cannot be read is left out.
        answer.extend(self.id.clone().map(|id| ("id".to_owned(), id)));
        answer.insert("error".to_owned(), json!({ "code": self.code, "message": self.what }));
        Value::Object(answer)
    }
}

/// Parses a message and checks its frame: one object of version 2.0 with a sound id and method.
pub fn check_message(bytes: &[u8]) -> Result<Value, BadMessage> {
    let message = match parse_json(bytes) {
        Ok(message) => message,
        Err(what) => {
            let id = id_in(bytes.get(..BEGINNING).unwrap_or(bytes));
            return Err(BadMessage { id, code: PARSE_ERROR, what: format!("it is not sound JSON: {what}") });
        }
    };
    let bad = |what: &str| Err(BadMessage::unfit(&message, what.to_owned()));
    let Value::Object(object) = &message else {
        let what =
            if message.is_array() { "batches are not taken; send one message at a time" } else { "it is no message" };
        return bad(what);
    };
    if object.get("jsonrpc") != Some(&Value::from("2.0")) {
        return bad("jsonrpc must be \"2.0\"");
    }
    if object.get("id").is_some_and(|id| !is_id(id)) {
        return bad("an id is a string or a whole number");
    }
    let answers = object.contains_key("result") || object.contains_key("error");
    if !answers && !object.get("method").is_some_and(Value::is_string) {
        return bad("a method is a string");
    }
    if object.get("params").is_some_and(|params| !params.is_object()) {
        return bad("params are an object");
    }
    Ok(message)
}

/// The id of a message of which only the beginning is there, if it stands before what is long.
fn id_in(beginning: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(beginning);
    let before = text.split("\"params\"").next().unwrap_or_default();
    let (_, rest) = before.split_once("\"id\"").filter(|(_, rest)| !rest.contains("\"id\""))?;
    let rest = rest.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    values.next()?.ok().filter(is_id)
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}
