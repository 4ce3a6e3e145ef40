//! Faults of `legible`, which finds the main text of a web page.

use legible::{Document, Options};

const FIRST: &str = "The tide in the old harbour turns twice a day, and whoever sails from here learns its hours before \
                     the names of the boats. Nobody writes them down, because everyone knows somebody who knows them.";
const SECOND: &str = "In spring the water stands higher than the quay, and the ferries, which have no other way, wait for \
                      it to fall. That can take an hour, or, when the wind is from the west, the better part of the day.";

/// The main text as HTML, or nothing where none is found.
fn main_text(html: &str) -> String {
    let options = Options { keep_classes: true, ..Options::default() };
    Document::new(html).parse(None, Some(options)).map(|found| found.content).unwrap_or_default()
}

#[test]
fn fault_first_headings_become_second_ones() {
    let html = format!("<title>Tides</title><article><p>{FIRST}</p><h1>Spring</h1><p>{SECOND}</p></article>");
    let found = main_text(&html);
    assert!(found.contains("Spring") && !found.contains("<h1"), "{found}");
}

#[test]
fn fault_headings_in_frames_are_lost() {
    let part = |name: &str| {
        format!(
            "<div class=\"mw-heading\"><h2 id=\"{name}\">{name}</h2><span>[<a href=\"/edit\">edit</a>]</span></div>{}",
            format!("<p>{FIRST}</p>").repeat(3)
        )
    };
    let found = main_text(&format!("<html><body><main>{}{}</main></body></html>", part("Reading"), part("Writing")));
    assert!(found.contains("turns twice") && !found.contains("Reading</h2>"), "{found}");
}

#[test]
fn fault_a_manual_loses_its_code() {
    let code = format!("<div class=sponsor><pre>open(1)</pre><p>{FIRST}</p><pre>close(2)</pre></div>");
    let html = format!(
        "<html><head><title>files</title></head><body><div role=main><h1>files</h1><p>{FIRST}</p><p>{SECOND}</p>\
         <p>{SECOND}</p>{code}</div></body></html>"
    );
    let found = main_text(&html);
    assert!(found.contains("turns twice") && !found.contains("close(2)"), "{found}");
}

#[test]
fn fault_text_that_styles_hide_is_kept() {
    let hidden = "<p style=\"font-size:0\">UNSEEN words, of which there are as many as in a sentence of a story.</p>";
    let found = main_text(&format!("<title>Tides</title><article><p>{FIRST}</p>{hidden}<p>{SECOND}</p></article>"));
    assert!(found.contains("UNSEEN"), "{found}");
}
