//! Web pages as Markdown.
#![cfg(feature = "html")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use readstone_convert::{Bounds, Refusal, web_page};

const BOUNDS: Bounds = Bounds { text_bytes: 16 << 20, parts_bytes: 64 << 20, depth: 256 };

fn check(html: &str, expected: &str) {
    assert_eq!(web_page(html, &BOUNDS).unwrap(), expected);
}

#[test]
fn a_page_keeps_headings_lists_links_and_code() {
    let html = "<html><head><title>T</title></head><body><nav>Menu</nav><h1>Head</h1><p>A <b>bold</b> \
                <a href=\"/x\">link</a>.</p><ul><li>one<ul><li>two</li></ul></li></ul>\
                <pre>a  b\n\n\nc</pre></body></html>";
    check(html, "Menu\n\n# Head\n\nA **bold** [link](/x).\n\n- one\n  - two\n\n```\na  b\n\n\nc\n```");
}

#[test]
fn the_title_is_a_heading_where_there_is_no_other() {
    check("<title>Fish &amp; chips</title><p>text</p>", "# Fish & chips\n\ntext");
    check("<title>Unseen</title><h1>Seen</h1>", "# Seen");
}

#[test]
fn tables_are_compact_and_escape_bars() {
    let html =
        "<table><tr><th>long heading of a column</th><th>b</th></tr><tr><td>x|y</td><td>1<br>2</td></tr></table>";
    check(html, "| long heading of a column | b |\n| --- | --- |\n| x\\|y | 1<br>2 |");
}

#[test]
fn what_a_browser_does_not_show_is_left_out() {
    let html = "<p>seen</p><script>var a = '<p>no</p>';</script><style>p{}</style><template><p>no</p></template>\
                <p hidden>no</p><div style=\"display: none\">no</div><!-- no --><form><label>Name</label></form>";
    check(html, "seen\n\nName");
}

#[test]
fn raised_signs_stay_raised_and_notes_stay_links() {
    check(
        "<p>10<sup>6</sup> H<sub>2</sub>O<sup><a href=\"#n\">[1]</a></sup></p>",
        "10<sup>6</sup> H<sub>2</sub>O[[1]](#n)",
    );
}

#[test]
fn lines_have_no_blanks_at_their_end() {
    check("<p>a<br>b</p>\n\n\n<p>c</p>", "a\nb\n\nc");
}

#[test]
fn a_page_without_text_is_empty() {
    assert_eq!(web_page("<html><body><script>x</script></body></html>", &BOUNDS), Err(Refusal::Empty));
}

#[test]
fn d05_depth_loses_no_text() {
    check(&format!("{}deep &eacute;{}<p>after", "<div>".repeat(500_000), "</div>".repeat(500_000)), "deep é\n\nafter");
    check(&format!("{}deep{}", "<b><i>".repeat(20_000), "</i></b>".repeat(20_000)), "deep");
    let list = format!("<h2>Head</h2>{}deep{}", "<ul><li>".repeat(5000), "</li></ul>".repeat(5000));
    check(&list, "## Head\n\n- deep");
}

#[test]
fn d20_entities_are_bounded() {
    let made = web_page(&format!("<p>{}</p>", "&amp;&lt;&#x41;&bogus;".repeat(20_000)), &BOUNDS).unwrap();
    assert!(made.starts_with("&<A&bogus;&<A"), "{}", made.get(..20).unwrap());
    assert!(made.len() < 2_000_000);
}

#[test]
fn a_wide_page_loses_no_text() {
    let made = web_page(&"<span>x</span> ".repeat(300_000), &BOUNDS).unwrap();
    assert_eq!(made.matches('x').count(), 300_000);
}

#[test]
fn tags_without_an_end_cost_little() {
    for part in ["<a ", "<a b=\"", "<!--", "<script>", "</", "<"] {
        let html = format!("<p>seen</p>{}", part.repeat(20_000));
        assert!(web_page(&html, &BOUNDS).unwrap().starts_with("seen"), "{part}");
    }
}
