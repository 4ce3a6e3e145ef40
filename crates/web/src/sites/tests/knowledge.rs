//! Papers, articles, questions and stories.

use serde_json::{Value, json};

use super::{made, made_json, nothing_comes_of_failures};

#[test]
fn a_paper_is_its_abstract_and_who_wrote_it() {
    let url = "https://arxiv.org/pdf/2301.00001v2";
    let feed = r#"<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title><id>http://arxiv.org/api/x</id>
<entry><id>http://arxiv.org/abs/2301.00001v2</id><updated>2023-02-02T00:00:00Z</updated>
<published>2023-01-01T00:00:00Z</published><title>On
  tea</title><summary>  We pour
tea.
</summary><author><name>Ann A.</name></author><author><name>Bob B.</name></author>
<arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">9 pages</arxiv:comment>
<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1/x</arxiv:doi>
<link href="http://arxiv.org/abs/2301.00001v2" rel="alternate" type="text/html"/>
<arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.TE"/>
<category term="cs.TE"/><category term="math.CO"/></entry></feed>"#;
    let page = made(url, &[feed]).unwrap();
    assert!(
        page.starts_with("# On tea\n\nAuthors: Ann A., Bob B.\n\narXiv: 2301.00001v2 · published: 2023-01-01"),
        "{page}"
    );
    assert!(
        page.contains("primary category: cs.TE · categories: cs.TE, math.CO\n\nComment: 9 pages · DOI: 10.1/x\n"),
        "{page}"
    );
    assert!(
        page.contains("PDF: https://arxiv.org/pdf/2301.00001v2") && page.ends_with("## Abstract\n\nWe pour tea.\n")
    );
    let error = r#"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#x</id>
        <title>Error</title><summary>incorrect id format</summary></entry></feed>"#;
    assert_eq!(made(url, &[error]), None);
    assert_eq!(made(url, &["<feed xmlns=\"http://www.w3.org/2005/Atom\"></feed>"]), None);
    nothing_comes_of_failures(url, 1);
}

fn article(text: &str, length: usize) -> Value {
    json!({"query": {"pages": [{"ns": 0, "title": "Tea", "extract": text, "length": length, "description": "hot drink",
        "revisions": [{"timestamp": "2024-01-01T00:00:00Z"}], "canonicalurl": "https://en.wikipedia.org/wiki/Tea"}]}})
}

#[test]
fn an_article_has_its_headings_and_no_empty_sections() {
    let url = "https://en.wikipedia.org/wiki/Tea";
    let text = "Tea is hot.\nVery.\n\n\n== Kinds ==\n\n\n=== Green ===\nG.\n\n\n=== Red ===\n\n\n\
                == Uses ==\n1 == 1\n\n\n\
                == See also ==\n\n\n== Notes ==\n\n\n=== Sources ===\n";
    let page = made_json(url, &[article(text, 500)]).unwrap();
    let wanted = "# Tea\n\nhot drink · last change: 2024-01-01T00:00:00Z · https://en.wikipedia.org/wiki/Tea\n\n\
                  Tea is hot.\nVery.\n\n## Kinds\n\n### Green\n\nG.\n\n## Uses\n\n1 == 1\n";
    assert_eq!(page, wanted);
    nothing_comes_of_failures(url, 1);
}

#[test]
fn a_formula_is_shown_once() {
    let url = "https://en.wikipedia.org/wiki/Tea";
    let text = "We know that \n  \n    \n      \n        E\n        =\n        m\n      \n    \n    \
                {\\displaystyle E=m{c}^{2}}\n  \n, \
                as said.\nNext {\\displaystyle x} end";
    let page = made_json(url, &[article(text, 500)]).unwrap();
    assert!(page.ends_with("\nWe know that $E=m{c}^{2}$, as said.\nNext $x$ end\n"), "{page}");
    let hostile = "{\\displaystyle {".repeat(20_000);
    assert!(made_json(url, &[article(&hostile, 500)]).is_some());
}

#[test]
fn articles_of_tables_and_pages_that_are_none_are_left_to_the_page() {
    let url = "https://en.wikipedia.org/wiki/List_of_teas";
    assert_eq!(made_json(url, &[article("A list.", 100_000)]), None);
    assert_eq!(made_json(url, &[article(" ", 100)]), None);
    assert_eq!(made_json(url, &[json!({"query": {"pages": [{"ns": 0, "title": "X", "missing": true}]}})]), None);
    assert_eq!(made_json(url, &[json!({"query": {"pages": [{"ns": 4, "title": "X", "extract": "text"}]}})]), None);
}

