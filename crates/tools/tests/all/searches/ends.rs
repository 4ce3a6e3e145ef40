//! How a search ends: in time, out of time, or because nobody wants it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use readstone_base::{Clock, Count, FoundNote, Limits, Status};
use serde_json::json;

use super::stand::{Stand, found};

/// A clock that goes on by so many milliseconds with every look at it.
#[derive(Debug)]
struct Ticking {
    step: u64,
    looks: AtomicU64,
}

impl Clock for Ticking {
    fn wall(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.step * self.looks.fetch_add(1, Ordering::Relaxed))
    }
}

fn late(step: u64) -> Stand {
    let limits = Limits { call_ms: 10_000, ..Limits::default() };
    let stand = Stand::with(limits, Arc::new(Ticking { step, looks: AtomicU64::new(0) }));
    stand.write("first.rs", "stone\n");
    for directory in 0..300 {
        stand.write(&format!("sub/{directory}/a.rs"), "sand\n");
    }
    stand
}

#[test]
fn a_search_that_runs_out_of_time_shows_what_it_found_and_says_so() {
    // Whether one thread comes to the first file before another has used up the time is not certain; that it is said is.
    let shown = |_| {
        let reply = late(40).search(&json!({ "pattern": "stone", "paths": "." }));
        let (text, found) = (reply.text(), found(&reply));
        assert!(text.contains("time ran out ") && text.contains("; limit call_ms"), "{text}");
        assert_eq!((found.total, found.cut_by), (Count::AtLeast(found.matches), Some("call_ms")));
        assert!(matches!(found.notes.as_slice(), [FoundNote::NotAllSearched { files: 0..300 }]), "{:?}", found.notes);
        assert!(text.starts_with("# first.rs#") || text.starts_with("No matches found\n[time ran out "), "{text}");
        found.matches == 1
    };
    assert!((0..20).any(shown), "what was found in time is never shown");
}

#[test]
fn a_file_that_takes_too_long_is_not_called_free_of_matches() {
    let stand = late(3_000);
    stand.write("large.txt", "sand\n".repeat(1_000_000));
    let reply =
        stand.toolbox.call("search", &json!({ "pattern": "x+y", "paths": "large.txt" }), &stand.toolbox.budget());
    let text = reply.text();
    assert!(text.contains("time") && text != "No matches found\n", "{text}");
}

#[test]
fn a_cancelled_search_fails() {
    let stand = Stand::new();
    stand.write("a.txt", "stone\n");
    let budget = stand.toolbox.budget();
    budget.cancel_token().cancel();
    for paths in [".", "a.txt", "*.txt"] {
        let reply = stand.toolbox.call("search", &json!({ "pattern": "stone", "paths": paths }), &budget);
        assert!(matches!(reply.status, Status::Error(_)), "{paths}: {}", reply.text());
    }
}

#[test]
fn progress_counts_what_was_looked_at() {
    let stand = Stand::new();
    for name in ["a.txt", "sub/b.txt", "sub/c.txt"] {
        stand.write(name, if name == "a.txt" { "stone\n" } else { "sand\n" });
    }
    let budget = stand.toolbox.budget();
    let reply = stand.toolbox.call("search", &json!({ "pattern": "stone", "paths": "." }), &budget);
    assert_eq!(reply.status, Status::Ok);
    let far = budget.progress().how_far();
    assert_eq!((far.looked, far.found), (3, 1));
}
