//! The main text of web pages.
#![cfg(feature = "html")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use readstone_convert::{Article, Bounds, Part, Refusal, Remark, article, web_page};

const BOUNDS: Bounds = Bounds { text_bytes: 16 << 20, parts_bytes: 64 << 20, depth: 256 };
const HERE: &str = "https://harbour.test/notes/tides.html";

const FIRST: &str = "The tide in the old harbour turns twice a day, and whoever sails from here learns its hours before \
                     the names of the boats. Nobody writes them down, because everyone knows somebody who knows them.";
const SECOND: &str = "In spring the water stands higher than the quay, and the ferries, which have no other way, wait for \
                      it to fall. That can take an hour, or, when the wind is from the west, the better part of the day.";
const THIRD: &str = "The harbour master keeps a board with chalk marks, one for every flood since the bridge was built. \
                     The highest of them is above his head, and he is not a small man, as visitors like to point out.";

fn read(html: &str) -> Article {
    article(html, Some(HERE), &BOUNDS).unwrap()
}

/// A page with an article, and with what surrounds one.
fn framed(middle: &str) -> String {
    format!(
        "<html><head><title>Tides | Harbour Notes</title></head><body><header><nav><a href=/>Start</a> <a href=/boats>All \
         boats</a> <a href=/about>About us</a></nav></header><div class=sidebar><ul><li><a href=/1>Other story one</a>\
         <li><a href=/2>Other story two</a></ul></div><article><h2>High water</h2><p>{FIRST}</p>{middle}<p>{SECOND}</p>\
         <p>{THIRD}</p></article><footer>All rights reserved by nobody</footer></body></html>"
    )
}

#[test]
fn the_main_text_comes_without_what_surrounds_it() {
    let made = read(&framed(""));
    assert_eq!(made.text, format!("## High water\n\n{FIRST}\n\n{SECOND}\n\n{THIRD}"));
    assert_eq!((made.part, made.remarks), (Part::Text, vec![]));
    assert_eq!(made.title, "Tides | Harbour Notes");
    assert!((80..100).contains(&made.share), "{}", made.share);
}

#[test]
fn links_and_pictures_are_absolute() {
    let middle = "<p>See <a href=\"../boats?a=1&amp;b=2\" title=\"Boats\">boats</a>, <a href=#low>low</a>, \
                  <a href=//other.test/x>other</a>, <a href='tides.html#now'>now</a>, \
                  <a href=\"javascript:go()\">go</a>, <a href=mailto:a@b.test>mail</a>. \
                  <img src=chart.png alt=\"[A chart]\"> <img src=data:image/gif;base64,R0 data-src=late.png alt=Late></p>";
    let line = "See [boats](https://harbour.test/boats?a=1&b=2), [low](#low), [other](https://other.test/x), \
                [now](#now), go, [mail](mailto:a@b.test). ![A chart](https://harbour.test/notes/chart.png) \
                ![Late](https://harbour.test/notes/late.png)";
    let made = read(&framed(middle)).text;
    assert!(made.contains(line), "{made}");
    let based = framed(middle).replace("<head>", "<head><base href=\"/old/\">");
    let made = read(&based).text;
    for wanted in ["(https://harbour.test/old/#low)", "(https://harbour.test/boats?", "/old/chart.png)"] {
        assert!(made.contains(wanted), "{wanted}: {made}");
    }
    let made = article(&based, None, &BOUNDS).unwrap().text;
    assert!(made.contains("[boats](../boats?a=1&b=2)") && made.contains("![A chart](chart.png)"), "{made}");
    for address in ["", "notes/tides.html", "mailto:a@b.test", "https://"] {
        assert!(article(&based, Some(address), &BOUNDS).unwrap().text.contains("High water"), "{address}");
    }
}

#[test]
fn a_whole_page_has_absolute_links_where_its_address_is_known() {
    let html = "<p><a href=\"../boats\">boats</a> <img src=a.png alt=A> <a href=#x>x</a></p><frame src=f.html name=F>";
    let made = |address| web_page(html, address, &BOUNDS).unwrap().text;
    assert_eq!(made(None), "[boats](../boats) ![A](a.png) [x](#x)\n\n[F](f.html)");
    let at = "https://harbour.test";
    let known = format!("[boats]({at}/boats) ![A]({at}/notes/a.png) [x](#x)\n\n[F]({at}/notes/f.html)");
    assert_eq!(made(Some(HERE)), known);
}

