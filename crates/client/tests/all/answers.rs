//! Answers of another kind than usual.

use readstone_client::{Class, Error, LinesRequest, Part, ReadRequest, Span};
use serde_json::json;

use crate::script::{Act, Script, failure_form, page, page_form, say};

async fn read(act: Act) -> Result<readstone_client::Reply, Error> {
    let script = Script::new(vec![act]).await;
    script.client().read(&ReadRequest::new("a")).await
}

fn unexpected(error: Error) -> (u16, String) {
    let Error::Unexpected { status, excerpt, .. } = error else { panic!("not what was expected: {error:?}") };
    (status, excerpt)
}

#[tokio::test]
async fn what_every_request_carries_arrives() {
    let script = Script::new(vec![page("a", None), say(200, &[], "ok\n")]).await;
    let client = script.builder().token("secret").session("s-1").build().unwrap();
    client.read(&ReadRequest::new("ä\"b").max_lines(5)).await.unwrap();
    client.health().await.unwrap();
    let requests = script.heard();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/tools/read http/1.1\r\n"), "{head}");
    for line in ["authorization: bearer secret", "readstone-session: s-1", "content-type: application/json"] {
        assert!(head.lines().any(|known| known == line), "{line} in {head}");
    }
    assert!(head.contains("host: 127.0.0.1:") && head.contains("user-agent: readstone-client/"), "{head}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap(), json!({ "path": "ä\"b", "max_lines": 5 }));
    assert!(requests[1].starts_with("GET /healthz HTTP/1.1\r\n"), "{}", requests[1]);
}

#[tokio::test]
async fn a_base_url_may_have_a_path() {
    for end in ["/behind/a-proxy", "/behind/a-proxy/"] {
        let script = Script::new(vec![say(200, &[], "ok")]).await;
        let url = format!("{}{end}", script.url());
        readstone_client::Client::new(&url).unwrap().health().await.unwrap();
        assert!(script.heard()[0].starts_with("GET /behind/a-proxy/healthz "));
    }
}

#[tokio::test]
async fn a_reply_of_a_newer_server_is_read_as_far_as_it_is_known() {
    let form = json!({
        "status": "ok", "colour": "red",
        "parts": [{ "type": "sound", "data": 5 }, { "type": "text", "text": "t", "more": 1 },
                  { "type": "image", "mime": "image/png", "data": "AAEC" }],
        "receipt": { "tool": "read", "further": {}, "targets": [
            { "address": "a", "url": "u", "shown": { "unit": "pages", "ranges": [[1, 2]], "x": [] },
              "cuts": [{ "start": 4, "shown": 2, "before": null, "after": 9, "next": "a:=6+9" }],
              "hidden": [{ "reason": "ignored", "count": 3, "address": null }],
              "notes": [{ "code": "c", "text": "t" }], "resolved_from": "b" },
            { "address": "z", "error": { "code": "x.y", "class": "lunar", "message": "m" } },
        ] },
    });
    let reply = read(say(200, &[], &form.to_string())).await.unwrap();
    assert_eq!(reply.text(), "t");
    assert_eq!(reply.parts[0], Part::Other);
    assert_eq!(reply.parts[2].bytes(), [0, 1, 2]);
    let [known, failed] = reply.receipt.targets.as_slice() else { panic!("two targets") };
    assert_eq!(known.shown.as_ref().unwrap().ranges, [Span { first: 1, last: 2 }]);
    assert_eq!((known.tag.as_ref(), known.total.lines, known.next.as_ref()), (None, None, None));
    assert_eq!(known.cuts[0].next.as_deref(), Some("a:=6+9"));
    assert_eq!((known.hidden[0].count, known.resolved_from.as_deref()), (3, Some("b")));
    assert_eq!(known.notes[0].text, "t");
    assert_eq!(failed.error.as_ref().unwrap().class, Class::Other);
}

#[tokio::test]
async fn a_failed_reply_is_an_error_whatever_its_status() {
    for status in [200, 404, 503] {
        let error = read(say(status, &[], &failure_form("view.nothing", "missing"))).await.unwrap_err();
        let Error::Refused(refusal) = error else { panic!("a refusal: {error:?}") };
        assert_eq!((refusal.status, refusal.failure.class), (status, Class::Missing));
        assert_eq!(refusal.failure.to_string(), "view.nothing: it failed");
        assert_eq!(refusal.failure.next[0].argument, "b");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_ours_is_told_with_its_status_and_beginning() {
    let long = format!("<html>\r\n{}", "x".repeat(5_000));
    for status in [200, 404, 500, 503] {
        let error = read(say(status, &[], &long)).await.unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
        let (told, excerpt) = unexpected(error);
        assert_eq!(told, status);
        assert!(excerpt.starts_with("<html>\\r\\nxxx") && excerpt.ends_with("x…"), "{excerpt}");
        assert!(excerpt.chars().count() < 250, "{excerpt}");
    }
    let no_form = [r#"{"message":"only this"}"#, r#"{"status":"error"}"#, r#"{"status":"ok"}"#, "null", ""];
    for body in no_form {
        assert_eq!(unexpected(read(say(500, &[], body)).await.unwrap_err()), (500, body.to_owned()));
        assert_eq!(unexpected(read(say(200, &[], body)).await.unwrap_err()), (200, body.to_owned()));
    }
    let bad = page_form("a", None).to_string().replace(r#""text":"a""#, r#""text":"a","data":"not base64""#);
    assert_eq!(unexpected(read(say(200, &[], &bad)).await.unwrap_err()).0, 200);
}

#[tokio::test]
async fn another_server_at_the_port_is_not_taken_for_a_healthy_one() {
    let script = Script::new(vec![say(200, &[], "welcome")]).await;
    assert_eq!(unexpected(script.client().health().await.unwrap_err()), (200, "welcome".to_owned()));
}

#[tokio::test]
async fn lines_need_their_success_and_nothing_else() {
    let script = Script::new(vec![say(200, &[], r#"{"success":false,"new":1}"#), say(200, &[], "{}")]).await;
    let client = script.client();
    let lines = client.read_file_lines(&LinesRequest::new("/a")).await.unwrap();
    assert!(lines.into_result().is_err());
    assert_eq!(unexpected(client.read_file_lines(&LinesRequest::new("/a")).await.unwrap_err()).0, 200);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Script::new(vec![page("a", None)]).await;
    let location = format!("Location: {}/v1/tools/read", elsewhere.url());
    let error = read(say(307, &[&location], "")).await.unwrap_err();
    assert_eq!(unexpected(error).0, 307);
    assert!(elsewhere.heard().is_empty());
}
