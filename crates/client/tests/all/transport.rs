//! The way to the server and its bounds.

use std::time::Duration;

use readstone_client::{Client, Error, LinesRequest, ReadRequest, Transport};
use tokio::net::TcpListener;

use crate::script::{Act, Script, failure_form, say};
use crate::stand::Stand;

const SOON: Duration = Duration::from_millis(200);

fn is_too_long(error: &Error, bytes: usize) -> bool {
    matches!(error, Error::TooLong { most } if *most == bytes)
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_connection() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = Client::new(&url).unwrap().health().await.unwrap_err();
    assert!(matches!(error, Error::Transport(Transport::Connect(_))), "{error:?}");
    assert!(error.to_string().contains("refused"), "{error}");
    assert!(!error.is_timeout());
    assert_eq!((error.status(), error.code()), (None, None));
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    let acts = ["", "HTTP/1.1 200 Said\r\nContent-Le", "HTTP/1.1 200 Said\r\nContent-Length: 100\r\n\r\nshort"];
    for act in acts {
        let script = Script::new(vec![Act::Say(act.into())]).await;
        let error = script.client().read_file("/a", 0, None).await.unwrap_err();
        assert!(matches!(error, Error::Transport(Transport::BrokenOff(_))), "{act:?}: {error:?}");
        assert_eq!(script.heard().len(), 1, "{act:?} is not asked for again");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_whole_ends_with_the_time() {
    for said in ["", "HTTP/1.1 200 Said\r\nContent-Length: 9\r\n\r\nabc"] {
        let script = Script::new(vec![Act::Stall(said.into())]).await;
        let client = script.builder().timeout(SOON).build().unwrap();
        let error = client.read_file("/a", 0, None).await.unwrap_err();
        assert!(error.is_timeout(), "{error:?}");
        assert!(error.to_string().contains("200ms"), "{error}");
        assert_eq!(script.heard().len(), 1);
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_leaves_the_server() {
    let script = Script::new(vec![Act::Stall(Vec::new())]).await;
    let client = script.client();
    let caller = client.clone();
    let call = tokio::spawn(async move { caller.health().await });
    while script.heard().is_empty() {
        tokio::task::yield_now().await;
    }
    call.abort();
    script.left().await;
    // The client with its connections outlives the call.
    drop(client);
}

#[tokio::test]
async fn an_answer_without_end_ends_with_the_bytes() {
    let script = Script::new(vec![Act::Flood]).await;
    let client = script.builder().max_body_bytes(100_000).build().unwrap();
    let error = client.read_file("/a", 0, None).await.unwrap_err();
    assert!(is_too_long(&error, 100_000), "{error:?}");
}

#[tokio::test]
async fn an_answer_that_is_announced_as_too_long_is_not_waited_for() {
    let head = "HTTP/1.1 200 Said\r\nContent-Length: 1000000000000\r\n\r\n";
    let script = Script::new(vec![Act::Stall(head.into())]).await;
    let error = script.client().read_file("/a", 0, None).await.unwrap_err();
    assert!(is_too_long(&error, 32 * 1024 * 1024), "{error:?}");
}

#[tokio::test]
async fn no_more_of_an_answer_is_held_than_the_client_may() {
    let stand = Stand::new();
    let path = stand.file("m.log", "x".repeat(10_000));
    let client = stand.builder().max_body_bytes(5_000).build().unwrap();
    let error = client.read_file(&path, 0, None).await.unwrap_err();
    assert!(is_too_long(&error, 5_000), "{error:?}");
    assert!(error.to_string().contains("5000"), "{error}");
    assert_eq!(client.read_file(&path, 5_000, None).await.unwrap().len(), 5_000);
    assert!(is_too_long(&client.read_file(&path, 0, Some(5_001)).await.unwrap_err(), 5_000));
    let lines = LinesRequest::new(&path).max_line_bytes(9_000);
    assert!(is_too_long(&client.read_file_lines(&lines).await.unwrap_err(), 5_000));
    let page = ReadRequest::new("m.log:raw");
    assert!(is_too_long(&client.read(&page).await.unwrap_err(), 5_000));
    stand.client().read(&page).await.unwrap();
}

#[tokio::test]
async fn a_long_answer_with_an_error_status_keeps_its_status() {
    let script = Script::new(vec![say(404, &[], &failure_form("view.nothing", "missing")); 2]).await;
    let client = script.builder().max_body_bytes(20).build().unwrap();
    let error = client.read(&ReadRequest::new("a")).await.unwrap_err();
    let Error::Unexpected { status: 404, excerpt, .. } = error else { panic!("its status: {error:?}") };
    assert_eq!(excerpt.len(), 20);
    let error = script.client().read(&ReadRequest::new("a")).await.unwrap_err();
    assert_eq!(error.code(), Some("view.nothing"));
}

#[tokio::test]
async fn what_cannot_be_sent_is_told_before_it_is() {
    let bad = [
        "",
        "localhost",
        "localhost:7333",
        "ftp://localhost",
        "http://",
        "http:///path",
        "/v1",
        "http://a b",
        "http://user:pass@localhost",
        "http://localhost/?q=1",
        "http://localhost/#x",
    ];
    for url in bad {
        let error = Client::new(url).unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{url}: {error:?}");
        assert!(!error.to_string().contains("pass@"), "{error}");
    }
    let local = || Client::builder("http://localhost:7333");
    for builder in [local().token("two\nlines"), local().token("ünicode"), local().session("a\0b")] {
        let error = builder.build().unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error:?}");
        assert!(!error.to_string().contains("lines"), "{error}");
    }
    let script = Script::new(vec![]).await;
    let error = script.client().read_file(&"x".repeat(70_000), 0, None).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error:?}");
    assert!(script.heard().is_empty());
}

#[cfg(not(feature = "tls"))]
#[test]
fn https_without_its_feature_says_which_one_it_needs() {
    let error = Client::new("https://localhost").unwrap_err();
    assert!(error.to_string().contains("feature tls"), "{error}");
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn https_with_its_feature_speaks_tls() {
    let script = Script::new(vec![]).await;
    let url = script.url().replace("http://", "https://");
    // The script speaks no TLS: the greeting is never answered, so all there can be is the end of the time.
    let error = Client::builder(&url).timeout(SOON).build().unwrap().health().await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error:?}");
    assert!(script.heard().is_empty());
    let plain = Script::new(vec![say(200, &[], "ok")]).await;
    plain.client().health().await.unwrap();
}
