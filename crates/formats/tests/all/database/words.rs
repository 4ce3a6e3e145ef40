//! What errors say, and the calls they offer.

use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Blob, Class, Failure, Fault, Next};
use readstone_source::Beside;

use super::stand::{Seen, Stand, going};

fn users() -> Stand {
    Stand::new("CREATE TABLE users (id INTEGER PRIMARY KEY, name); INSERT INTO users VALUES (1, 'one');")
}

/// What an address says, and that each call it offers works.
fn said(stand: &Stand, tail: &str) -> (String, Vec<String>) {
    let Seen::Failed { text, next, .. } = stand.see(Some(tail)) else { panic!("{tail} leads somewhere") };
    for call in &next {
        assert!(!matches!(stand.follow(call), Seen::Failed { .. }), "{tail} offers {call}");
    }
    assert!(!next.is_empty(), "{tail}: {text}");
    (text, next)
}

#[test]
fn a_question_mark_alone_says_what_is_missing() {
    let (text, next) = said(&users(), "?");
    assert!(text.contains("nothing stands behind the question mark") && text.contains("q=SELECT"), "{text}");
    assert_eq!(next, ["d.db"]);
}

#[test]
fn selectors_and_parameters_in_the_wrong_place_are_answered_with_the_rows() {
    for tail in ["users:raw", "users:1-5", "users:1?limit=2", "users?limt=2", "users:hex"] {
        assert_eq!(said(&users(), tail).1, ["d.db:users?limit=20&offset=0"], "{tail}");
    }
}

#[test]
fn refusals_name_what_the_caller_wrote() {
    let stand = users();
    for (sql, what) in [
        ("CREATE TABLE x (a)", "CREATE TABLE"),
        ("create temp table x (a)", "CREATE TEMP"),
        ("DROP TABLE users", "DROP TABLE"),
        ("ALTER TABLE users ADD COLUMN b", "ALTER TABLE"),
        ("DELETE FROM users", "DELETE FROM users"),
    ] {
        let (text, next) = said(&stand, &format!("?q={sql}"));
        assert!(text.contains(what) && !text.contains("sqlite_"), "{text}");
        assert_eq!(next, ["d.db"]);
    }
}

#[test]
fn errors_of_queries_offer_the_list_of_tables() {
    let mut stand = users();
    for sql in ["SELEC", "SELECT nope FROM users", "SELECT hex(zeroblob(400000000))", "", "SELECT 1; SELECT 2"] {
        assert_eq!(said(&stand, &format!("?q={sql}")).1, ["d.db"], "{sql}");
    }
    let (text, next) = said(&stand, &format!("?q=SELECT '{}'", "x".repeat(200_000)));
    assert_eq!(text, "the statement has 200009 bytes; a statement can have at most 100000");
    assert_eq!(next, ["d.db"]);
    stand.budget = going().within(Duration::from_millis(50));
    let slow = "?q=WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    let Seen::Failed { code, next, .. } = stand.see(Some(slow)) else { panic!("it ended") };
    assert_eq!((code, next), ("database.timeout", vec!["d.db".to_owned()]));
}

/// A log that nobody may read.
struct Denied;

#[derive(Debug)]
struct No;

impl std::fmt::Display for No {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("'/home/me/d.db-wal' may not be read")
    }
}

impl std::error::Error for No {}

impl Failure for No {
    fn code(&self) -> &'static str {
        "host.denied"
    }

    fn class(&self) -> Class {
        Class::Denied
    }

    fn next(&self) -> Vec<Next> {
        Vec::new()
    }
}

impl Beside for Denied {
    fn open(&self, _: &str) -> Result<Option<Arc<dyn Blob>>, Fault> {
        Err(Box::new(No))
    }
}

#[test]
fn a_log_that_may_not_be_read_is_named_as_the_caller_names_it() {
    let mut stand = users();
    stand.piece.beside = Arc::new(Denied);
    let (text, next) = said(&stand, "users");
    assert_eq!(text, "'d.db' cannot be read: d.db-wal, which belongs to it: permission denied");
    assert_eq!(next, ["d.db:hex"]);
    let class = stand.enter(Some("users")).err().map(|fault| fault.class());
    assert_eq!(class, Some(Class::Denied));
}
