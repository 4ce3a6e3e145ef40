//! Web pages that are files: their main text, all of them, their source.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::format_collect,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use readstone_base::{Budget, Fixed, Limits, Memory, Note, Workshop};
use readstone_formats::{InPlace, Standard};
use readstone_source::{Alone, Content, Entered, Formats as _, Opening, Piece, Reached};

fn enter(html: &[u8], tail: Option<&str>) -> Entered {
    let (limits, budget) = (Limits::default(), Budget::new(Arc::new(Fixed(0)), None));
    let works: Arc<dyn Workshop> = Arc::new(InPlace);
    let opening = Opening { formats: &Standard, ..Opening::bare(&limits, &budget, &works) };
    let blob = Arc::new(Memory::new(html.to_vec()));
    let name = "page.html".to_owned();
    let piece = Piece { blob, path: name.clone(), name, stamp: None, beside: Arc::new(Alone) };
    Standard.container(&piece, tail, &opening).unwrap().unwrap().enter(tail, &opening).unwrap()
}

fn reach(html: &[u8], tail: Option<&str>) -> (Reached, String) {
    let Entered::Content(reached) = enter(html, tail) else { panic!("no text") };
    let Content::Converted(made) = &reached.content else { panic!("no text") };
    let text = String::from_utf8(made.text.to_vec()).unwrap();
    (*reached, text)
}

const SMALL: &str = "<!doctype html>\n<html><head><title>Tides</title><style>p { color: red }</style></head>\n<body>\n\
    <h1>Tide table</h1>\n<p>High water at <b>six</b>,\nlow water at <a href=\"/noon\">noon</a>.</p>\n\
    <ul><li>Spring<ul><li>neap</li></ul></li></ul>\n\
    <table><tr><th>Day</th><th>Height</th></tr><tr><td>Mon</td><td>3.1 | 3.4</td></tr></table>\n\
    <pre>a\n  b</pre>\n<script>alert(1)</script>\n</body></html>\n";

fn article() -> String {
    let menu: String = (0..30).map(|number| format!("<li><a href='/{number}'>Menu entry {number}</a></li>")).collect();
    let words = "<p>The tide comes in twice a day and goes out twice a day, which every fisher knows, and the harbour \
        master writes it down in a book that lies on his desk for whoever asks.</p>";
    format!(
        "<!doctype html><html><head><title>Tides</title></head><body><nav><ul>{menu}</ul></nav>\
         <article><h1>About tides</h1>{words}{words}{words}</article></body></html>"
    )
}

#[test]
fn a_small_page_is_shown_as_it_is() {
    let (reached, text) = reach(SMALL.as_bytes(), None);
    let expected = "# Tide table\n\nHigh water at **six**, low water at [noon](/noon).\n\n- Spring\n  - neap\n\n\
        | Day | Height |\n| --- | --- |\n| Mon | 3.1 \\| 3.4 |\n\n```\na\n  b\n```";
    assert_eq!(text.trim_end(), expected);
    let made = Note::Made { from: "HTML", address: "page.html:source".to_owned() };
    assert_eq!(reached.notes, [made, Note::Titled("Tides".to_owned())]);
}

#[test]
fn a_page_shows_its_main_text_and_says_what_is_left_out() {
    let (reached, text) = reach(article().as_bytes(), Some("1-2"));
    assert!(text.contains("The tide comes in") && !text.contains("Menu entry"), "{text}");
    assert!(
        matches!(&reached.notes[..], [Note::Made { .. }, Note::MainText { address, .. }, ..] if address.ends_with("page.html:all"))
    );
    assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("page.html", Some("1-2")));
}

#[test]
fn all_of_a_page_goes_on_as_all_of_it() {
    for (tail, rest) in
        [("all", None), ("all:3-4", Some("3-4")), ("3-4:all", Some("3-4")), ("all:@Tides", Some("@Tides"))]
    {
        let (reached, text) = reach(article().as_bytes(), Some(tail));
        assert!(text.contains("Menu entry 7"), "{text}");
        assert_eq!((reached.path.as_str(), reached.rest.as_deref()), ("page.html:all", rest), "{tail}");
        assert_eq!(reached.notes.len(), 1);
    }
}

#[test]
fn the_source_is_the_file() {
    for tail in ["source", "5-6:source", "raw", "hex"] {
        assert!(matches!(enter(SMALL.as_bytes(), Some(tail)), Entered::Itself), "{tail}");
    }
}

#[test]
fn what_a_page_says_of_its_encoding_counts() {
    let html = b"<!doctype html><html><head><meta charset=windows-1251><title>T</title></head><body>\
        <p>\xCF\xF0\xE8\xE2\xE5\xF2</p>";
    let (reached, text) = reach(html, None);
    assert!(text.contains("\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}"), "{text}");
    assert!(reached.notes.contains(&Note::Encoding("windows-1251")), "{:?}", reached.notes);
}

#[test]
fn a_page_is_called_by_its_title_where_no_heading_says_it() {
    let named = |title: &str, begin: &str| {
        let html = article().replace("<title>Tides", &format!("<title>{title}")).replace("<h1>About tides</h1>", begin);
        let (reached, text) = reach(html.as_bytes(), None);
        let title = reached
            .notes
            .iter()
            .find_map(|note| if let Note::Titled(title) = note { Some(title.clone()) } else { None });
        (title, text)
    };
    let (title, text) = named("Spring", "<h2>About spring tides</h2>");
    assert_eq!(title, None, "{text}");
    let (title, text) = named("Spring", "<p><img src=a.png alt=Spring></p><pre># Spring</pre>");
    assert_eq!(title.as_deref(), Some("Spring"), "neither a picture nor code is a heading: {text}");
}
