//! Following `next` from the first page to the last shows every byte exactly once.

use proptest::prelude::proptest;
use readstone_base::Limits;

use super::make;
use super::stand::{NAME, Stand};
use super::trail::{check_lines, follow, gather, rows};
use super::twin::Twin;

proptest! {
    #![proptest_config(make::config(160))]

    #[test]
    fn verbatim_pages_joined_are_the_source(file in make::file(), limits in make::limits()) {
        verbatim(&file.0, &limits, &format!("{NAME}:raw"));
    }

    #[test]
    fn numbered_pages_hold_every_line_once(file in make::file(), limits in make::limits()) {
        numbered(&file.0, &limits, NAME);
    }

    #[test]
    fn the_last_lines_of_all_are_the_whole(file in make::file(), limits in make::limits()) {
        numbered(&file.0, &limits, &format!("{NAME}:-1000000"));
    }

    #[test]
    fn windows_hold_every_line_once(file in make::file(), limits in make::limits(), window in 1_u64..2000) {
        windows(&file.0, &limits, window);
    }

    #[test]
    fn verbatim_windows_joined_are_the_source(file in make::file(), limits in make::limits(), window in 1_u64..2000) {
        verbatim(&file.0, &limits, &format!("{NAME}:b0+{window}:raw"));
    }

    #[test]
    fn a_window_anywhere_begins_and_ends_with_a_line(
        file in make::file(), limits in make::limits(), place in (0_u64..4000, 1_u64..500)
    ) {
        window_anywhere(&file.0, &limits, place.0, place.1);
    }

    #[test]
    fn trails_end_under_a_budget_of_tokens(
        file in make::file(), limits in make::limits(), tokens in 64_u64..400,
        start in proptest::sample::select(vec!["", ":raw", ":b0", ":b0:raw", ":-1000000", ":-1000000:raw"])
    ) {
        budgeted(&file.0, &limits, tokens, start);
    }
}

/// The encoding a file is read in; `None` when it is taken for binary.
fn encoding(stand: &Stand) -> Option<&'static str> {
    stand.read(NAME).target.encoding
}

fn verbatim(bytes: &[u8], limits: &Limits, address: &str) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = encoding(&stand) else { return };
    let twin = Twin::new(bytes, encoding);
    let pages = follow(&stand, address, bytes.len());
    assert!(pages.iter().all(|page| page.verbatim), "a verbatim page with something added: {}", pages[0].text);
    let joined: Vec<u8> = pages.iter().flat_map(|page| page.bytes.clone()).collect();
    assert_eq!(joined, bytes, "the bytes differ");
    let text: String = pages.iter().map(|page| page.text.as_str()).collect();
    assert_eq!(text, twin.text, "the characters differ");
}

fn numbered(bytes: &[u8], limits: &Limits, address: &str) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = encoding(&stand) else { return };
    let twin = Twin::new(bytes, encoding);
    let pages = follow(&stand, address, bytes.len());
    check_lines(&gather(&pages, &twin), &twin);
}

fn windows(bytes: &[u8], limits: &Limits, window: u64) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = encoding(&stand) else { return };
    let twin = Twin::new(bytes, encoding);
    let pages = follow(&stand, &format!("{NAME}:b0+{window}"), bytes.len());
    check_lines(&gather(&pages, &twin), &twin);
    for page in &pages {
        // A page that ended inside a line which a window would show again goes on with exact bytes.
        let exact = page.target.next.as_ref().is_some_and(|next| next.starts_with(&format!("{NAME}:=")));
        let size = window.min(limits.window_max_bytes);
        let next = page.target.next_start_byte.map(|start| format!("{NAME}:b{start}+{size}"));
        assert!(page.target.next == next || exact && next.is_none(), "the two forms of what comes next");
    }
    let whole = pages.iter().flat_map(rows).filter(|row| row.cut.is_none()).count();
    // Escapes and labels may fill the room of a window before its bytes do.
    let fits = |number: usize| {
        let row = twin.lines[number].len() as u64 + 16;
        twin.raw[number].len() as u64 <= limits.window_max_bytes && row <= limits.window_max_bytes * 2
    };
    let short = (0..twin.lines.len()).filter(|number| fits(*number)).count();
    assert!(whole >= short, "{whole} whole lines, but {short} are short enough");
}

