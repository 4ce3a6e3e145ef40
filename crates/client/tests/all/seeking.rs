//! Finds and searches.

use std::collections::BTreeSet;
use std::time::Duration;

use readstone_client::{FindRequest, Matches, Reply, SearchRequest, Span};
use serde_json::{Value, json};

use crate::script::{Script, say};
use crate::stand::Stand;

fn names(paths: &[String]) -> BTreeSet<&str> {
    paths.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn a_find_gives_paths_that_can_be_read() {
    let stand = Stand::new();
    stand.file("a.log", "one\n");
    stand.file("b.txt", "two\n");
    stand.file(".c.log", "three\n");
    let client = stand.client();
    let found = client.find(&FindRequest::new("*.log")).await.unwrap().receipt.found.unwrap();
    assert_eq!(names(&found.paths), BTreeSet::from([".c.log", "a.log"]));
    assert_eq!((found.total, found.at_least, found.next_skip), (Some(2), None, None));
    let shown = client.find(&FindRequest::several(["*.log", "*.txt"]).without_hidden()).await.unwrap();
    assert_eq!(names(&shown.receipt.found.as_ref().unwrap().paths), BTreeSet::from(["a.log", "b.txt"]));
    assert_eq!((shown.receipt.tool.as_str(), shown.receipt.targets.len()), ("find", 0));
}

#[tokio::test]
async fn a_find_is_followed_to_its_end() {
    let stand = Stand::new();
    for number in 0..25 {
        stand.file(&format!("{number:02}.txt"), "x\n");
    }
    let client = stand.client();
    let (mut request, mut seen) = (Some(FindRequest::new("*.txt").limit(10)), BTreeSet::new());
    let mut sizes = Vec::new();
    while let Some(asked) = request {
        let reply = client.find(&asked).await.unwrap();
        let found = reply.receipt.found.clone().unwrap();
        sizes.push(found.paths.len());
        seen.extend(found.paths);
        request = asked.after(&reply);
    }
    assert_eq!((sizes.as_slice(), seen.len()), ([10, 10, 5].as_slice(), 25));
}

#[tokio::test]
async fn a_search_gives_a_target_for_each_file_with_matches() {
    let stand = Stand::new();
    stand.file("a.log", "one\nTWO\n");
    stand.file("b.log", "three\n");
    let client = stand.client();
    let reply = client.search(&SearchRequest::new("two|three", ".").ignore_case()).await.unwrap();
    let paths: BTreeSet<_> = reply.receipt.targets.iter().filter_map(|target| target.path.as_deref()).collect();
    assert_eq!(paths, BTreeSet::from(["a.log", "b.log"]));
    assert!(reply.text().contains("*2:TWO\n") && reply.text().contains(" 1:one\n"), "{}", reply.text());
    assert!(reply.receipt.targets.iter().all(|target| target.matches.unwrap().shown == 1));
    assert_eq!(reply.receipt.found.unwrap().matches, 2);
    let none = client.search(&SearchRequest::new("four", "a.log")).await.unwrap();
    assert!(none.receipt.targets.is_empty() && none.receipt.found.unwrap().total == Some(0));
    let error = client.search(&SearchRequest::new(" ", ".")).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("search.empty_pattern"), Some(400)));
}

#[tokio::test]
async fn the_fields_of_the_requests_are_those_of_the_tools() {
    let stand = Stand::new();
    let tools = stand.client().tools().await.unwrap();
    let check = |name: &str, form: Value| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        let known: BTreeSet<&String> = tool.input_schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(form.as_object().unwrap().keys().collect::<BTreeSet<_>>(), known);
    };
    let second = Duration::from_secs(1);
    let find = FindRequest::new("a").without_hidden().with_ignored().limit(1).timeout(second).skip(1);
    check("find", serde_json::to_value(find).unwrap());
    let search = SearchRequest::new("a", "b").ignore_case().with_ignored().skip(1).max_tokens(1);
    check("search", serde_json::to_value(search).unwrap());
}

#[tokio::test]
async fn an_account_of_what_was_found_is_read_field_by_field() {
    let form = json!({ "status": "ok", "parts": [], "receipt": {
        "tool": "search",
        "targets": [{ "address": "a", "matches": { "shown": 2, "total": null, "at_least": 7 } }],
        "found": { "scope": ["src"], "paths": [], "shown": [21, 40], "total": null, "at_least": 41, "matches": 60, "more": {},
            "missing": ["lib"], "hidden": [{ "reason": "ignored", "count": 3, "address": null }],
            "unsearched": [{ "reason": "binary", "count": 1, "address": "x.bin" }],
            "cut_by": "search_files", "next_skip": 40, "notes": [{ "code": "c", "text": "t" }] } } });
    let script = Script::new(vec![say(200, &[], &form.to_string())]).await;
    let request = SearchRequest::new("a", "src").skip(20);
    let reply: Reply = script.client().search(&request).await.unwrap();
    let found = reply.receipt.found.clone().unwrap();
    assert_eq!((found.shown, found.total, found.at_least), (Some(Span { first: 21, last: 40 }), None, Some(41)));
    assert_eq!((found.scope[0].as_str(), found.missing[0].as_str(), found.matches), ("src", "lib", 60));
    assert_eq!((found.hidden[0].count, found.unsearched[0].address.as_deref()), (3, Some("x.bin")));
    assert_eq!((found.cut_by.as_deref(), found.notes[0].text.as_str()), (Some("search_files"), "t"));
    let Matches { shown, total, at_least, .. } = reply.receipt.targets[0].matches.unwrap();
    assert_eq!((shown, total, at_least), (2, None, Some(7)));
    assert_eq!(request.after(&reply), Some(SearchRequest::new("a", "src").skip(40)));
    let head = &script.heard()[0];
    assert!(
        head.starts_with("POST /v1/tools/search ") && head.ends_with(r#"{"pattern":"a","paths":["src"],"skip":20}"#)
    );
}
