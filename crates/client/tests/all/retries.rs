//! When a request is sent again.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use readstone_client::{Class, Error, LinesRequest, ReadRequest};
use readstone_desk::Desk;
use readstone_http::Tokens;
use readstone_session::{MemoryStore, Sessions};
use serde_json::json;
use tokio::time::Instant;

use crate::script::{Act, Script, failure_form, page, say};

/// A pause for tests that are not about pauses.
const SHORT: Duration = Duration::from_millis(1);

fn busy(retry_after: &str) -> Act {
    say(429, &[&format!("Retry-After: {retry_after}")], &failure_form("desk.busy", "stopped"))
}

async fn play(acts: Vec<Act>) -> (Result<String, Error>, Vec<String>) {
    let script = Script::new(acts).await;
    let client = script.builder().longest_pause(SHORT).build().unwrap();
    let told = client.read(&ReadRequest::new("a")).await.map(|reply| reply.text());
    (told, script.heard())
}

#[tokio::test]
async fn a_busy_server_is_asked_again_with_the_same_request() {
    let (told, heard) = play(vec![busy("0"), busy("0"), page("at last", None)]).await;
    assert_eq!(told.unwrap(), "at last");
    assert_eq!(heard.len(), 3);
    assert!(heard[0].ends_with(r#"{"path":"a"}"#));
    assert!(heard.iter().all(|request| *request == heard[0]));
}

#[tokio::test]
async fn a_server_that_stays_busy_is_an_error_that_says_when_to_come_back() {
    let (told, heard) = play(vec![busy("7"); 9]).await;
    let error = told.unwrap_err();
    let Error::Busy { retry_after, attempts } = error else { panic!("busy: {error:?}") };
    assert_eq!((retry_after, attempts), (Some(Duration::from_secs(7)), 4));
    assert_eq!(heard.len(), 4);
    assert_eq!(error.status(), Some(429));
    assert_eq!(error.to_string(), "the server is busy after 4 attempts; it asks to come back in 7 s");
}

#[tokio::test]
async fn a_bad_gateway_is_asked_again_and_then_told_as_what_it_is() {
    let (told, heard) = play(vec![say(502, &[], "<html>"), page("at last", None)]).await;
    assert_eq!((told.unwrap().as_str(), heard.len()), ("at last", 2));

    let (told, heard) = play(vec![say(502, &[], "<html>"); 9]).await;
    assert!(matches!(told.unwrap_err(), Error::Unexpected { status: 502, .. }));
    assert_eq!(heard.len(), 4);

    let (told, heard) = play(vec![say(502, &[], &failure_form("host.files", "outside")); 9]).await;
    let error = told.unwrap_err();
    assert_eq!((error.code(), error.failure().unwrap().class), (Some("host.files"), Class::Outside));
    assert_eq!(heard.len(), 4);
}

#[tokio::test]
async fn nothing_else_is_asked_again() {
    for status in [400, 401, 403, 404, 408, 409, 413, 422, 425, 500, 501, 503, 504] {
        let (told, heard) = play(vec![say(status, &["Retry-After: 0"], ""), page("never", None)]).await;
        assert_eq!(told.unwrap_err().status(), Some(status));
        assert_eq!(heard.len(), 1, "{status}");
    }
}

#[tokio::test]
async fn every_call_is_asked_again_and_no_more_often_than_told() {
    for retries in [0, 1, 2] {
        let script = Script::new(vec![busy("0"); 99]).await;
        let client = script.builder().retries(retries).longest_pause(SHORT).build().unwrap();
        let errors = [
            client.read(&ReadRequest::new("a")).await.unwrap_err(),
            client.call("read", &json!({})).await.unwrap_err(),
            client.tools().await.unwrap_err(),
            client.read_file_lines(&LinesRequest::new("/a")).await.unwrap_err(),
            client.read_file("/a", 0, None).await.unwrap_err(),
            client.health().await.unwrap_err(),
        ];
        let times = |error: &Error| matches!(error, Error::Busy { attempts, .. } if *attempts == retries + 1);
        assert!(errors.iter().all(times), "{errors:?}");
        assert_eq!(script.heard().len(), 6 * (retries as usize + 1));
    }
}

#[tokio::test]
async fn a_pause_is_no_shorter_than_the_server_asks() {
    let script = Script::new(vec![busy("1"), page("at last", None)]).await;
    let began = Instant::now();
    script.client().read(&ReadRequest::new("a")).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn pauses_grow_where_the_server_asks_for_none() {
    let acts = vec![busy("0"), say(429, &[], ""), busy("Wed, 21 Oct 2026 07:28:00 GMT"), page("at last", None)];
    let script = Script::new(acts).await;
    let began = Instant::now();
    script.client().read(&ReadRequest::new("a")).await.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(100 + 200 + 400));
}

#[tokio::test]
async fn a_pause_is_no_longer_than_the_client_allows() {
    let script = Script::new(vec![busy("3600"), busy("99999999999999999999999"), page("at last", None)]).await;
    let client = script.builder().longest_pause(SHORT).build().unwrap();
    assert_eq!(client.read(&ReadRequest::new("a")).await.unwrap().text(), "at last");
}

#[tokio::test]
async fn a_pause_that_outlasts_the_call_is_not_waited_for() {
    let script = Script::new(vec![busy("9"), page("never", None)]).await;
    let client = script.builder().timeout(Duration::from_secs(8)).build().unwrap();
    let error = client.read(&ReadRequest::new("a")).await.unwrap_err();
    assert!(matches!(error, Error::Busy { attempts: 1, .. }), "{error:?}");
    assert_eq!(script.heard().len(), 1);
}

#[tokio::test]
async fn a_real_server_without_room_is_busy_until_it_has_room() {
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("m.log"), "a\n").unwrap();
    let toolbox = crate::stand::narrow_toolbox(files.path());
    let sessions = Sessions::new(
        Arc::<MemoryStore>::default(),
        readstone_session::Room { snapshots: 1024, drawer: 1024 },
        Arc::new(readstone_session::MemoryShelf::new(1 << 20)),
        4,
    );
    let desk = Desk::new(toolbox, sessions);
    let (url, _stop) = crate::stand::serve(Arc::clone(&desk), Tokens::default());
    let (release, wait) = mpsc::channel::<()>();
    let (started, begun) = tokio::sync::oneshot::channel();
    let blocker = tokio::spawn(async move {
        let work = move |_: &readstone_tools::Toolbox, _: &_| {
            started.send(()).unwrap();
            let _ended = wait.recv();
        };
        desk.run(None, work).await
    });
    begun.await.unwrap();
    let impatient = readstone_client::Client::builder(&url).retries(0).build().unwrap();
    let error = impatient.read(&ReadRequest::new("m.log")).await.unwrap_err();
    let Error::Busy { retry_after, attempts } = error else { panic!("busy: {error:?}") };
    assert_eq!((retry_after, attempts), (Some(Duration::from_secs(1)), 1));
    let error = impatient.read_file(files.path().join("m.log").to_str().unwrap(), 0, None).await.unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error:?}");
    drop(release);
    blocker.await.unwrap().unwrap();
    let patient = readstone_client::Client::builder(&url).retries(5).build().unwrap();
    assert!(patient.read(&ReadRequest::new("m.log")).await.unwrap().text().contains("1:a\n"));
}
