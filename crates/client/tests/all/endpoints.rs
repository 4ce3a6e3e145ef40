//! The line endpoints and the health of a real server.

use readstone_client::{Class, Error, LinesRequest};

use crate::stand::Stand;

const TEXT: &str = "first\nsecond\nthird\n";

/// Names that mean something in a URL.
const NAMES: [&str; 8] =
    ["with space", "50%25 & more=1", "a+b", "q?x#y", "ünï 日本 🦀", "semi;colon", "%41", "back\\slash\"quote'"];

#[tokio::test]
async fn lines_come_numbered_with_their_totals() {
    let stand = Stand::new();
    let path = stand.file("m.log", TEXT);
    let lines = stand.client().read_file_lines(&LinesRequest::new(&path)).await.unwrap();
    assert!(lines.success);
    assert_eq!(lines.file_size, Some(TEXT.len() as u64));
    assert_eq!((lines.total_lines, lines.lines_read), (Some(3), 3));
    assert_eq!(lines.content, "1\tfirst\n2\tsecond\n3\tthird");
    assert_eq!(lines.error, None);
    assert_eq!(lines.clone().into_result().unwrap(), lines);
}

#[tokio::test]
async fn offset_and_limit_and_every_override_reach_the_server() {
    let stand = Stand::new();
    let path = stand.file("m.log", TEXT);
    let client = stand.client();
    let ask = async |request: LinesRequest| client.read_file_lines(&request).await.unwrap();
    let whole = || LinesRequest::new(&path);
    assert_eq!(ask(whole().offset(2)).await.content, "2\tsecond\n3\tthird");
    assert_eq!(ask(whole().limit(1)).await.content, "1\tfirst");
    assert_eq!(ask(whole().offset(3).limit(9)).await.content, "3\tthird");
    assert!(ask(whole().max_line_bytes(3)).await.content.starts_with("1\tfir... [truncated]\n"));
    for request in [whole().max_file_size(3), whole().limit(3).max_response_lines(2), whole().max_response_bytes(4)] {
        let refused = ask(request).await;
        assert!(!refused.success, "{refused:?}");
        assert!(refused.error.unwrap().contains("offset"));
    }
}

#[tokio::test]
async fn lines_that_cannot_be_read_are_data_and_an_error_when_asked_for() {
    let stand = Stand::new();
    let path = stand.directory().join("none").to_str().unwrap().to_owned();
    let lines = stand.client().read_file_lines(&LinesRequest::new(&path)).await.unwrap();
    assert!(!lines.success);
    assert_eq!((lines.file_size, lines.total_lines, lines.lines_read), (None, None, 0));
    let said = lines.error.clone().unwrap();
    let Err(Error::NotRead(what)) = lines.into_result() else { panic!("not an error") };
    assert_eq!(what, said);
    assert!(what.contains("none"), "{what}");
}

#[tokio::test]
async fn bad_parameters_are_refused_with_the_field_they_stand_in() {
    let stand = Stand::new();
    let path = stand.file("m.log", TEXT);
    let client = stand.client();
    for (request, field) in [(LinesRequest::new(&path).offset(0), "offset"), (LinesRequest::new(""), "path")] {
        let error = client.read_file_lines(&request).await.unwrap_err();
        let Error::Refused(refusal) = error else { panic!("a refusal: {error:?}") };
        assert_eq!((refusal.status, refusal.failure.class), (400, Class::Request));
        assert_eq!(refusal.failure.code, "http.bad_request");
        let [validation] = refusal.validations.as_slice() else { panic!("one field: {refusal:?}") };
        assert_eq!(validation.field, field);
        assert!(refusal.failure.message.contains(&validation.detail));
        assert!(refusal.reply.is_none());
    }
    let error = client.read_file(&path, 0, Some(0)).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Some("http.bad_request"), Some(400)));
}

#[tokio::test]
async fn bytes_come_as_they_are_from_an_offset_and_up_to_a_limit() {
    let stand = Stand::new();
    let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    let path = stand.file("data.bin", &bytes);
    let client = stand.client();
    assert_eq!(client.read_file(&path, 0, None).await.unwrap(), bytes);
    assert_eq!(client.read_file(&path, 1_000_001, None).await.unwrap(), bytes[1_000_001..]);
    assert_eq!(client.read_file(&path, 7, Some(130_000)).await.unwrap(), bytes[7..130_007]);
    assert_eq!(client.read_file(&path, 1_199_999, Some(50)).await.unwrap(), bytes[1_199_999..]);
    assert!(client.read_file(&path, 9_999_999, Some(50)).await.unwrap().is_empty());
    let empty = stand.file("empty", "");
    assert!(client.read_file(&empty, 0, None).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_file_without_bytes_to_give_is_refused_with_a_code() {
    let stand = Stand::new();
    let path = stand.directory().join("none").to_str().unwrap().to_owned();
    let error = stand.client().read_file(&path, 0, None).await.unwrap_err();
    let Error::Refused(refusal) = &error else { panic!("a refusal: {error:?}") };
    assert_eq!((refusal.status, refusal.failure.class), (404, Class::Missing));
    assert_eq!(refusal.failure.code, "host.not_found");
    assert!(refusal.failure.message.contains(&path), "{refusal:?}");
    assert_eq!(error.to_string(), format!("{}: {}", refusal.failure.code, refusal.failure.message));
    let error = stand.client().read_file("relative", 0, None).await.unwrap_err();
    assert_eq!(error.status(), Some(400), "{error}");
}

#[tokio::test]
async fn names_that_mean_something_in_a_url_are_taken_literally() {
    let stand = Stand::new();
    let client = stand.client();
    for (number, name) in NAMES.into_iter().enumerate() {
        let text = format!("text {number}");
        let path = stand.file(name, &text);
        assert_eq!(client.read_file(&path, 0, None).await.unwrap(), text, "{name}");
        let lines = client.read_file_lines(&LinesRequest::new(&path)).await.unwrap().into_result();
        assert_eq!(lines.unwrap().content, format!("1\t{text}"), "{name}");
    }
}

#[tokio::test]
async fn the_health_is_asked_for_without_a_token() {
    let stand = Stand::guarded("a-token-that-nobody-guesses");
    stand.client().health().await.unwrap();
    let error = stand.client().tools().await.unwrap_err();
    assert_eq!(error.status(), Some(401));
}
