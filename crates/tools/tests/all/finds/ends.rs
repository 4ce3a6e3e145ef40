//! How a find ends: in time, out of time, or because nobody wants it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use readstone_base::{Clock, Count, FoundNote, Limits, Status};
use serde_json::json;

use super::stand::Stand;

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

fn late(step: u64, limits: Limits) -> Stand {
    let stand = Stand::with(limits, Arc::new(Ticking { step, looks: AtomicU64::new(0) }));
    for directory in 0..300 {
        stand.files(&[&format!("{directory}/a.rs"), &format!("{directory}/b.rs")]);
    }
    stand
}

#[test]
fn a_find_that_runs_out_of_time_shows_what_it_found_and_says_so() {
    let stand = late(40, Limits { call_ms: 600_000, ..Limits::default() });
    let reply = stand.call(json!({ "paths": "*.rs", "timeout": 1.5 }));
    assert_eq!(reply.status, Status::Ok);
    let found = reply.receipt.found.clone().unwrap();
    let Count::AtLeast(count) = found.total else { unreachable!("{:?}", found.total) };
    assert!(count < 600, "{count}");
    assert_eq!(found.notes, [FoundNote::TimedOut { after: 1_500, count }]);
    let noun = if count == 1 { "match" } else { "matches" };
    let words =
        format!("find timed out after 1.5s; returning {count} partial {noun} — increase timeout or narrow pattern");
    assert!(reply.text().contains(&words), "{}", reply.text());
}

#[test]
fn a_timeout_lies_between_half_a_second_and_a_minute() {
    let after = |timeout: f64, step: u64| {
        let stand = late(step, Limits { call_ms: 600_000, ..Limits::default() });
        let found = stand.found(json!({ "paths": "*.rs", "timeout": timeout }));
        match found.notes.as_slice() {
            [FoundNote::TimedOut { after, .. }] => (*after, found.cut_by),
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(after(0.0, 20), (500, None));
    assert_eq!(after(-5.0, 20), (500, None));
    assert_eq!(after(2.25, 50), (2_250, None));
    assert_eq!(after(1e9, 3_000), (60_000, None));
    let stand = late(200, Limits { call_ms: 600_000, ..Limits::default() });
    assert_eq!(stand.found(json!({ "paths": "*.rs" })).cut_by, Some("find_ms"));
    let stand = late(200, Limits { call_ms: 4_000, ..Limits::default() });
    let reply = stand.call(json!({ "paths": "*.rs" }));
    assert_eq!(reply.receipt.found.as_ref().unwrap().cut_by, Some("call_ms"));
    // More time for the find would not bring more.
    assert!(reply.text().contains(" — narrow pattern; limit call_ms"), "{}", reply.text());
}

#[test]
fn a_cancelled_find_fails() {
    let stand = Stand::new();
    stand.files(&["a/b"]);
    let budget = stand.toolbox.budget();
    budget.cancel_token().cancel();
    let reply = stand.toolbox.take("find", json!({ "paths": "*" }), &budget);
    assert!(matches!(reply.status, Status::Error(_)), "{}", reply.text());
}

#[test]
fn progress_counts_what_was_looked_at_and_names_what_was_found_when_asked() {
    let stand = Stand::new();
    stand.files(&["a.rs", "sub/b.rs", "sub/c.md"]);
    let budget = stand.toolbox.budget();
    assert!(budget.progress().names().is_empty());
    let reply = stand.toolbox.take("find", json!({ "paths": "*.rs" }), &budget);
    assert_eq!(reply.status, Status::Ok);
    let far = budget.progress().how_far();
    assert_eq!((far.looked, far.found), (4, 2));
    let mut names = budget.progress().names();
    names.sort();
    assert_eq!(names, ["a.rs", "sub/b.rs"]);
}
