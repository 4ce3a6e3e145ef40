//! Refusals of a real server.

use readstone_client::{Class, Error, LinesRequest, ReadRequest};

use crate::stand::Stand;

const TOKEN: &str = "correct-horse-battery-staple";
const WRONG: &str = "incorrect-horse-battery-staple";

#[tokio::test]
async fn a_missing_file_is_a_failure_with_its_next_calls() {
    let stand = Stand::new();
    stand.file("alpha1.txt", "a\n");
    stand.file("alpha2.txt", "a\n");
    let client = stand.client();
    let error = client.read(&ReadRequest::new("alpha.txt")).await.unwrap_err();
    let Error::Refused(refusal) = &error else { panic!("a refusal: {error:?}") };
    let failure = &refusal.failure;
    assert_eq!(error.code(), Some(failure.code.as_str()));
    assert_eq!(error.status(), Some(refusal.status));
    assert!(!error.next().is_empty(), "{failure:?}");
    for next in error.next() {
        assert_eq!(next.tool, "read");
        client.read(&ReadRequest::new(&next.argument)).await.unwrap();
    }
    let said = refusal.reply.as_ref().unwrap().text();
    assert!(said.starts_with(&error.to_string()), "{said}");
    assert!(said.contains("next: "), "{said}");
}

#[tokio::test]
async fn a_file_outside_the_root_is_denied() {
    let stand = Stand::new();
    let error = stand.client().read(&ReadRequest::new("/etc/passwd")).await.unwrap_err();
    assert_eq!((error.failure().unwrap().class, error.status()), (Class::Denied, Some(403)), "{error}");
}

#[tokio::test]
async fn the_right_token_opens_every_call() {
    let stand = Stand::guarded(TOKEN);
    let path = stand.file("m.log", "a\n");
    let client = stand.builder().token(TOKEN).session("mine").build().unwrap();
    client.read(&ReadRequest::new("m.log")).await.unwrap();
    client.tools().await.unwrap();
    client.read_file_lines(&LinesRequest::new(&path)).await.unwrap().into_result().unwrap();
    client.read_file(&path, 0, None).await.unwrap();
    client.health().await.unwrap();
}

#[tokio::test]
async fn a_wrong_token_opens_none() {
    let stand = Stand::guarded(TOKEN);
    let path = stand.file("m.log", "a\n");
    let client = stand.builder().token(WRONG).build().unwrap();
    let errors = [
        client.read(&ReadRequest::new("m.log")).await.unwrap_err(),
        client.tools().await.unwrap_err(),
        client.read_file_lines(&LinesRequest::new(&path)).await.unwrap_err(),
        client.read_file(&path, 0, None).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.code(), error.status()), (Some("http.no_token"), Some(401)));
        assert_eq!(error.failure().unwrap().class, Class::Denied);
        assert!(!format!("{error:?} {error}").contains(WRONG));
    }
}

#[tokio::test]
async fn a_token_is_shown_nowhere() {
    let stand = Stand::new();
    let builder = stand.builder().token(TOKEN);
    let shown = format!("{builder:?} {builder:#?}");
    let client = builder.build().unwrap();
    let pages = client.pages(ReadRequest::new("a"));
    let shown = format!("{shown} {client:?} {client:#?} {pages:?}");
    assert!(shown.contains("http://127.0.0.1"), "{shown}");
    assert!(!shown.contains(TOKEN) && !shown.contains("Bearer"), "{shown}");
    let hidden = format!("{:?}", readstone_client::Client::builder(&format!("http://user:{TOKEN}@localhost")));
    assert!(!hidden.contains(TOKEN), "{hidden}");
}

#[tokio::test]
async fn what_was_shown_is_remembered_in_the_session_named() {
    let stand = Stand::new();
    stand.file("m.log", "one\n");
    let mine = stand.builder().session("mine").build().unwrap();
    let tag = mine.read(&ReadRequest::new("m.log")).await.unwrap().receipt.targets[0].tag.clone().unwrap();
    stand.file("m.log", "one\ntwo\n");
    let since = ReadRequest::new(format!("m.log#{tag}"));
    let changes = mine.read(&since).await.unwrap().text();
    assert!(changes.contains("two") && !changes.contains("one\n2"), "{changes}");
    let other = stand.builder().session("other").build().unwrap();
    let told = other.read(&since).await.map(|reply| reply.text());
    assert_ne!(told.unwrap_or_else(|error| error.to_string()), changes);
}

#[tokio::test]
async fn a_session_that_the_server_refuses_is_a_bad_request() {
    let stand = Stand::new();
    let client = stand.builder().session("two words").build().unwrap();
    let error = client.tools().await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("http.bad_request"), Some(400)));
}