#[test]
fn n18_hidden_text_is_dropped() {
    let hidden = [
        "<p style=\"display:none\">UNSEEN words</p>",
        "<p hidden>UNSEEN words</p>",
        "<p aria-hidden=true>UNSEEN words</p>",
        "<p style=\"visibility: hidden\">UNSEEN words</p>",
        "<p style='font-size: 0'>UNSEEN words</p>",
        "<span style='font-size:0px !important'>UNSEEN words</span>",
        "<p style=\"opacity:0\">UNSEEN words</p>",
        "<p style=\"COLOR: transparent\">UNSEEN words</p>",
        "<div style=\"position:absolute; left:-9999px\">UNSEEN words</div>",
        "<div style=\"position:fixed;top:-1000em\">UNSEEN <b>words</b></div>",
        "<p style=\"text-indent:-9999px\">UNSEEN words</p>",
        "<div style=\"height:0;overflow:hidden\"><p>UNSEEN words</p></div>",
        "<div style=\"position:absolute;clip:rect(0,0,0,0)\">UNSEEN words</div>",
        "<template><p>UNSEEN words</p></template>",
        "<!-- UNSEEN words -->",
        "<script>UNSEEN words</script>",
    ];
    for part in hidden {
        let made = read(&framed(part));
        assert!(!made.text.contains("UNSEEN") && made.text.contains("wait for"), "{part}");
        let page = format!("<p>seen</p>{part}<p>seen too</p>");
        let whole = web_page(&page, None, &BOUNDS).unwrap().text;
        let shown = part.contains("aria-hidden");
        assert_eq!(whole.contains("UNSEEN"), shown, "{part}: {whole}");
    }
    let shown = "<div style=\"font-size:0\"><span style=\"font-size:16px\">Shown in its own size</span></div>\
                 <p style=\"position:absolute;left:-5px\">Shown a little to the left</p>";
    let made = web_page(shown, None, &BOUNDS).unwrap().text;
    assert!(made.contains("own size") && made.contains("little to the left"), "{made}");
}

#[test]
fn code_has_its_language_and_no_links() {
    let code = [
        ("<pre><code class=\"language-rust\">let a = 1;</code></pre>", "```rust\nlet a = 1;\n```"),
        ("<pre class=\"rust rust-example-rendered\"><code>let a = 1;</code></pre>", "```rust\nlet a = 1;\n```"),
        (
            "<div class=\"highlight-ruby notranslate\"><div class=highlight><pre>a = <a href=/x>b</a>(tide, harbour)\nc = a + 1</pre></div></div>",
            "```ruby\na = b(tide, harbour)\nc = a + 1\n```",
        ),
        ("<div class=\"highlight highlight-source-shell\"><pre>ls -l</pre></div>", "```shell\nls -l\n```"),
        ("<pre class=\"brush: js notranslate\">f()</pre>", "```js\nf()\n```"),
        ("<div class=highlight-python><pre>$ ls -l</pre></div>", "```\n$ ls -l\n```"),
        ("<pre>plain\n  text</pre>", "```\nplain\n  text\n```"),
    ];
    for (part, wanted) in code {
        let made = read(&framed(part)).text;
        assert!(made.contains(wanted), "{part}: {made}");
    }
}

#[test]
fn headings_do_not_lead_to_themselves() {
    let part = "<h3><a href=\"#spring\">Spring</a><a class=headerlink href=\"#spring\">¶</a></h3><p>Then <a href=/y></a>it \
                <a href=\"#\">rises</a>.</p>";
    let made = read(&framed(part)).text;
    assert!(made.contains("### Spring\n\nThen it rises.\n"), "{made}");
}

