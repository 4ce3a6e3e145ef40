//! Calls of tools on a real server.

use std::collections::BTreeSet;

use readstone_client::{Class, Error, Part, ReadRequest, Span, Status};
use serde_json::json;

use crate::stand::Stand;

const TEXT: &str = "first\nsecond\nthird\n";

#[tokio::test]
async fn a_read_gives_the_text_and_an_account_of_it() {
    let stand = Stand::new();
    let path = stand.file("m.log", TEXT);
    let reply = stand.client().read(&ReadRequest::new("m.log")).await.unwrap();
    assert_eq!(reply.status, Status::Ok);
    assert_eq!(reply.receipt.tool, "read");
    assert_eq!(reply.receipt.error, None);
    let [target] = reply.receipt.targets.as_slice() else { panic!("one target: {reply:?}") };
    assert_eq!(target.address, "m.log");
    assert_eq!(target.kind.as_deref(), Some("text"));
    assert_eq!(target.encoding.as_deref(), Some("utf-8"));
    assert!(target.path.as_deref().is_some_and(|shown| path.ends_with(shown)), "{target:?}");
    let shown = target.shown.as_ref().unwrap();
    assert_eq!((shown.unit.as_str(), shown.ranges.as_slice()), ("lines", [Span { first: 1, last: 3 }].as_slice()));
    assert_eq!((target.total.lines, target.total.bytes), (Some(3), Some(TEXT.len() as u64)));
    assert!(target.tokens.shown > 0);
    let (tag, version) = (target.tag.as_deref().unwrap(), target.version.as_deref().unwrap());
    assert_eq!((tag.len(), version.len()), (4, 64));
    assert_eq!(reply.text(), format!("¶m.log#{tag}\n1:first\n2:second\n3:third\n"));
    assert_eq!((target.next.as_deref(), target.cut_by.as_deref()), (None, None));
    assert_eq!(reply.next().count(), 0);
}

#[tokio::test]
async fn a_part_of_a_file_says_what_comes_next_and_which_limit_ended_it() {
    let stand = Stand::new();
    stand.file("m.log", TEXT);
    let reply = stand.client().read(&ReadRequest::new("m.log").max_lines(1)).await.unwrap();
    assert_eq!(reply.next().collect::<Vec<_>>(), ["m.log:2-"]);
    assert_eq!(reply.receipt.targets[0].cut_by.as_deref(), Some("max_lines"));
}

#[tokio::test]
async fn one_target_among_several_fails_without_failing_the_call() {
    let stand = Stand::new();
    stand.file("a.txt", "a\n");
    stand.file("b.txt", "b\n");
    let reply = stand.client().read(&ReadRequest::several(["a.txt", "none.txt", "b.txt"])).await.unwrap();
    let errors: Vec<_> = reply.receipt.targets.iter().map(|target| target.error.as_ref()).collect();
    let [None, Some(error), None] = errors.as_slice() else { panic!("the second fails: {reply:?}") };
    assert_eq!(error.class, Class::Missing);
    assert!(error.message.contains("none.txt"), "{error}");
    assert_eq!(reply.parts.len(), 3);
    assert!(reply.text().contains("1:a\n") && reply.text().contains("1:b\n"));
}

#[tokio::test]
async fn when_every_target_fails_the_call_fails_and_keeps_its_reply() {
    let stand = Stand::new();
    let error = stand.client().read(&ReadRequest::several(["x", "y"])).await.unwrap_err();
    let Error::Refused(refusal) = error else { panic!("a refusal: {error:?}") };
    let reply = refusal.reply.unwrap();
    assert_eq!(reply.status, Status::Error);
    assert_eq!(reply.receipt.targets.len(), 2);
    assert!(reply.receipt.targets.iter().all(|target| target.error.is_some()));
}