fn window_anywhere(bytes: &[u8], limits: &Limits, start: u64, count: u64) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = encoding(&stand) else { return };
    let twin = Twin::new(bytes, encoding);
    let page = stand.read(&format!("{NAME}:b{start}+{count}"));
    let Some(span) = page.target.shown.as_ref().and_then(|shown| shown.ranges.first().copied()) else {
        assert!(start >= twin.size || twin.lines.is_empty(), "nothing shown of byte {start}");
        return;
    };
    assert!(span.first <= start.max(twin.starts[0]), "byte {start} is not in {span:?}");
    assert!(span.count() <= limits.window_max_bytes, "{span:?} is more than the hard cap");
    let is_short = |offset: u64| {
        let line = usize::try_from(twin.line_at(offset)).unwrap() - 1;
        twin.raw[line].len() as u64 <= limits.window_max_bytes
            && twin.lines[line].len() as u64 + 16 <= limits.window_max_bytes * 2
    };
    let is_edge = |offset: u64| offset == twin.size || twin.starts.contains(&offset);
    assert!(is_edge(span.first) || !is_short(span.first), "{span:?} begins inside a short line");
    assert!(is_edge(span.last + 1) || !is_short(span.last), "{span:?} ends inside a short line");
}

fn budgeted(bytes: &[u8], limits: &Limits, tokens: u64, start: &str) {
    let stand = Stand::with(bytes, limits);
    let Some(encoding) = encoding(&stand) else { return };
    let twin = Twin::new(bytes, encoding);
    let (mut pages, mut next) = (Vec::new(), Some(format!("{NAME}{start}")));
    while let Some(address) = next.take() {
        assert!(pages.len() <= 2 * bytes.len() + 16, "the trail does not end: {address}");
        let page = stand.read_with(&serde_json::json!({ "path": address, "max_tokens": tokens }));
        next.clone_from(&page.target.next);
        assert_ne!(next, Some(address), "a page that leads to itself");
        pages.push(page);
    }
    if start.ends_with("raw") {
        // The last lines begin behind a byte order mark.
        let joined: Vec<u8> = pages.iter().flat_map(|page| page.bytes.clone()).collect();
        assert!(bytes.ends_with(&joined) && bytes.len() - joined.len() <= 4, "the bytes differ");
    } else {
        check_lines(&gather(&pages, &twin), &twin);
    }
}

#[test]
fn a_long_line_of_two_byte_characters_is_cut_between_them() {
    for (encoding, character) in [(encoding_rs::GBK, "中"), (encoding_rs::SHIFT_JIS, "ｂ"), (encoding_rs::EUC_KR, "한")]
    {
        // One byte of ASCII in the middle shifts everything behind it by half a character.
        let text = format!("{}x{}\n", character.repeat(15_000), character.repeat(60_000));
        let bytes = encoding.encode(&text).0.into_owned();
        let limits = Limits::default();
        numbered(&bytes, &limits, NAME);
        verbatim(&bytes, &limits, &format!("{NAME}:raw"));
    }
}

#[test]
fn one_long_line_comes_verbatim_to_its_end() {
    for end in ["\n", ""] {
        let bytes = ("x".repeat(200_000) + end).into_bytes();
        verbatim(&bytes, &Limits::default(), &format!("{NAME}:raw"));
    }
}

#[test]
fn a_page_that_ends_with_a_cut_last_line_leads_to_no_line_behind_it() {
    let bytes = "long line\n".repeat(4).into_bytes();
    let limits = Limits { line_chars: 4, cut_lines: 2, ..Limits::default() };
    numbered(&bytes, &limits, NAME);
}

#[test]
fn an_empty_file_is_verbatim_nothing() {
    verbatim(b"", &Limits::default(), &format!("{NAME}:raw"));
    verbatim(b"", &Limits::default(), &format!("{NAME}:b0:raw"));
}

#[test]
fn a_lone_byte_order_mark_is_verbatim_itself() {
    verbatim(b"\xEF\xBB\xBF", &Limits::default(), &format!("{NAME}:raw"));
    verbatim(b"\xFF\xFE", &Limits::default(), &format!("{NAME}:b0:raw"));
}

#[test]
fn slices_of_many_cut_lines_never_part_a_character() {
    let line = "中".repeat(50) + "\n";
    let bytes = line.repeat(8).into_bytes();
    for window_bytes in 16..80 {
        let limits = Limits { line_chars: 10, window_bytes, cut_lines: 8, ..Limits::default() };
        numbered(&bytes, &limits, NAME);
    }
}

#[test]
fn a_window_of_lines_that_grow_when_shown_moves_on() {
    let bytes = ("\u{202e}".repeat(40) + "\n").repeat(3).into_bytes();
    let limits = Limits { window_max_bytes: 128, ..Limits::default() };
    windows(&bytes, &limits, 128);
}

#[test]
fn windows_under_a_budget_of_tokens_move_on() {
    let bytes = ("word ".repeat(400) + "\n").repeat(3).into_bytes();
    budgeted(&bytes, &Limits::default(), 200, ":b0");
}
