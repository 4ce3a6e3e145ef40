//! Every format with what it may leave out.

use crate::feed::{is_feed, markdown};

const HOME: &str = "https://news.example/feeds/all.xml";

fn shown(text: &str) -> String {
    markdown(text, HOME).unwrap()
}

#[test]
fn rss_two_tells_titles_links_dates_people_and_texts() {
    let page = shown(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:d="http://purl.org/dc/elements/1.1/"
     xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>The  Paper &amp; more</title><link>https://news.example/</link>
<atom:link href="https://news.example/feeds/all.xml" rel="self"/>
<image><title>Not this</title><link>https://wrong.example/</link></image>
<description>All &lt;b&gt;news&lt;/b&gt;</description><lastBuildDate>Tue, 02 Jan 2024 03:04:05 GMT</lastBuildDate>
<item><title><![CDATA[One [1] <i>first</i>]]></title><link>/a?x=1&amp;y=2</link>
 <media:title>Not this</media:title><pubDate>Mon, 01 Jan 2024 10:00:00 +0200</pubDate>
 <d:creator>Ann</d:creator><author>bob@example.org (Bob)</author><category>Tea</category><category>Tea</category>
 <d:subject>Milk</d:subject><description>short</description>
 <c:encoded><![CDATA[<p>Long &amp; good, see <a href="../b">there</a>.</p><script>bad()</script>]]></c:encoded>
 <enclosure url="/talk.mp3" length="1" type="audio/mpeg"/></item>
<item><guid>https://news.example/g</guid><description>only this</description></item>
<item><guid isPermaLink="false">https://news.example/h</guid><title>No link</title></item>
</channel></rss>"#,
    );
    assert!(
        page.starts_with("# The Paper & more\n\nhttps://news.example/ · Updated: 2024-01-02T03:04:05Z\n\nAll news\n")
    );
    assert!(page.contains("## [One \\[1\\] first](https://news.example/a?x=1&y=2)\n"), "{page}");
    assert!(page.contains("\n2024-01-01T10:00:00+02:00 · Ann, bob@example.org (Bob) · Tea, Milk\n"), "{page}");
    assert!(page.contains("\nLong & good, see [there](https://news.example/b).\n"), "{page}");
    assert!(page.contains("enclosure: https://news.example/talk.mp3"));
    assert!(page.contains("## [(no title)](https://news.example/g)\n\nonly this\n"));
    assert!(page.contains("## No link\n"));
    assert!(!page.contains("Not this") && !page.contains("bad()") && !page.contains("wrong.example"));
}

#[test]
fn rss_one_has_its_items_beside_the_channel() {
    let page = shown(
        r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://r.example/"><title>Old</title>
  <link>https://r.example/</link><description>d</description><items><rdf:Seq><rdf:li resource="x"/></rdf:Seq></items>
  </channel><item rdf:about="https://r.example/1"><title>First</title><dc:date>2003-04-05</dc:date></item>
  <item><title>Second</title><link>https://r.example/2</link></item></rdf:RDF>"#,
    );
    assert!(page.starts_with("# Old\n\nhttps://r.example/\n\nd\n"), "{page}");
    assert!(page.contains("## [First](https://r.example/1)\n\n2003-04-05\n"), "{page}");
    assert!(page.contains("## [Second](https://r.example/2)"));
}

#[test]
fn atom_takes_the_alternate_link_the_base_and_every_kind_of_text() {
    let page = shown(
        r#"<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://atom.example/blog/">
<a:title type="text">A &lt;b&gt; c</a:title><a:link rel="self" href="feed"/><a:link href="."/>
<a:subtitle type="html">&lt;p&gt;sub&lt;/p&gt;</a:subtitle><a:updated>2024-01-01T00:00:00Z</a:updated>
<a:author><a:name>Whole feed</a:name></a:author>
<a:entry xml:base="2024/"><a:title type="html">x &amp;amp; y</a:title><a:id>urn:x</a:id>
 <a:link rel="edit" href="edit"/><a:link rel="alternate" href="post"/><a:link rel="enclosure" href="/f.zip"/>
 <a:author><a:name>Eve</a:name><a:email>eve@example.org</a:email></a:author><a:category term="t" label="Label"/>
 <a:published>2024-01-01T00:00:00Z</a:published><a:updated>2024-02-02T00:00:00Z</a:updated>
 <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <a href="z">z &amp; z</a></p>
 <ul><li>1 &lt; 2</li><li>b</li></ul><p>a<br/>b</p></div></a:content></a:entry>
<a:entry><a:title>Last</a:title><a:link rel="self" href="only-self"/><a:summary>s</a:summary></a:entry>
</a:feed>"#,
    );
    assert!(
        page.starts_with("# A <b> c\n\nhttps://atom.example/blog/ · Updated: 2024-01-01T00:00:00Z\n\nsub\n"),
        "{page}"
    );
    assert!(
        page.contains("## [x & y](https://atom.example/blog/2024/post)\n\n2024-01-01T00:00:00Z · Eve · Label\n"),
        "{page}"
    );
    assert!(page.contains("\nHi [z & z](https://atom.example/blog/2024/z)\n\n- 1 < 2\n- b\n\na\nb\n"), "{page}");
    assert!(page.contains("enclosure: https://atom.example/f.zip"));
    assert!(page.contains("## [Last](https://atom.example/blog/only-self)\n\ns\n"), "{page}");
    assert!(!page.contains("eve@example.org"));
}