#[tokio::test]
async fn every_field_of_a_read_reaches_the_server() {
    let stand = Stand::new();
    stand.file("m.log", TEXT);
    let client = stand.client();
    let text = async |request: ReadRequest| client.read(&request).await.unwrap().text();
    let whole = || ReadRequest::new("m.log");
    assert_eq!(text(whole().raw()).await, TEXT);
    assert_eq!(text(whole().raw().start_line(2)).await, "second\nthird\n");
    assert_eq!(text(whole().raw().end_line(1)).await, "first\n");
    assert_eq!(text(whole().raw().start_line(2).end_line(2)).await, "second\n");
    assert_eq!(text(ReadRequest::several(["m.log:raw:1-1", "m.log:raw:3-3"])).await, "first\nthird\n");
    let window = client.read(&whole().start_byte(6).max_bytes(7)).await.unwrap();
    assert_eq!(window.receipt.targets[0].next_start_byte, Some(13));
    assert!(window.text().contains(":second\n") && !window.text().contains("third"), "{}", window.text());
    let long = "word ".repeat(20_000);
    stand.file("long", long.replace(' ', "\n"));
    let few = client.read(&ReadRequest::new("long").max_tokens(200)).await.unwrap();
    assert!(few.receipt.targets[0].tokens.shown <= 200, "{few:?}");
}

#[tokio::test]
async fn the_fields_of_a_request_are_those_of_the_tool() {
    let stand = Stand::new();
    let tools = stand.client().tools().await.unwrap();
    let read = tools.iter().find(|tool| tool.name == "read").unwrap();
    assert!(read.read_only && read.description.contains("address"));
    let known: BTreeSet<&String> = read.input_schema["properties"].as_object().unwrap().keys().collect();
    let one = ReadRequest::new("a").start_line(1).end_line(1).start_byte(0).max_bytes(1).max_lines(1).max_tokens(1);
    let forms = [serde_json::to_value(one.raw()).unwrap(), serde_json::to_value(ReadRequest::several(["a"])).unwrap()];
    let sent: BTreeSet<&String> = forms.iter().flat_map(|form| form.as_object().unwrap().keys()).collect();
    assert_eq!(sent, known);
}

#[tokio::test]
async fn any_tool_is_called_by_its_name() {
    let stand = Stand::new();
    stand.file("m.log", TEXT);
    let client = stand.client();
    let called = client.call("read", &json!({ "path": "m.log" })).await.unwrap();
    assert_eq!(called, client.read(&ReadRequest::new("m.log")).await.unwrap());
    for name in ["no such tool", "../tools/read", "réad?x=1"] {
        let error = client.call(name, &json!({})).await.unwrap_err();
        assert_eq!(error.code(), Some("tool.unknown"), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let error = client.call("read", &json!({ "path": "m.log", "colour": "red" })).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("tool.bad_input"), Some(400)));
    let error = client.call("read", &json!("m.log")).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("http.bad_request"), Some(400)));
}

#[tokio::test]
async fn verbatim_text_brings_its_bytes_where_characters_cannot_stand_for_them() {
    let stand = Stand::new();
    let bytes = "grüße, 日本, 🦀\n".repeat(20);
    stand.file("sound", &bytes);
    let reply = stand.client().read(&ReadRequest::new("sound:raw")).await.unwrap();
    assert_eq!(reply.parts, [Part::Text { text: bytes.clone(), bytes: None }]);
    let mut broken = bytes.into_bytes();
    broken[1] = 0xFF;
    stand.file("broken", &broken);
    let reply = stand.client().read(&ReadRequest::new("broken:raw")).await.unwrap();
    let [part @ Part::Text { text, bytes: Some(_) }] = reply.parts.as_slice() else { panic!("bytes too: {reply:?}") };
    assert!(text.contains(char::REPLACEMENT_CHARACTER));
    assert_eq!(part.bytes(), broken);
}

#[tokio::test]
async fn one_client_makes_many_calls_side_by_side() {
    let stand = Stand::new();
    let client = stand.client();
    for number in 0..40 {
        stand.file(&format!("{number}.txt"), format!("text {number}\n"));
    }
    let calls: Vec<_> = (0..40)
        .map(|number| {
            let client = client.clone();
            tokio::spawn(async move { client.read(&ReadRequest::new(format!("{number}.txt:raw"))).await })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().unwrap().text(), format!("text {number}\n"));
    }
}
