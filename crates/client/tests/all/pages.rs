//! Reads that are followed to their end.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use readstone_client::{Client, Error, Part, ReadRequest, Reply};

use crate::script::{Script, page, say};
use crate::stand::Stand;

async fn all(client: &Client, request: ReadRequest) -> Vec<Reply> {
    let mut pages = client.pages(request);
    let mut all = Vec::new();
    while let Some(page) = pages.next().await.unwrap() {
        all.push(page);
        assert!(all.len() < 10_000, "a trail without end");
    }
    assert!(pages.next().await.unwrap().is_none());
    all
}

fn bytes(pages: &[Reply]) -> Vec<u8> {
    pages.iter().flat_map(|page| &page.parts).flat_map(Part::bytes).copied().collect()
}

fn lines(numbers: RangeInclusive<u32>) -> String {
    numbers.fold(String::new(), |text, number| text + &format!("line {number}\n"))
}

/// Lines of many lengths, some longer than a page, in more than one script.
fn large() -> String {
    let mut text = String::new();
    for number in 0..40_000_u64 {
        let filling = usize::try_from(number * 7 % 61).unwrap();
        writeln!(text, "{number} {} ß日🦀", "x".repeat(filling)).unwrap();
        if number % 9_999 == 5 {
            text.push_str(&"long ".repeat(30_000));
        }
    }
    text
}

#[tokio::test]
async fn the_verbatim_pages_of_a_large_file_are_the_file() {
    let stand = Stand::new();
    let text = large();
    stand.file("large.txt", &text);
    let pages = all(&stand.client(), ReadRequest::new("large.txt").raw()).await;
    assert!(pages.len() > 10, "{} pages", pages.len());
    assert!(bytes(&pages) == text.as_bytes(), "the pages joined differ from the file");
    let last = pages.last().unwrap();
    assert_eq!(last.next().count(), 0);
}

#[tokio::test]
async fn the_verbatim_pages_of_a_file_with_bad_bytes_are_the_file() {
    let stand = Stand::new();
    let mut file = large().into_bytes();
    for at in (1_000..file.len()).step_by(150_000) {
        file[at] = 0xFF;
    }
    stand.file("bad.txt", &file);
    let pages = all(&stand.client(), ReadRequest::new("bad.txt:raw")).await;
    assert!(pages.iter().any(|page| page.text().contains(char::REPLACEMENT_CHARACTER)));
    assert!(bytes(&pages) == file, "the pages joined differ from the file");
}

#[tokio::test]
async fn numbered_pages_show_every_line_once_and_keep_their_size() {
    let stand = Stand::new();
    let text = lines(1..=1_000);
    stand.file("m.log", &text);
    let pages = all(&stand.client(), ReadRequest::new("m.log").max_lines(300)).await;
    assert_eq!(pages.len(), 4);
    let rows = |page: &Reply| -> Vec<String> {
        let text = page.text();
        let rows = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
        rows.map(str::to_owned).collect()
    };
    assert!(pages.iter().all(|page| rows(page).len() <= 300));
    let expected: Vec<String> = (1..=1_000).map(|number| format!("{number}:line {number}")).collect();
    assert_eq!(pages.iter().flat_map(rows).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_range_and_a_window_are_followed_to_the_end_of_the_file() {
    let stand = Stand::new();
    let text = lines(1..=9_000);
    stand.file("m.log", &text);
    let range = ReadRequest::new("m.log").start_line(11).end_line(8_000).max_lines(500).raw();
    let pages = all(&stand.client(), range).await;
    assert!(pages.len() >= 18, "{} pages", pages.len());
    let expected = lines(11..=9_000);
    assert!(bytes(&pages) == expected.as_bytes(), "the pages joined differ from the lines");

    let window = ReadRequest::new("m.log").start_byte(0).max_bytes(10_000);
    let pages = all(&stand.client(), window).await;
    assert!(pages.len() >= 8, "{} pages", pages.len());
    let shown: String = pages.iter().map(Reply::text).collect();
    let rows: Vec<&str> = shown.lines().filter_map(|line| Some(line.split_once(":line ")?.1)).collect();
    let expected: Vec<String> = (1..=9_000).map(|number| number.to_string()).collect();
    assert!(rows == expected, "the rows differ from the lines");
}

#[tokio::test]
async fn a_read_behind_the_end_is_one_page_that_says_so() {
    let stand = Stand::new();
    stand.file("m.log", "one\ntwo\n");
    for address in ["m.log:3-", "m.log:9-12", "m.log:9-:raw", "m.log:b99", "m.log:hex:b99"] {
        let pages = all(&stand.client(), ReadRequest::new(address)).await;
        let [page] = pages.as_slice() else { panic!("{address}: {} pages", pages.len()) };
        assert_eq!(page.receipt.targets[0].notes[0].code, "view.past_end", "{address}");
    }
}

#[tokio::test]
async fn several_addresses_are_followed_one_after_the_other() {
    let stand = Stand::new();
    stand.file("a.log", "a1\na2\na3\na4\na5\n");
    stand.file("b.log", "b1\n");
    stand.file("c.log", "c1\nc2\nc3\n");
    let request = ReadRequest::several(["a.log", "b.log", "none", "c.log"]).max_lines(2);
    let pages = all(&stand.client(), request).await;
    let text: String = pages.iter().map(Reply::text).collect();
    let rows: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(':')?.1)).collect();
    let seen: Vec<&str> = rows.into_iter().filter(|row| row.len() == 2).collect();
    assert_eq!(seen, ["a1", "a2", "b1", "c1", "c2", "a3", "a4", "a5", "c3"]);
}

#[tokio::test]
async fn a_page_that_failed_can_be_asked_for_again() {
    let acts = vec![page("one", Some("a:2-")), say(503, &[], "later"), page("two", None)];
    let script = Script::new(acts).await;
    let mut pages = script.client().pages(ReadRequest::new("a").max_lines(1).start_line(1).raw());
    assert_eq!(pages.next().await.unwrap().unwrap().text(), "one");
    assert_eq!(pages.next().await.unwrap_err().status(), Some(503));
    assert_eq!(pages.next().await.unwrap().unwrap().text(), "two");
    assert!(pages.next().await.unwrap().is_none());
    let heard = script.heard();
    assert_eq!(heard.len(), 3);
    assert!(heard[2].ends_with(r#"{"path":"a:2-","max_lines":1}"#), "{}", heard[2]);
    assert_eq!(heard[1], heard[2]);
}

#[tokio::test]
async fn a_server_that_leads_in_a_circle_is_not_followed() {
    let script = Script::new(vec![page("one", Some("a:2-")), page("two", Some("a:2-"))]).await;
    let mut pages = script.client().pages(ReadRequest::new("a"));
    pages.next().await.unwrap();
    let error = pages.next().await.unwrap_err();
    assert!(matches!(error, Error::Unexpected { status: 200, .. }), "{error:?}");
    assert!(error.to_string().contains("a:2-"), "{error}");
}
