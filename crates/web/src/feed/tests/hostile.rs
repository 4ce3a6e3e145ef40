//! Feeds that want to do harm.

use crate::feed::{markdown, read};

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
    let feed = read(&format!("<rss><channel><title>t</title><item><title>i</title>{deep}"), HOME).unwrap();
    assert_eq!(feed.text, "# t\n\n## i\n");
    assert!(feed.damaged.is_some_and(|damage| damage.starts_with("elements too deep at byte ")));
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
    let feed = |text: &str| read(text, HOME).unwrap();
    let cut = feed("<rss><channel><title>t</title><item><title>on");
    assert_eq!((cut.text.as_str(), cut.damaged.as_deref()), ("# t\n\n## on\n", Some("cut off at byte 45")));
    for (text, why) in [
        ("<rss><channel></oops></rss>", "tags that do not belong together at byte 14"),
        ("<rss><channel><!-- x", "markup without an end at byte 14"),
    ] {
        assert_eq!(feed(text).damaged.as_deref(), Some(why));
    }
    assert_eq!(feed("<rss><channel></channel></rss>").damaged, None);
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

/// The beginning of a JSON Feed, up to its entries.
const JSON: &str = r#"{"version":"https://jsonfeed.org/version/1","title":"t","items":["#;

#[test]
fn a_json_feed_keeps_only_what_it_shows() {
    let zeros = vec!["0"; 2_000_000].join(",");
    let page = markdown(&format!("{JSON}],\"x\":[{zeros}]}}"), HOME);
    assert_eq!(page.as_deref(), Some("# t\n"));
    let item = format!("{{\"title\":\"i\",\"_x\":[{zeros}]}}");
    assert_eq!(markdown(&format!("{JSON}{item}]}}"), HOME).as_deref(), Some("# t\n\n## i\n"));
    // As values this would be many times its size, so it is left to be shown as JSON.
    assert_eq!(markdown(&format!("{JSON}{{\"tags\":[{zeros}]}}]}}"), HOME), None);
    let late = format!("{JSON}{}{{\"tags\":[{zeros}]}}]}}", "{},".repeat(100));
    assert!(markdown(&late, HOME).unwrap().ends_with("\n(1 more entries)\n"));
}

#[test]
fn a_json_feed_may_have_odd_members_twice_and_in_any_order() {
    let text = r#"{"items":[{"title":5,"url":{},"tags":"x","authors":{"name":"a"},"id":"1"},null,
        {"title":"b","title":"c"}], "title":["x"],"description":null,"version":"https://jsonfeed.org/version/1.1"}"#;
    let page = markdown(text, HOME).unwrap();
    assert_eq!(page, "# Feed\n\n## (no title)\n\n## (no title)\n\n## c\n");
    assert_eq!(markdown(r#"{"version":"https://jsonfeed.org/version/1","items":{}}"#, HOME), None);
    assert_eq!(markdown(r#"{"version":"2","items":[{}]}"#, HOME), None);
}

#[test]
fn a_json_feed_that_is_cut_off_keeps_its_whole_entries() {
    let feed = read(&format!("{JSON}{{\"title\":\"a\"}},{{\"title\":\"b"), HOME).unwrap();
    assert_eq!(feed.text, "# t\n\n## a\n");
    assert!(feed.damaged.as_deref().is_some_and(|why| why.starts_with("cut off at line 1, column ")), "{feed:?}");
    let feed = read(&format!("{JSON}{{\"title\":\"a\"}},<html>"), HOME).unwrap();
    assert!(feed.damaged.as_deref().is_some_and(|why| why.starts_with("no JSON any more at line 1")), "{feed:?}");
    assert_eq!(read(&format!("{JSON}{{\"title\":\"a"), HOME), None);
}

#[test]
fn names_that_come_again_and_again_are_counted_once() {
    let many = (0..300_000).map(|at| format!("<category>c{}</category>", at % 999)).collect::<Vec<_>>().concat();
    let page = markdown(&format!("<rss><channel><item>{many}</item></channel></rss>"), HOME).unwrap();
    assert!(page.contains("\nc0, c1, ") && page.contains(", c19 and 979 more\n"), "{page}");
}

#[test]
fn enclosures_that_are_left_out_are_counted() {
    let many = (0..20).map(|at| format!("<enclosure url=\"/{at}\"/>")).collect::<Vec<_>>().concat();
    let others = "<atom:link rel=\"edit\" href=\"/e\"/>".repeat(20);
    let text = format!("<rss><channel><item><title>i</title>{others}{many}</item></channel></rss>");
    let page = markdown(&text, HOME).unwrap();
    assert_eq!(page.matches("enclosure: ").count(), 16);
    assert!(page.ends_with("enclosure: https://news.example/15\n\n(4 more enclosures)\n"), "{page}");
}

#[test]
fn what_is_made_of_a_text_is_no_larger_than_its_size_warrants() {
    let base = format!("https://news.example/{}/", "b".repeat(4000));
    let links = "<a href=\"x\">y</a>".repeat(20_000).replace('<', "&lt;");
    let text = format!("<rss xml:base=\"{base}\"><channel><item><description>{links}</description></item>");
    let feed = read(&text, HOME).unwrap();
    assert!(feed.text.len() < 21_000 && feed.text.contains("more characters)"), "{}", feed.text.len());
    // A document of its own that is mostly signs with a meaning.
    let signs = format!("<content type=\"xhtml\"><![CDATA[{}]]></content>", "&".repeat(3_000_000));
    let text = format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>{signs}</entry></feed>");
    let feed = read(&text, HOME).unwrap();
    assert!(feed.text.starts_with("# Feed\n\n## (no title)\n\n&&&") && feed.text.len() < 21_000);
    let lists = "<ul>".repeat(300_000).replace('<', "&lt;");
    let text = format!("<rss><channel><item><description>{lists}x</description></item></channel></rss>");
    assert!(read(&text, HOME).unwrap().text.len() < 1_000);
}
