//! Any bytes as a web page: its main text and all of its text are within bounds, tidy, and the same each time.

use readstone_convert::{Bounds, Refusal, article, page_facts, web_page};
use readstone_formats::page_text;

use crate::deep;

const BOUNDS: Bounds = Bounds { text_bytes: 16 * 1024, parts_bytes: 1 << 20, depth: 100 };
/// Where the page stands, when that is known.
const HERE: &str = "https://harbour.test/notes/tides.html?a=1#top";

pub(crate) fn run(input: &[u8]) {
    let Some((pick, bytes)) = input.split_first() else { return };
    let label = if pick & 2 == 0 { None } else { Some("windows-1252") };
    let Some(page) = page_text(bytes, label) else { return };
    let address = (pick & 1 == 1).then_some(HERE);
    deep(move || check(&page.text, address));
}

fn check(html: &str, address: Option<&str>) {
    let facts = page_facts(html, address);
    assert_eq!(page_facts(html, address), facts);
    match web_page(html, address, &BOUNDS) {
        Ok(page) => tidy(&page.text),
        Err(refusal) => assert_eq!(refusal, Refusal::Empty),
    }
    let Ok(main) = article(html, address, &BOUNDS) else { return };
    tidy(&main.text);
    assert!(main.share <= 100);
    assert_eq!(article(html, address, &BOUNDS), Ok(main));
}

fn tidy(text: &str) {
    assert!(text.len() as u64 <= BOUNDS.text_bytes, "{} bytes of text", text.len());
    assert!(!text.is_empty() && !text.contains('\r'), "{text:?}");
    assert!(!text.starts_with('\n') && !text.ends_with('\n'), "{text:?}");
}
