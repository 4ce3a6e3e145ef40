//! Any pointer into any JSON: the value is the one that another reader finds, and laying it out changes no value.

use readstone_base::Class;
use readstone_formats::{JsonFlaw, JsonText, json_value, pretty_json};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::{World, text_and_bytes};

pub(crate) fn run(input: &[u8]) {
    let Some((pointer, bytes)) = text_and_bytes(input) else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    judged(text);
    let world = World::new("x.json", bytes);
    let ours = json_value(&world.piece, pointer, &world.opening());
    if let Err(fault) = &ours {
        assert_ne!(fault.class(), Class::Bug, "{fault}");
    }
    let _ = world.seen(Some(pointer));
    let lines = World::new("x.jsonl", bytes);
    let _ = json_value(&lines.piece, pointer, &lines.opening());
    let Ok(theirs) = serde_json::from_str::<Value>(text) else { return };
    laid_out(text, &theirs);
    if !pointer.starts_with('/') {
        return;
    }
    match (ours, theirs.pointer(pointer)) {
        (Ok(ours), Some(Value::String(theirs))) => assert_eq!(ours.text, theirs.as_bytes()),
        (Ok(ours), Some(theirs)) => {
            assert_eq!(serde_json::from_slice::<Value>(&ours.text).ok().as_ref(), Some(theirs), "{pointer:?}");
        }
        (Err(_), None) => {}
        (Ok(ours), None) => panic!("{pointer:?} is nothing but {:?}", String::from_utf8_lossy(&ours.text)),
        (Err(fault), Some(theirs)) => panic!("{pointer:?} is {theirs} but {fault}"),
    }
}

/// What is JSON for us is JSON for others.
fn judged(text: &str) {
    let theirs = serde_json::from_str::<IgnoredAny>(text).is_ok();
    match JsonText::of(text) {
        Ok(_) => assert!(theirs, "sound for us alone"),
        Err(JsonFlaw::Unsound { .. }) => assert!(!theirs, "sound for others"),
        Err(JsonFlaw::Deep { .. }) => {}
    }
}

fn laid_out(text: &str, value: &Value) {
    let Some(pretty) = pretty_json(text) else { return };
    assert_eq!(serde_json::from_str::<Value>(&pretty).ok().as_ref(), Some(value));
    assert_eq!(pretty_json(&pretty).as_ref(), Some(&pretty), "laid out twice");
}
