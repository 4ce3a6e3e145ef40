//! Web pages as Markdown.
#![cfg(feature = "html")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use readstone_convert::{Bounds, Refusal, Remark, web_page};

const BOUNDS: Bounds = Bounds { text_bytes: 16 << 20, parts_bytes: 64 << 20, depth: 256 };

const BARE: &str = "links, tables and emphasis: the page has too many tags or levels";

fn check(html: &str, expected: &str) {
    assert_eq!(web_page(html, None, &BOUNDS).unwrap().text, expected);
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
fn a_page_that_is_hidden_until_a_script_runs_is_shown() {
    for page in ["<html><body style='display: none'>", "<html><body hidden>", "<html hidden><body>"] {
        check(&format!("{page}<p>yes</p><p hidden>no</p></body></html>"), "yes");
        let deep = "<div>".repeat(2_000);
        check(&format!("{page}<p hidden>no</p>{deep}yes"), "yes");
    }
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
    assert_eq!(web_page("<html><body><script>x</script></body></html>", None, &BOUNDS), Err(Refusal::Empty));
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
    let made = web_page(&format!("<p>{}</p>", "&amp;&lt;&#x41;&bogus;".repeat(20_000)), None, &BOUNDS).unwrap().text;
    assert!(made.starts_with("&<A&bogus;&<A"), "{}", made.get(..20).unwrap());
    assert!(made.len() < 2_000_000);
}

#[test]
fn a_wide_page_loses_no_text() {
    let made = web_page(&"<span>x</span> ".repeat(300_000), None, &BOUNDS).unwrap();
    assert_eq!(made.text.matches('x').count(), 300_000);
    assert_eq!(made.remarks, [Remark::LeftOut(BARE.to_owned())]);
}

#[test]
fn tags_without_an_end_cost_little() {
    for part in ["<a ", "<a b=\"", "<!--", "<script>", "</", "<"] {
        let html = format!("<p>seen</p>{}", part.repeat(20_000));
        assert!(web_page(&html, None, &BOUNDS).unwrap().text.starts_with("seen"), "{part}");
    }
}

#[test]
fn a_long_page_is_cut_at_a_line_and_says_so() {
    let bounds = Bounds { text_bytes: 20, ..BOUNDS };
    let made = web_page("<p>first line</p><p>second line</p>", None, &bounds).unwrap();
    assert_eq!(made.text.trim_end(), "first line");
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
    assert!(web_page("<p>first line</p>", None, &bounds).unwrap().remarks.is_empty());
}

#[test]
fn a_table_for_the_layout_is_unrolled() {
    let html = "<table><tr><td>nav<td><h1>Title</h1><p>One.</p><p>Two.</p><ul><li>x</ul><pre>a\n  b</pre>\
                <table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table></table><p>after</p>";
    let inner = "| k | v |\n| --- | --- |\n| 1 | 2 |";
    check(html, &format!("nav\n\n# Title\n\nOne.\n\nTwo.\n\n- x\n\n```\na\n  b\n```\n\n{inner}\n\nafter"));
    let rows = "<tr><td>left<td><p>one<p>two".repeat(3000);
    let made = web_page(&format!("<table>{rows}</table>"), None, &BOUNDS).unwrap();
    assert_eq!((made.text.matches("left").count(), made.remarks.len()), (3000, 0));
}

#[test]
fn a_table_with_a_list_in_a_cell_stays_a_table() {
    let html = "<table><tr><th>a</th><th>b</th></tr><tr><td><ul><li>x</li></ul></td><td>2</td></tr></table>";
    assert!(web_page(html, None, &BOUNDS).unwrap().text.starts_with("| a | b |\n| --- | --- |\n|"));
}

#[test]
fn fields_show_their_values() {
    let html = "<p>Name <input value=\"A &amp; <b\"><input type=submit value='Send it'><input placeholder=Search>\
                <input type=hidden value=no><input type=password value=no></p>";
    check(html, "Name A & <b Send it Search");
}

#[test]
fn what_is_shown_without_scripts_is_kept_and_closed_dialogs_are_not() {
    let html = "<head><noscript><link href=x></noscript></head><p>seen</p><noscript>Enable it <img src=count></noscript>\
                <dialog>no</dialog><dialog open>asked</dialog>";
    check(html, "seen\n\nEnable it\n\nasked");
    check("<p>seen</p><noscript>&lt;img src=count&gt;</noscript><p>too</p>", "seen\n\ntoo");
}

#[test]
fn where_a_page_leads_to_is_a_link() {
    let html = "<html><head><title>Moved</title><meta http-equiv=Refresh content=\"0; URL='http://x/new'\"></head>\
                <body></body></html>";
    check(html, "# Moved\n\nrefresh: <http://x/new>");
    check(
        "<frameset><frame src=\"a.html\" name=\"A\"><frame src=b.html></frameset>",
        "[A](a.html)\n\n[b.html](b.html)",
    );
}

#[test]
fn items_keep_numbers_of_their_own() {
    check("<ol><li>one<li value=2>two<li value=9>nine<li>ten</ol>", "1. one\n2. two\n\n9) nine\n10) ten");
}