#[test]
fn a_question_comes_with_its_answers_and_the_accepted_one_first() {
    let url = "https://stackoverflow.com/questions/5/how";
    let question = json!({"items": [{"title": "How &quot;to&quot; pour?",
        "body": "<p>I tried</p><pre><code>a &lt; b\n</code></pre>",
        "tags": ["tea"], "score": -2, "creation_date": 0, "owner": {"display_name": "Ann &amp; Co"}, "answer_count": 5,
        "view_count": 7, "link": "https://stackoverflow.com/questions/5/how", "content_license": "CC BY-SA 4.0"}]});
    let answers = json!({"items": [{"body": "<p>High</p>", "score": 9, "owner": {}, "creation_date": 86400},
        {"body": "<p>See <a href=\"/q/6\">six</a></p>", "score": 1, "is_accepted": true,
            "owner": {"display_name": "Bob"}}]});
    let page = made_json(url, &[question.clone(), answers]).unwrap();
    assert!(
        page.starts_with("# How \"to\" pour?\n\nScore: -2 · asked by: Ann & Co · date: 1970-01-01T00:00:00Z"),
        "{page}"
    );
    assert!(page.contains("I tried\n\n```\na < b\n```\n"), "{page}");
    let accepted =
        page.find("## Accepted answer by Bob\n\nScore: 1\n\nSee [six](https://stackoverflow.com/q/6)\n").unwrap();
    assert!(accepted < page.find("## Answer by someone\n\nScore: 9 · 1970-01-02T00:00:00Z\n\nHigh\n").unwrap());
    assert!(page.contains("\n(3 more answers)\n") && page.ends_with("Licence: CC BY-SA 4.0\n"));
    assert_eq!(made_json(url, &[json!({"items": []}), json!({"items": []})]), None);
    assert_eq!(
        made_json(url, &[question, json!({"error_id": 502})]).map(|page| page.contains("## Answer")),
        Some(false)
    );
    nothing_comes_of_failures(url, 2);
}

#[test]
fn a_story_comes_with_its_comments_one_inside_the_other() {
    let url = "https://news.ycombinator.com/item?id=1";
    let story = json!({"id": 1, "title": "Tea &amp;\nmilk", "url": "https://t.example/", "points": 5, "author": "ann",
        "created_at": "2024", "text": null, "children": [
            {"author": "bob", "created_at": "2025",
             "text": "One<p>two <i>x</i> <a href=\"https:&#x2F;&#x2F;e.example\">e</a>",
             "children": [{"author": "eve", "created_at": "2026", "text": "Reply", "children": []}]},
            {"author": null, "text": null, "children": []}]});
    let page = made_json(url, &[story]).unwrap();
    assert!(page.starts_with("# Tea & milk\n\nhttps://t.example/ · points: 5 · by: ann · date: 2024"), "{page}");
    let wanted =
        "## Comments\n\n- **bob**, 2025\n  One\n\n  two x [e](https://e.example)\n  - **eve**, 2026\n    Reply\n";
    assert!(page.ends_with(wanted), "{page}");
    nothing_comes_of_failures(url, 1);
}

#[test]
fn long_and_deep_threads_are_bounded() {
    let url = "https://news.ycombinator.com/item?id=1";
    let many: Vec<Value> = (0..310).map(|_| json!({"author": "a", "text": "x", "children": []})).collect();
    let page = made_json(url, &[json!({"id": 1, "title": "t", "children": many})]).unwrap();
    assert_eq!(page.matches("- **a**").count(), 300);
    assert!(page.ends_with("\n(10 more comments)\n"));
    let mut deep = json!({"author": "z", "text": "deepest", "children": []});
    for _ in 0..50 {
        deep = json!({"author": "a", "text": "x", "children": [deep]});
    }
    let page = made_json(url, &[json!({"id": 1, "title": "t", "children": [deep]})]).unwrap();
    assert!(page.ends_with(&format!("{}- **z**, \n{}deepest\n", "  ".repeat(10), "  ".repeat(11))), "{page}");
    let endless = format!("{{\"id\":1,\"children\":{}", "[{\"children\":".repeat(100_000));
    assert_eq!(made(url, &[&endless]), None);
}