#[test]
fn formulas_are_written_out() {
    let part = "<p>Height <math><msqrt><mrow><mi>a</mi><mo>+</mo><msup><mi>b</mi><mn>2</mn></msup></mrow></msqrt><mo>=</mo>\
                <mfrac><mrow><mi>x</mi><mo>-</mo><mn>1</mn></mrow><mi>y</mi></mfrac></math> and \
                <math alttext=\"\\alpha_1 &lt; 2\"><mi>α</mi></math>.</p>";
    let made = read(&framed(part)).text;
    assert!(made.contains("√ ( a + b ^ 2 ) = ( x - 1 ) / y and $\\alpha_1 < 2$"), "{made}");
}

#[test]
fn a_manual_keeps_its_code_and_its_terms() {
    let item = |name: &str| format!("<dt><code>{name}(path)</code></dt><dd>Does {name} of a path.</dd>");
    let items: String = ["open", "close", "read", "write", "seek", "flush", "sync"].into_iter().map(item).collect();
    let html = format!(
        "<html><head><title>files — Manual</title></head><body><nav>Contents</nav><div role=main><h1>files</h1>\
         <p>{FIRST}</p><p>{SECOND}</p><dl class=\"function social\">{items}</dl><div class=sponsor><pre>open(1)</pre>\
         <p>{THIRD}</p><pre>close(2)</pre></div></div><div class=footer>Built today</div></body></html>"
    );
    let made = read(&html);
    for name in ["open(path)", "sync(path)", "Does flush", "open(1)", "close(2)"] {
        assert!(made.text.contains(name), "{name} in {made:?}");
    }
    assert!(!made.text.contains("Built today"), "{made:?}");
}

#[test]
fn a_table_stays_a_table() {
    let row = |n: usize| format!("<tr><td>Quay {n}</td><td>{n}.5 m</td></tr>");
    let rows: String = (1..30).map(row).collect();
    let table = format!("<table><tr><th>Quay</th><th>Depth</th></tr>{rows}</table>");
    let made = read(&format!("<title>Depths</title><body><a href=/>Start</a>{table}</body>"));
    assert!(made.text.contains("| Quay | Depth |\n| --- | --- |\n| Quay 1 | 1.5 m |"), "{made:?}");
    assert!(made.text.contains("| Quay 29 | 29.5 m |"), "{made:?}");
    let made = read(&framed(&table));
    assert!(made.text.contains("| Quay 29 | 29.5 m |") && made.text.contains(FIRST), "{made:?}");
}

#[test]
fn a_list_of_links_is_given_whole() {
    let item = |n: usize| {
        format!(
            "<tr><td>{n}.</td><td><a href=item?id={n}>A story of the sea, number {n}</a> (sea.test)</td></tr><tr><td></td>\
             <td>{n} points by sailor{n} | <a href=item?id={n}>{n} comments</a></td></tr>"
        )
    };
    let items: String = (1..=30).map(item).collect();
    let html = format!("<html><title>Sea News</title><body><center><table>{items}</table></center></body></html>");
    let made = read(&html);
    for n in [1, 2, 15, 30] {
        let story = format!("[A story of the sea, number {n}](https://harbour.test/notes/item?id={n})");
        assert!(made.text.contains(&story), "{n}: {made:?}");
    }
    assert_eq!(made.title, "Sea News");
}

#[test]
fn a_thread_keeps_all_its_posts() {
    let post = |n: usize| {
        format!(
            "<div class=post id=p{n}><div class=author><a href=/u/{n}>sailor{n}</a></div><div class=body><p>Answer number \
             {n}: {FIRST}</p><p>{SECOND}</p></div></div>"
        )
    };
    let posts: String = (1..=12).map(post).collect();
    let html = format!("<title>When is high water?</title><body><nav>Forum</nav><div id=thread>{posts}</div></body>");
    let made = read(&html);
    for n in 1..=12 {
        assert!(made.text.contains(&format!("Answer number {n}:")), "{n}: {:?} {}", made.part, made.share);
    }
}

