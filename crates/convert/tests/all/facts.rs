//! What web pages say of themselves.
#![cfg(feature = "html")]

use readstone_convert::{Alternate, PageFacts, page_facts};

const HERE: &str = "https://harbour.test/notes/tides.html";

fn facts(html: &str) -> PageFacts {
    page_facts(html, Some(HERE))
}

#[test]
fn a_page_names_itself_and_what_can_be_read_instead() {
    let html = "<head><svg><title>no</title></svg><title> Tides &amp;\n more </title><link rel=canonical href=/tides>\
                <link rel=\"alternate\" type=\"text/markdown; charset=utf-8\" href=\"tides.md?a=1&amp;b=2\" title=Source>\
                <link rel=ALTERNATE type=application/rss+xml href=/feed.xml><link rel=alternate hreflang=DE href=/de/>\
                <link rel=\"alternate stylesheet\" href=x.css><link rel=alternate></head>";
    let made = facts(html);
    assert_eq!(made.title, "Tides & more");
    assert_eq!(made.base.as_deref(), Some(HERE));
    assert_eq!(made.canonical.as_deref(), Some("https://harbour.test/tides"));
    let one = |href: &str, kind: &str, title: &str, language: Option<&str>| Alternate {
        href: format!("https://harbour.test/{href}"),
        kind: kind.to_owned(),
        title: title.to_owned(),
        language: language.map(str::to_owned),
    };
    let wanted = [
        one("notes/tides.md?a=1&b=2", "text/markdown", "Source", None),
        one("feed.xml", "application/rss+xml", "", None),
        one("de/", "", "", Some("de")),
    ];
    assert_eq!(made.alternates, wanted);
    let kinds: Vec<_> = made.alternates.iter().map(|one| (one.is_markdown(), one.is_feed())).collect();
    assert_eq!(kinds, [(true, false), (false, true), (false, false)]);
}

#[test]
fn the_base_of_a_page_counts() {
    let html = "<base href=\"//files.test/a/\"><link rel=canonical href=b><iframe src=c.pdf></iframe>";
    let made = facts(html);
    assert_eq!(made.base.as_deref(), Some("https://files.test/a/"));
    assert_eq!(made.canonical.as_deref(), Some("https://files.test/a/b"));
    assert_eq!(made.document.as_deref(), Some("https://files.test/a/c.pdf"));
    let made = page_facts(html, None);
    assert_eq!((made.base, made.canonical.as_deref()), (None, Some("b")));
}

#[test]
fn a_page_around_a_document_names_it() {
    let at = "https://harbour.test/notes/chart.pdf";
    for html in [
        "<embed src=chart.pdf>",
        "<object data=\"chart.pdf\" type=\"application/pdf\"></object>",
        "<iframe src='chart.pdf#view=fit'></iframe>",
        "<p>Here it is: <a href=/notes/chart.PDF?>the chart</a> <a href=/>start</a></p>",
        "<meta name=citation_pdf_url content=chart.pdf>",
    ] {
        let made = facts(html).document.unwrap_or_default();
        assert!(made.to_ascii_lowercase().starts_with(at), "{html}: {made:?}");
    }
    assert_eq!(facts("<embed src=clip.mp4><a href=x.html>x</a><p hidden><a href=x.pdf>x</a></p>").document, None);
    let long = format!("<p>{}</p><a href=chart.pdf>chart</a><iframe src=chart.pdf></iframe>", "words ".repeat(400));
    assert_eq!(facts(&long).document, None);
    let link = |n: usize| format!("<a href={n}.pdf>{n}</a>");
    for count in [2, 3, 20] {
        let many: String = (0..count).map(link).collect();
        assert_eq!(facts(&many).document, None, "a list of files is there for none of them");
    }
    let menu = "<a href=/1>one</a> <a href=/2>two</a> <a href=chart.pdf>chart</a>";
    assert_eq!(facts(menu).document, None, "one of several things that it leads to");
}

#[test]
fn an_article_is_readable_and_a_list_is_not() {
    let paragraph = format!("<p>{}</p>", "some words of a story ".repeat(20));
    assert!(facts(&paragraph.repeat(3)).readable);
    assert!(!facts(&"<li><p>short item</p></li>".repeat(300)).readable);
    assert!(!facts(&format!("<div hidden>{}</div>", paragraph.repeat(3))).readable);
}

#[test]
fn broken_markup_costs_little() {
    for part in ["<link rel=alternate href=a>", "<a href=x.pdf ", "<div hidden>", "<base>", "<!--", "<title>"] {
        let made = facts(&part.repeat(20_000));
        assert!(made.alternates.len() <= 64 && made.anchors.len() <= 1_000, "{part}");
    }
}

#[test]
fn a_page_that_wants_to_lead_elsewhere_says_where() {
    for content in ["0; url=/next", "5;URL='next'", "0;/next", "0, url = \"/next\""] {
        let made = facts(&format!("<meta http-equiv=Refresh content=\"{}\">", content.replace('"', "&quot;")));
        let at = made.refresh.unwrap_or_default();
        assert!(at == "https://harbour.test/next" || at == "https://harbour.test/notes/next", "{content}: {at}");
    }
    assert_eq!(facts("<meta http-equiv=refresh content=30>").refresh, None);
}

#[test]
fn names_lead_to_the_headings_that_they_are_of() {
    let html = "<section id=s1><h2 id=one>First <em>one</em></h2><p id=p>x</p></section><a name=old></a>\
        <h3>Second</h3><h2><span id=in>Third</span></h2>";
    let pair = |name: &str, heading: &str| (name.to_owned(), heading.to_owned());
    let wanted = [pair("s1", "First one"), pair("one", "First one"), pair("old", "Second"), pair("in", "Third")];
    assert_eq!(facts(html).anchors, wanted);
}

#[test]
fn letters_are_those_that_a_page_shows() {
    assert_eq!(facts("<title>no</title><p>one <a href=/>two</a></p><script>no()</script><p hidden>no</p>").letters, 6);
}