#[test]
fn json_feeds_are_read_too() {
    let page = shown(
        r#"{"version":"https://jsonfeed.org/version/1.1","title":"J\nson","home_page_url":"https://j.example/",
"description":"about","items":[{"id":"1","url":"/one","title":"One","content_html":"<p>a <b>b</b></p>",
"date_published":"2024-03-04T05:06:07Z","authors":[{"name":"Jo"}],"tags":["x","y"]},
{"id":"2","external_url":"https://e.example/","content_text":"plain <b>"},{"summary":"s","author":{"name":"Al"}}]}"#,
    );
    assert!(page.starts_with("# J son\n\nhttps://j.example/\n\nabout\n"), "{page}");
    assert!(page.contains("## [One](https://news.example/one)\n\n2024-03-04T05:06:07Z · Jo · x, y\n\na b\n"), "{page}");
    assert!(page.contains("## [(no title)](https://e.example/)\n\nplain <b>\n"));
    assert!(page.contains("## (no title)\n\nAl\n\ns\n"));
}

#[test]
fn a_hundred_entries_are_shown_and_the_rest_is_counted() {
    let items = "<item><title>t</title></item>".repeat(137);
    let page = shown(&format!("<rss><channel><title>many</title>{items}</channel></rss>"));
    assert_eq!(page.matches("\n## t\n").count(), 100);
    assert!(page.ends_with("\n(37 more entries)\n"));
    let items = vec!["{}"; 101].join(",");
    let text = format!(r#"{{"version":"https://jsonfeed.org/version/1","items":[{items}]}}"#);
    assert!(shown(&text).ends_with("\n(1 more entries)\n"));
}

#[test]
fn feeds_are_known_by_type_or_root() {
    let rdf = "<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\">";
    for (kind, head) in [
        ("application/rss+xml", "<rss"),
        ("application/atom+xml; charset=utf-8", ""),
        ("Application/Feed+JSON", "{"),
        (
            "text/xml",
            "\u{feff}<?xml version='1.0'?>\n<!-- <html> -->\n<!DOCTYPE rss [<!ENTITY a \"b>\">]>\n<rss version='2.0'>",
        ),
        ("text/html", "<?xml version='1.0'?><rss>"),
        ("application/xml", "<feed xmlns='http://www.w3.org/2005/Atom'>"),
        ("", "<a:feed xmlns:a='http://www.w3.org/2005/Atom'>"),
        ("application/rdf+xml", rdf),
        ("application/json", "{\"version\": \"https://jsonfeed.org/version/1.1\""),
    ] {
        assert!(is_feed(kind, head), "{kind} {head}");
    }
    for (kind, head) in [
        ("text/html", "<!DOCTYPE html><html><rss>"),
        ("application/xml", "<feed><price/></feed>"),
        ("application/rdf+xml", "<rdf:RDF xmlns='http://xmlns.com/foaf/0.1/'>"),
        ("application/json", "{\"version\": 1}"),
        ("text/plain", "<rss>"),
        ("application/rss+xml", "<html>"),
        ("image/svg+xml", "<svg>"),
        ("text/xml", "<!-- <rss>"),
    ] {
        assert!(!is_feed(kind, head), "{kind} {head}");
    }
}

#[test]
fn what_is_no_feed_gives_nothing() {
    for text in ["", "hello", "<html><body/></html>", "{}", "{\"version\":\"https://jsonfeed.org/version/1\"}", "<"] {
        assert_eq!(markdown(text, HOME), None, "{text}");
    }
}
