//! Edits, writes, and taking them back.

use std::collections::BTreeSet;
use std::time::Duration;

use readstone_client::{Class, EditRequest, Error, ReadRequest, Reply, SearchRequest, Span, UndoRequest, WriteRequest};
use serde_json::{Value, json};

use crate::script::{Script, failure_form, page, say};
use crate::stand::Stand;

fn tag(reply: &Reply) -> String {
    reply.receipt.targets.first().unwrap().tag.clone().unwrap()
}

#[tokio::test]
async fn an_edit_follows_from_a_read_and_the_next_one_from_it() {
    let stand = Stand::new();
    let path = stand.file("a.txt", "one\ntwo\nthree\n");
    let client = stand.client();
    let read = client.read(&ReadRequest::new("a.txt")).await.unwrap();
    let request = EditRequest::of("a.txt", &tag(&read), "replace 2:\n+2\n+2.5\n");
    let shown = client.edit(&request.clone().dry_run()).await.unwrap();
    let change = shown.receipt.targets[0].change.as_ref().unwrap();
    assert!(!change.applied && shown.receipt.targets[0].tag.is_none());
    assert_eq!(client.read_file(&path, 0, None).await.unwrap(), "one\ntwo\nthree\n");
    let reply = client.edit(&request).await.unwrap();
    let change = reply.receipt.targets[0].change.as_ref().unwrap();
    assert_eq!((change.op.as_str(), change.applied, change.added, change.removed), ("update", true, 2, 1));
    assert_eq!(change.before, read.receipt.targets[0].version);
    assert_eq!((change.first_changed_line, change.moved(1), change.moved(3)), (Some(2), 1, 4));
    assert!(reply.text().contains("\n 1:one\n-2:two\n+2:2\n+3:2.5\n 4:three\n"), "{}", reply.text());
    client.edit(&EditRequest::of("a.txt", &tag(&reply), "delete 3")).await.unwrap();
    assert_eq!(client.read_file(&path, 0, None).await.unwrap(), "one\n2\nthree\n");
    client.undo(&UndoRequest::last()).await.unwrap();
    let back = client.undo(&UndoRequest::of("a.txt")).await.unwrap();
    assert_eq!(back.receipt.targets[0].change.as_ref().unwrap().op, "restore");
    assert_eq!(tag(&back), tag(&read));
    let error = client.undo(&UndoRequest::last().dry_run()).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("undo.nothing"), Some(404)));
}

#[tokio::test]
async fn several_files_are_edited_in_one_call() {
    let stand = Stand::new();
    let paths = [stand.file("a.txt", "one\n"), stand.file("b.txt", "one\n")];
    let client = stand.client();
    let hits = client.search(&SearchRequest::new("one", ".")).await.unwrap();
    let tags: Vec<_> = hits.receipt.targets.iter().map(|target| target.tag.clone().unwrap()).collect();
    let request = EditRequest::of("a.txt", &tags[0], "insert head:\n+zero").and("b.txt", &tags[1], "replace 1:\n+two");
    let reply = client.edit(&request).await.unwrap();
    assert_eq!(reply.receipt.targets.len(), 2);
    assert_eq!(client.read_file(&paths[0], 0, None).await.unwrap(), "zero\none\n");
    assert_eq!(client.read_file(&paths[1], 0, None).await.unwrap(), "two\n");
}

#[tokio::test]
async fn an_account_of_a_change_is_read_field_by_field() {
    let form = json!({ "status": "ok", "parts": [], "receipt": { "tool": "edit", "targets": [{ "address": "a", "change": {
        "op": "update", "applied": true, "before": "00", "summary": "done", "first_changed_line": 3, "added": 9, "removed": 1,
        "shifts": [{ "after": 5, "by": 2 }, { "after": 9, "by": -1 }],
        "blocks": [{ "operation": "delete block 3", "lines": [3, 5] }] } }] } });
    let script = Script::new(vec![say(200, &[], &form.to_string())]).await;
    let reply = script.client().edit(&EditRequest::new("x")).await.unwrap();
    let change = reply.receipt.targets[0].change.clone().unwrap();
    assert_eq!(
        (change.op.as_str(), change.summary.as_deref(), change.before.as_deref()),
        ("update", Some("done"), Some("00"))
    );
    assert_eq!([5, 6, 9, 10].map(|line| change.moved(line)), [5, 8, 11, 9]);
    assert_eq!(
        (change.blocks[0].operation.as_str(), change.blocks[0].lines),
        ("delete block 3", Span { first: 3, last: 5 })
    );
}

