//! Fragments of HTML as text.

use crate::feed::markup::{Piece, Pieces, attribute, resolve};
use crate::feed::plain::{fenced, line, plain};

const HOME: &str = "https://a.example/b/c";

#[test]
fn paragraphs_lists_quotes_and_code_keep_their_form() {
    for (html, wanted) in [
        ("<p>a\n  b</p><p>c</p>", "a b\n\nc"),
        ("a<br>b<br/><br>c", "a\nb\nc"),
        ("<ol><li>x<li>y<ul><li>z</ul></ol>end", "1. x\n2. y\n  - z\n\nend"),
        ("<pre><code>fn a() {\n    b &lt; c\n}\n</code></pre>t", "```\nfn a() {\n    b < c\n}\n```\n\nt"),
        ("use <code>a b</code>, now", "use `a b`, now"),
        ("<blockquote><p>q</p><p>r</p></blockquote><p>s</p>", "> q\n>\n> r\n\ns"),
        ("<h2>T</h2>x", "### T\n\nx"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"),
        ("a <!-- <b> --> b<style>p{}</style>", "a b"),
        ("1 < 2 > 0 & <3", "1 < 2 > 0 & <3"),
        ("<img src=\"/i.png\" alt=\"An [i]\"><img src=x>", "![An i](https://a.example/i.png)"),
        ("", ""),
    ] {
        assert_eq!(plain(html, HOME), wanted, "{html}");
    }
}

#[test]
fn links_become_absolute_or_only_words() {
    for (html, wanted) in [
        ("<a href='d?x=1&amp;y'>w x</a>!", "[w x](https://a.example/b/d?x=1&y)!"),
        ("<a href=\"https://z.example/\">https://z.example/</a>", "https://z.example/"),
        ("<a href=\"javascript:x()\">w</a>", "w"),
        ("<a href=e></a>f", "f"),
        ("<a href=\"#\"><b>a</a> <a title='b'>c</a>", "[a](https://a.example/b/c#) c"),
        ("<a href=x>open", "[open](https://a.example/b/x)"),
    ] {
        assert_eq!(plain(html, HOME), wanted, "{html}");
    }
}

#[test]
fn tags_that_never_end_are_text_and_cost_nothing() {
    let text = "<a ".repeat(300_000);
    assert_eq!(Pieces::new(&text).collect::<Vec<_>>(), [Piece::Text(text.as_str())]);
    assert_eq!(Pieces::new("<!-- a").count(), 0);
    assert_eq!(Pieces::new("x<p a='>'>").collect::<Vec<_>>(), [Piece::Text("x"), Piece::Open("p", " a='>'")]);
}

#[test]
fn attributes_are_found_however_they_are_written() {
    for inside in [" href=x", " a HREF = 'x' b", " b=\"href=y\" href=\"x\"", " / href=x /", " =q href=x"] {
        assert_eq!(attribute(inside, "href").as_deref(), Some("x"), "{inside}");
    }
    assert_eq!(attribute(" data-href=x hrefs=y", "href"), None);
}

#[test]
fn entities_are_resolved_once_and_unknown_ones_stay() {
    assert_eq!(
        resolve("&amp;lt; &#x41;&#66; &nbsp; &bogus; & &#0; &#xFFFFFFFF; &hellip;"),
        "&lt; AB   &bogus; & &#0; &#xFFFFFFFF; …"
    );
    assert_eq!(line("a<br>b &amp; <i>c</i>d"), "a b & cd");
}

#[test]
fn a_fence_is_longer_than_what_it_holds() {
    assert_eq!(fenced("a\n````\nb\n", "md"), "`````md\na\n````\nb\n`````");
    assert_eq!(fenced("", ""), "```\n\n```");
}

#[test]
fn a_text_grows_only_so_far() {
    let base = format!("https://a.example/{}/", "b".repeat(4000));
    let html = "<a href=x>y</a> ".repeat(10_000);
    let shown = plain(&html, &base);
    assert!(shown.len() < 5 * html.len() + 70_000, "{}", shown.len());
    assert!(shown.starts_with("[y](https://a.example/b") && shown.ends_with(" more characters)"));
    // Where the addresses are as long as the text, words are left of the last ones.
    let html = "<a href=x></a>".repeat(10_000);
    assert_eq!(plain(&format!("{html}<a href=x>y</a>"), &base), "y");
    let quoted = format!("{}<pre>{}</pre>", "<blockquote>".repeat(6), "a\n".repeat(200_000));
    let shown = plain(&quoted, HOME);
    assert!(shown.len() < 5 * quoted.len() + 70_000 && shown.ends_with(" more characters)"), "{}", shown.len());
}