#[test]
fn a_page_of_little_text_is_given_whole() {
    let cell = |n: usize| format!("<div class=card><span>Lamp {n}</span> <span>{n}9 EUR</span></div>");
    let cards: String = (1..=40).map(cell).collect();
    let made = read(&format!("<title>Lamps</title><body><div class=grid>{cards}</div><p>Ok</p></body>"));
    for n in [1, 20, 40] {
        assert!(made.text.contains(&format!("Lamp {n}")), "{made:?}");
    }
}

#[test]
fn d05_a_deep_or_a_wide_page_is_given_whole() {
    let deep = format!("<title>Deep</title>{}{FIRST}{}", "<div>".repeat(20_000), "</div>".repeat(20_000));
    let mark = |n: usize| format!("<p><font size={n}>word {n} </p>");
    let marks: String = (0..5_000).map(mark).collect();
    let wide = format!("<p>{FIRST}</p>{}", "<span>x</span> ".repeat(60_000));
    for (html, word) in [(deep, "twice a day"), (marks, "word 4999"), (wide, "twice a day")] {
        let made = read(&html);
        assert!(matches!(made.part, Part::Whole(_)), "{:?}", made.part);
        assert!(made.text.contains(word) && made.share == 100);
    }
}

#[test]
fn a_page_that_shows_nothing_is_empty() {
    for html in ["", "<html></html>", "<title>T</title><script>x</script>", "<p hidden>x</p>"] {
        assert_eq!(article(html, Some(HERE), &BOUNDS), Err(Refusal::Empty), "{html}");
    }
}

#[test]
fn a_long_article_is_cut_and_says_so() {
    let bounds = Bounds { text_bytes: 300, ..BOUNDS };
    let made = article(&framed(""), None, &bounds).unwrap();
    assert!(made.text.len() <= 300);
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
}

#[test]
fn broken_markup_is_read_all_the_same() {
    for part in ["<a ", "<a href=\"", "<!--", "<math>", "</", "<", "<math><mi>", "<pre>", "<p style=\"font-size:0\">"] {
        let html = format!("<p>seen</p>{}", part.repeat(3_000));
        let made = article(&html, Some(HERE), &BOUNDS).unwrap();
        assert!(made.text.contains("seen"), "{part}");
    }
}

#[test]
fn headings_keep_their_levels() {
    let html =
        framed("<h1>Spring &amp; neap</h1><p>More words of tides that come and go.</p><h2>Moon</h2><p>The moon.</p>");
    let made = read(&html).text;
    for line in ["\n# Spring & neap\n", "\n## Moon\n"] {
        assert!(made.contains(line), "{line}: {made}");
    }
    assert!(made.starts_with("## High water\n"), "{made}");
}

#[test]
fn a_list_of_files_in_lines_keeps_its_links_and_code_stays_code() {
    let list = "<title>Index of /t</title><h1>Index of /t</h1><hr><pre><a href=\"../\">../</a>\n\
                <img src=i.gif alt=\"[ ]\"> <a href=\"low.txt\">low.txt</a>   15-Nov-2026 08:00   12\n</pre><hr>";
    let made = read(list).text;
    assert!(made.contains("- [low.txt](https://harbour.test/notes/low.txt) 15-Nov-2026 08:00 12"), "{made}");
    let code = framed("<pre>let a = <a href=b>b</a>;\n<a href=c>c</a>(a);\nlet d = 1;</pre>");
    assert!(read(&code).text.contains("```\nlet a = b;\nc(a);\n"), "{}", read(&code).text);
}

#[test]
fn headings_in_frames_of_their_own_stay() {
    let paragraph = "<p>The gauge at the pier is read twice a day, and what is read is written down at once, with the hour \
                     and the wind, in the book that lies beside it for everybody to see.</p>";
    let part = |name: &str| {
        format!(
            "<div class=\"mw-heading\"><h2 id=\"{name}\">{name}</h2><span>[<a href=\"/edit\">edit</a>]</span></div>{}",
            paragraph.repeat(3)
        )
    };
    let page = format!("<html><body><main>{}{}</main></body></html>", part("Reading"), part("Writing"));
    let made = read(&page);
    let headings: Vec<&str> = made.text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["## Reading", "## Writing"], "{}", made.text);
    assert!(!made.text.contains("edit"), "{}", made.text);
}
