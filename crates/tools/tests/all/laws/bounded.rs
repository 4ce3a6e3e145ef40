//! No reply is larger than its limits allow, in bytes, in lines and in tokens.

use proptest::prelude::{Strategy, prop_oneof, proptest};
use proptest::{collection, sample};
use readstone_address::{Mode, Select, Selector};
use readstone_base::{Limits, Status};
use serde_json::json;

use super::make;
use super::stand::{NAME, Seen, Stand};
use super::trail::{follow, rows};

/// What stands around the rows of a page: its header and its coverage line.
const FRAME: u64 = 1_000;
/// The mark behind a line that is cut, and its part of the next address.
const MARK: u64 = 200;
/// Pages of a trail that are looked at; the later ones are like them.
const MOST_PAGES: usize = 6;

proptest! {
    #![proptest_config(make::config(96))]

    #[test]
    fn no_page_has_more_bytes_than_its_limits(file in make::file(), limits in make::limits(), tail in any_part()) {
        let stand = Stand::with(&file.0, &limits);
        for (address, page) in pages(&stand, &tail, &json!({})) {
            let most = most_bytes(&limits, &address);
            let found = page.text.len() as u64;
            assert!(found <= most, "{address} has {found} bytes, not at most {most}: {}", brief(&page.text));
        }
    }

    #[test]
    fn no_numbered_page_has_more_lines_than_the_call_allows(
        file in make::file(), limits in make::limits(), tail in part(), lines in 1_u64..20
    ) {
        within_lines(&Stand::with(&file.0, &limits), &tail, lines);
    }

    #[test]
    fn no_verbatim_page_has_more_lines_than_the_call_allows(
        file in make::file(), limits in make::limits(), tail in part(), lines in 1_u64..20
    ) {
        within_lines(&Stand::with(&file.0, &limits), &verbatim(&tail), lines);
    }

    #[test]
    fn no_numbered_page_has_more_tokens_than_the_call_allows(
        file in make::file(), limits in make::limits(), tail in part(), tokens in 64_u64..400
    ) {
        alone_within_tokens(&Stand::with(&file.0, &limits), &tail, tokens);
    }

    #[test]
    fn no_verbatim_page_has_more_tokens_than_the_call_allows(
        file in make::file(), limits in make::limits(), tail in part(), tokens in 64_u64..400
    ) {
        alone_within_tokens(&Stand::with(&file.0, &limits), &verbatim(&tail), tokens);
    }

    #[test]
    fn a_lone_target_shows_something_in_its_tokens_or_says_how_many_it_needs(
        file in make::file(), limits in make::limits(), tail in any_part(), tokens in 0_u64..200
    ) {
        shows_or_says(&Stand::with(&file.0, &limits), &format!("{NAME}{tail}"), tokens);
    }

    #[test]
    fn no_dump_has_more_tokens_than_the_call_allows(file in make::file(), tokens in 64_u64..400) {
        alone_within_tokens(&Stand::with(&file.0, &Limits::default()), ":hex", tokens);
    }

    #[test]
    fn numbered_targets_share_the_tokens_of_a_call(
        files in collection::vec((make::file(), part()), 1..5), limits in make::limits(), tokens in 1_u64..900
    ) {
        let (stand, addresses) = several(&files, &limits);
        within_tokens(&stand, &addresses, tokens);
    }

    #[test]
    fn targets_of_any_kind_share_the_tokens_of_a_call(
        files in collection::vec((make::file(), any_part()), 1..5), limits in make::limits(), tokens in 1_u64..900
    ) {
        let (stand, addresses) = several(&files, &limits);
        within_tokens(&stand, &addresses, tokens);
    }

    #[test]
    fn numbered_targets_share_the_bytes_of_a_call(
        files in collection::vec((make::file(), part()), 2..6), limits in make::limits(), bytes in 256_u64..4000
    ) {
        let limits = Limits { reply_bytes: bytes, ..limits };
        let (stand, addresses) = several(&files, &limits);
        within_bytes(&stand, &addresses, &limits);
    }

    #[test]
    fn targets_of_any_kind_share_the_bytes_of_a_call(
        files in collection::vec((make::file(), any_part()), 2..6), limits in make::limits(), bytes in 256_u64..4000
    ) {
        let limits = Limits { reply_bytes: bytes, ..limits };
        let (stand, addresses) = several(&files, &limits);
        within_bytes(&stand, &addresses, &limits);
    }
}

/// The end of an address that shows numbered lines, of a page or of a part.
fn part() -> impl Strategy<Value = String> {
    let whole = sample::select(vec!["", ":-1000000", ":b0", ":conflicts"]);
    let part = (1_u64..60, 1_u64..60);
    prop_oneof![
        whole.prop_map(str::to_owned),
        part.clone().prop_map(|(first, count)| format!(":{first}+{count}")),
        part.clone().prop_map(|(first, count)| format!(":{first},{}-", first + count)),
        part.clone().prop_map(|(first, count)| format!(":{first},{}-{}", first + 2, first + 2 + count)),
        part.clone().prop_map(|(count, _)| format!(":-{count}")),
        part.clone().prop_map(|(line, column)| format!(":{line}:{}", column * 20)),
        part.clone().prop_map(|(start, count)| format!(":b{}+{}", start * 30, count * 30)),
        part.prop_map(|(start, count)| format!(":={}+{}", start * 30, count * 30)),
    ]
}

