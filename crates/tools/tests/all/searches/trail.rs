//! The trail of a search: its pages, and what each of them offers.

use std::collections::BTreeSet;

use readstone_base::{Reply, Span};
use serde_json::{Value, json};

use super::stand::{Stand, found};

/// A file and the lines of it that match.
pub(crate) type Hits = BTreeSet<(String, u64)>;

/// Every match that is shown when every offer is followed, and the files of the pages in their order.
pub(crate) fn follow(stand: &Stand, input: &Value) -> (Hits, Vec<String>) {
    let (mut hits, mut files, mut input) = (Hits::new(), Vec::new(), input.clone());
    loop {
        let reply = stand.search(&input);
        files.extend(gather(stand, &input, &reply, &mut hits));
        match found(&reply).next_skip {
            Some(next) => {
                assert!(Some(next) > input["skip"].as_u64(), "a page leads to itself");
                input["skip"] = json!(next);
            }
            None => return (hits, files),
        }
    }
}

/// Adds the matches of a reply, and of what leads on from its files; each must be new.
fn gather(stand: &Stand, input: &Value, reply: &Reply, hits: &mut Hits) -> Vec<String> {
    assert_eq!(shown(reply), told(&reply.text()), "{}", reply.text());
    let mut files = Vec::new();
    for target in &reply.receipt.targets {
        let path = target.path.clone().expect("a path");
        for number in lines(&target.shown.as_ref().expect("lines").ranges) {
            assert!(hits.insert((path.clone(), number)), "{path}:{number} is shown twice");
        }
        if let Some(next) = &target.next {
            let mut onward = input.clone();
            onward["paths"] = json!([next]);
            onward.as_object_mut().unwrap().remove("skip");
            gather(stand, &onward, &stand.search(&onward), hits);
        }
        files.push(path);
    }
    files
}

fn lines(spans: &[Span]) -> impl Iterator<Item = u64> {
    spans.iter().flat_map(|span| span.first..=span.last)
}

/// The matches in the account of a reply.
fn shown(reply: &Reply) -> Hits {
    let own = |target: &readstone_base::Target| {
        let path = target.path.clone().unwrap();
        lines(&target.shown.as_ref().unwrap().ranges).map(|number| (path.clone(), number)).collect::<Vec<_>>()
    };
    reply.receipt.targets.iter().flat_map(own).collect()
}

/// The matches in the text of a reply: `*LINE:` below `# PATH#TAG` or `¶PATH#TAG`.
pub(crate) fn told(text: &str) -> Hits {
    let (mut hits, mut path) = (Hits::new(), "");
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("# ").or_else(|| line.strip_prefix('¶')) {
            path = heading.rsplit_once('#').map_or(heading, |(path, _)| path);
        } else if let Some(row) = line.strip_prefix('*') {
            let number = row.split_once(':').expect("a number").0.parse().expect("a number");
            hits.insert((path.to_owned(), number));
        }
    }
    hits
}