#[tokio::test]
async fn a_stale_edit_is_refused_with_what_is_there_now() {
    let stand = Stand::new();
    stand.file("a.txt", "one\ntwo\nthree\n");
    let client = stand.client();
    let read = client.read(&ReadRequest::new("a.txt")).await.unwrap();
    stand.file("a.txt", "one\nzwei\nthree\n");
    let error = client.edit(&EditRequest::of("a.txt", &tag(&read), "replace 2:\n+2")).await.unwrap_err();
    let Error::Refused(refusal) = error else { panic!("a refusal: {error:?}") };
    assert_eq!((refusal.status, refusal.failure.class), (409, Class::Stale));
    let reply = refusal.reply.unwrap();
    let change = reply.receipt.targets[0].change.clone().unwrap();
    assert!(!change.applied && reply.text().contains("*2:zwei\n"), "{}", reply.text());
    client.edit(&EditRequest::of("a.txt", &tag(&reply), "replace 2:\n+2")).await.unwrap();
}

#[tokio::test]
async fn files_are_written_under_conditions() {
    let stand = Stand::new();
    let path = stand.file("a.txt", "one\n");
    let client = stand.client();
    let error = client.write(&WriteRequest::new("a.txt", "two\n").if_new()).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("write.other_version"), Some(409)));
    let read = client.read(&ReadRequest::new("a.txt")).await.unwrap();
    let reply = client.write(&WriteRequest::new("a.txt", "two\n").if_tag(tag(&read))).await.unwrap();
    assert_eq!(client.read_file(&path, 0, None).await.unwrap(), "two\n");
    assert!(reply.receipt.targets[0].change.as_ref().unwrap().summary.as_ref().unwrap().contains("a.txt"));
    let reply = client.write(&WriteRequest::new("sub/new.txt", "text\n")).await.unwrap();
    assert_eq!(reply.receipt.targets[0].change.as_ref().unwrap().op, "create");
    assert!(reply.receipt.targets[0].notes.iter().any(|note| note.code == "write.folders"), "{reply:?}");
}

#[tokio::test]
async fn the_fields_of_the_requests_are_those_of_the_tools() {
    let stand = Stand::new();
    let tools = stand.client().tools().await.unwrap();
    let check = |name: &str, form: Value| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        let known: BTreeSet<&String> = tool.input_schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(form.as_object().unwrap().keys().collect::<BTreeSet<_>>(), known);
        assert!(!tool.read_only, "{name}");
    };
    check("edit", serde_json::to_value(EditRequest::of("a", "0A3B", "delete 1").dry_run()).unwrap());
    check("write", serde_json::to_value(WriteRequest::new("a", "b").if_new().dry_run()).unwrap());
    check("undo", serde_json::to_value(UndoRequest::of("a").dry_run()).unwrap());
}

#[tokio::test]
async fn a_change_is_not_sent_again_when_it_may_have_been_made() {
    let gateway = || say(502, &[], &failure_form("host.no_space", "outside"));
    let script = Script::new(vec![gateway(), gateway(), gateway(), gateway(), gateway()]).await;
    let client = script.builder().longest_pause(Duration::from_millis(1)).build().unwrap();
    let edit = EditRequest::of("a", "0A3B", "insert tail:\n+x");
    assert_eq!(client.edit(&edit).await.unwrap_err().status(), Some(502));
    assert_eq!(client.write(&WriteRequest::new("a", "b")).await.unwrap_err().status(), Some(502));
    assert_eq!(client.undo(&UndoRequest::last()).await.unwrap_err().status(), Some(502));
    assert_eq!(client.call("paint", &json!({})).await.unwrap_err().status(), Some(502));
    assert_eq!(script.heard().len(), 4);

    // A server without room did nothing.
    let busy = say(429, &["Retry-After: 0"], &failure_form("desk.busy", "stopped"));
    let script = Script::new(vec![busy, page("done", None)]).await;
    let client = script.builder().longest_pause(Duration::from_millis(1)).build().unwrap();
    assert_eq!(client.edit(&edit).await.unwrap().text(), "done");
    assert!(script.heard()[1].ends_with(r#"{"input":"¶a#0A3B\ninsert tail:\n+x"}"#), "{:?}", script.heard());
}