/// The end of an address that shows lines, verbatim text or bytes in hex.
fn any_part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => part(),
        4 => part().prop_map(|tail| verbatim(&tail)),
        1 => sample::select(vec![":hex", ":b100:hex", ":b0+40:hex"]).prop_map(str::to_owned),
    ]
}

fn verbatim(tail: &str) -> String {
    if tail == ":conflicts" { ":raw".to_owned() } else { format!("{tail}:raw") }
}

/// A stand with several files, and an address of a part of each.
fn several(files: &[(make::File, String)], limits: &Limits) -> (Stand, Vec<String>) {
    let stand = Stand::new(limits);
    let mut addresses = Vec::new();
    for (number, (file, tail)) in files.iter().enumerate() {
        stand.write(&format!("f{number}"), &file.0);
        addresses.push(format!("f{number}{tail}"));
    }
    (stand, addresses)
}

/// The first pages of a trail, each with its address.
fn pages(stand: &Stand, tail: &str, beside: &serde_json::Value) -> Vec<(String, Seen)> {
    let mut pages = Vec::new();
    let mut next = Some(format!("{NAME}{tail}"));
    while let Some(address) = next.take().filter(|_| pages.len() < MOST_PAGES) {
        let mut input = beside.clone();
        input["path"] = json!(address);
        let page = stand.read_with(&input);
        next.clone_from(&page.target.next);
        pages.push((address, page));
    }
    pages
}

/// The most bytes the text of a page may have.
fn most_bytes(limits: &Limits, address: &str) -> u64 {
    let tail = address.strip_prefix(NAME).expect("the one file").trim_start_matches(':');
    let selector = Selector::parse(tail).expect("an address the program gave, or one of ours");
    let raw = selector.mode == Mode::Raw;
    let lines = |count: u64| limits.page_bytes.max(count.min(limits.range_lines) * limits.range_line_bytes);
    let rows = match &selector.select {
        // Sixteen bytes in hex are a row of 78, and more where the offset is long.
        _ if selector.mode == Mode::Hex => limits.hex_bytes * 5,
        Select::All | Select::From(_) | Select::Symbol(_) | Select::Block { .. } => limits.page_bytes,
        Select::Range(span) => lines(span.count()),
        Select::Many(spans) if spans.iter().any(|span| span.last == u64::MAX) => limits.page_bytes,
        Select::Many(spans) => lines(spans.iter().map(|span| span.count()).sum()),
        Select::Last(count) => lines(*count),
        Select::Around { .. } => lines(2 * limits.around_lines + 1),
        // Exact bytes are counted as they are in the file; decoded, one may become three.
        Select::Rest { .. } if raw => limits.window_bytes.max(limits.page_bytes) * 3,
        Select::Window { .. } if raw => limits.window_max_bytes * 3,
        Select::Window { .. } | Select::Rest { .. } => limits.window_max_bytes * 2,
    };
    let context = limits.context_before + limits.context_after;
    rows + if raw { 0 } else { FRAME + MARK * (limits.cut_lines + context) }
}

/// A text short enough for the message of a failing test.
pub(crate) fn brief(text: &str) -> String {
    let cut = text.char_indices().nth(200).map_or(text.len(), |(at, _)| at);
    format!("{:?}", &text[..cut])
}

fn feeds(page: &Seen) -> u64 {
    page.text.split_inclusive('\n').count() as u64
}

/// The rows of a page that are no context.
fn rows_asked_for(page: &Seen) -> u64 {
    if page.target.kind != Some("text") {
        return 0;
    }
    let context = page.target.shown.iter().flat_map(|shown| &shown.context).map(|span| span.count()).sum::<u64>();
    rows(page).len() as u64 - context
}

fn within_lines(stand: &Stand, tail: &str, lines: u64) {
    for (address, page) in pages(stand, tail, &json!({ "max_lines": lines })) {
        let found = if page.verbatim { feeds(&page) } else { rows_asked_for(&page) };
        assert!(found <= lines, "{address} has {found} lines, not at most {lines}: {}", brief(&page.text));
    }
}

fn alone_within_tokens(stand: &Stand, tail: &str, tokens: u64) {
    for (address, page) in pages(stand, tail, &json!({ "max_tokens": tokens })) {
        let shown = page.target.tokens_shown;
        assert!(shown <= tokens, "{address} has {shown} tokens, not at most {tokens}: {}", brief(&page.text));
    }
}

