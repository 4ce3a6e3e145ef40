//! Feeds that want to do harm.

use crate::feed::{markdown, written};

const HOME: &str = "https://news.example/feed";

#[test]
fn entities_of_a_document_are_not_expanded() {
    let kind = |level: usize| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    let kinds = (1..12).map(kind).collect::<Vec<_>>().concat();
    let kinds = format!("<!ENTITY a0 \"ha\">{kinds}<!ENTITY f SYSTEM \"file:///etc/passwd\">");
    let title = "&a11;|&f;|&nbsp;|&#65;|a & b";
    let text = format!("<!DOCTYPE rss [{kinds}]><rss><channel><title>{title}</title></channel></rss>");
    let page = markdown(&text, HOME).unwrap();
    assert_eq!(page, "# &a11;|&f;| |A|a & b\n");
}

#[test]
fn deep_and_wide_documents_are_only_walked_through() {
    let deep = "<x xml:base=\"y/\" xmlns:p=\"q\">".repeat(100_000);
    let page = written(&format!("<rss><channel><title>t</title><item><title>i</title>{deep}"), HOME);
    assert!(page.is_some_and(|(page, at)| page == "# t\n\n## i\n" && at.is_some()));
    let wide = (0..50_000).map(|at| format!(" xmlns:p{at}=\"u{at}\"")).collect::<Vec<_>>().concat();
    let items = "<item><title>i</title></item>".repeat(50);
    let page = markdown(&format!("<rss{wide}><channel a=\"{}\">{items}</channel></rss>", "z".repeat(1_000_000)), HOME);
    assert_eq!(page.unwrap().matches("## i").count(), 50);
}

#[test]
fn markup_of_an_entry_may_be_as_deep_as_it_likes() {
    let text = format!("<div>{}x", "<blockquote><ul><li><b>".repeat(50_000)).replace('<', "&lt;");
    let page = markdown(&format!("<rss><channel><item><description>{text}</description></item></channel></rss>"), HOME);
    let page = page.unwrap();
    assert!(page.ends_with("- x\n") && page.len() < 2_000, "{}", page.len());
}

#[test]
fn damage_keeps_what_was_read_before() {
    let items = "<rss><channel><title>t</title><item><title>one</title></item>";
    let (page, at) = written(&format!("{items}<item><title>tw"), HOME).unwrap();
    assert!(page.contains("## one\n\n## tw\n") && at.is_some(), "{page}");
    let (page, at) = written(&format!("{items}</oops></rss>"), HOME).unwrap();
    assert!(page.contains("## one\n") && at.is_some(), "{page}");
}

#[test]
fn titles_stay_on_their_line_and_links_in_their_brackets() {
    let text = "<rss><channel><title>a\n# b</title><item><title>c&#10;&#10;## d ]( x</title>\
                <link>https://e.example/a) b\n(c</link></item><item><title>js</title><link>javascript:x</link></item>\
                </channel></rss>";
    let page = markdown(text, HOME).unwrap();
    assert!(page.starts_with("# a # b\n\n## [c ## d \\]( x](https://e.example/a%29%20b%28c)\n"), "{page}");
    assert!(page.contains("## js\n"));
}

#[test]
fn long_texts_are_cut_and_say_so() {
    let text = format!("<rss><channel><item><description>{}</description></item></channel></rss>", "é".repeat(20_007));
    assert!(markdown(&text, HOME).unwrap().ends_with("é… (7 more characters)\n"));
}