/// A page that moves on within so many tokens, or a refusal that names a number for which there is one.
fn shows_or_says(stand: &Stand, address: &str, tokens: u64) {
    let input = |tokens: u64| json!({ "path": address, "max_tokens": tokens });
    let reply = stand.call(&input(tokens));
    if let Some(error) = &reply.receipt.error {
        if error.code != "tool.bad_input" {
            return;
        }
        let words = reply.text();
        let number = words.split("max_tokens must be at least ").nth(1).and_then(|rest| rest.split(' ').next());
        let enough = number.and_then(|number| number.parse::<u64>().ok());
        let enough = enough.unwrap_or_else(|| panic!("{address} with {tokens}: {words}"));
        moves_on(address, enough, &stand.read_with(&input(enough)));
    } else {
        moves_on(address, tokens, &stand.read_with(&input(tokens)));
    }
}

fn moves_on(address: &str, tokens: u64, page: &Seen) {
    let shown = page.target.tokens_shown;
    assert!(shown <= tokens, "{address} has {shown} tokens, not at most {tokens}: {}", brief(&page.text));
    assert_ne!(page.target.next.as_deref(), Some(address), "{tokens} tokens lead nowhere: {}", brief(&page.text));
    assert!(!page.text.contains("no room left"), "{address} with {tokens}: {}", brief(&page.text));
}

fn within_tokens(stand: &Stand, addresses: &[String], tokens: u64) {
    let reply = stand.call(&json!({ "paths": addresses, "max_tokens": tokens }));
    if let Some(error) = reply.receipt.error.as_ref().filter(|_| reply.receipt.targets.is_empty()) {
        assert_eq!(error.code, "tool.bad_input", "{addresses:?}: {}", brief(&reply.text()));
        return;
    }
    assert_eq!(reply.status, Status::Ok, "{addresses:?}: {}", brief(&reply.text()));
    let shown: u64 = reply.receipt.targets.iter().map(|target| target.tokens_shown).sum();
    assert!(shown <= tokens, "{addresses:?} have {shown} tokens, not at most {tokens}: {}", brief(&reply.text()));
}

fn within_bytes(stand: &Stand, addresses: &[String], limits: &Limits) {
    let text = stand.call(&json!({ "paths": addresses })).text();
    let frames = addresses.len() as u64 * (FRAME + MARK * (limits.cut_lines + 4));
    let (found, most) = (text.len() as u64, limits.reply_bytes);
    assert!(found <= most + frames, "{addresses:?} have {found} bytes, not at most {most}: {}", brief(&text));
}

#[test]
fn a_listing_has_no_more_bytes_than_a_page() {
    let limits = Limits { page_bytes: 512, ..Limits::default() };
    let stand = Stand::new(&limits);
    for number in 0..200 {
        stand.write(&format!("a file with a rather long name, number {number}"), b"");
    }
    let mut next = Some(".".to_owned());
    let mut names = 0;
    while let Some(address) = next.take() {
        let page = stand.read(&address);
        assert!(page.text.len() as u64 <= limits.page_bytes + FRAME, "{address}: {}", brief(&page.text));
        names += page.text.matches("- a file").count();
        next.clone_from(&page.target.next);
    }
    assert_eq!(names, 200, "every name is listed once");
}

#[test]
fn a_long_line_verbatim_keeps_within_a_budget_of_tokens() {
    let stand = Stand::with("x".repeat(100_000).as_bytes(), &Limits::default());
    for tail in [":raw", ":b0:raw", ":=0-:raw", ":-1:raw", ":1-1:raw", ":1:500:raw"] {
        let page = stand.read_with(&json!({ "path": format!("{NAME}{tail}"), "max_tokens": 500 }));
        assert!(page.target.tokens_shown <= 500, "{tail} has {} tokens", page.target.tokens_shown);
    }
}

#[test]
fn windows_over_a_file_that_ends_inside_a_unit_end() {
    for bytes in [&b"\xff\xfea\0\n\0\xff"[..], b"\xfe\xff\0a\0\n\0", b"\xff\xfe\n\0\n"] {
        let stand = Stand::with(bytes, &Limits::default());
        for tail in [":b0", ":b0:raw", ":b0+2", ":b6", ":raw", ":-1"] {
            follow(&stand, &format!("{NAME}{tail}"), bytes.len());
        }
    }
}

#[test]
fn lines_around_a_column_are_no_more_than_the_call_allows() {
    let bytes = "\n".repeat(6) + &"x".repeat(5_000) + "\n";
    within_lines(&Stand::with(bytes.as_bytes(), &Limits::default()), ":7:4000", 6);
}

#[test]
fn a_lone_target_with_few_tokens_never_leads_to_itself() {
    let stand = Stand::new(&Limits::default());
    let lines = "a number of words in this line\n".repeat(500);
    let name = "a-name-that-takes-a-few-tokens-by-itself.txt";
    stand.write(name, lines.as_bytes());
    stand.write("a.rs", "fn a() {\n    b();\n    c();\n    d();\n}\n".repeat(200).as_bytes());
    stand.write("empty", b"");
    let of =
        |name: &str| ["", ":raw", ":hex", ":3-9", ":b0", ":-4:raw", ":9999", ":outline"].map(|t| format!("{name}{t}"));
    let addresses = [of(name), of("a.rs"), of("empty")].concat();
    for address in addresses.iter().map(String::as_str).chain([".", "*"]) {
        for tokens in (0..90).chain([120, 200]) {
            shows_or_says(&stand, address, tokens);
        }
    }
}
