//! What is not written, and what is said then.

use readstone_base::Class;

use super::stand::Stand;

const USERS: &str =
    "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INTEGER CHECK (age >= 0));
    INSERT INTO users VALUES (1, 'Ada', 36), (2, 'Bob', 40);
    CREATE TABLE orders(id INTEGER PRIMARY KEY, user REFERENCES users(id));
    INSERT INTO orders VALUES (1, 2);
    CREATE VIEW names AS SELECT name FROM users;
    CREATE TABLE strict(n INTEGER, g INTEGER AS (n + 1)) STRICT;";

#[test]
fn rules_of_the_table_hold_and_are_told_in_the_words_of_the_engine() {
    let stand = Stand::new(USERS);
    for (tail, content, words) in [
        ("users", "{name: 'Ada'}", "UNIQUE constraint failed: users.name"),
        ("users", "{age: 1}", "NOT NULL constraint failed: users.name"),
        ("users:1", "{age: -1}", "CHECK constraint failed: age >= 0"),
        ("users:1", "{id: 2}", "UNIQUE constraint failed: users.id"),
        ("users:1", "{id: 'x'}", "datatype mismatch"),
        ("orders", "{user: 77}", "FOREIGN KEY constraint failed"),
        ("users:2", "", "FOREIGN KEY constraint failed"),
        ("strict", "{n: 'x'}", "cannot store TEXT value in INTEGER column strict.n"),
    ] {
        let refused = stand.refuse(tail, content);
        assert_eq!((refused.code, refused.class), ("database.constraint", Class::Request), "{}", refused.text);
        assert!(refused.text.contains(words), "{}", refused.text);
        assert!(refused.text.ends_with("; nothing was changed"), "{}", refused.text);
        assert_eq!(refused.next, [format!("d.db:{}", tail.split(':').next().unwrap())]);
    }
}

#[test]
fn what_is_wrong_with_the_content_is_told() {
    let stand = Stand::new(USERS);
    for (tail, content, words) in [
        ("users", "[1]", "no JSON5 object of plain values"),
        ("users", "name: 'x'", "no JSON5 object of plain values"),
        ("users", "{name: ['x']}", "for the column 'name'"),
        ("users", "{name: 'x', name: 'y'}", "the column name is given twice"),
        ("users", "{name: 'x', NAME: 'y'}", "the column name is given twice"),
        ("users:1", "{}", "the object is empty"),
        ("users:9", "{}", "the object is empty"),
        ("users", "  ", "there is no content"),
        ("strict", "{g: 1}", "cannot INSERT into generated column \"g\""),
    ] {
        let refused = stand.refuse(tail, content);
        assert_eq!((refused.code, refused.class), ("database.bad_row", Class::Request), "{}", refused.text);
        assert!(refused.text.contains(words), "{}", refused.text);
    }
}

#[test]
fn columns_and_tables_that_are_not_there_are_told_with_those_that_are() {
    let stand = Stand::new(USERS);
    for tail in ["users", "users:1", "users:9"] {
        let refused = stand.refuse(tail, "{nme: 'x'}");
        assert_eq!((refused.code, refused.class), ("database.no_column", Class::Missing));
        assert_eq!(refused.text, "'d.db:users' has no column 'nme'; it has id, name, age");
        assert_eq!(refused.next, ["d.db:users"]);
    }
    let refused = stand.refuse("user:1", "");
    assert_eq!((refused.code, refused.class), ("database.no_table", Class::Missing));
    assert_eq!(refused.next, ["d.db:users"]);
}

#[test]
fn addresses_of_more_or_less_than_a_row_are_refused() {
    let stand = Stand::new(USERS);
    for (tail, words) in [
        ("", "a row is written to a table"),
        ("?q=DELETE FROM users", "a row is written to a table"),
        ("users?limit=1", "without parameters"),
        ("users:1?limit=1", "without parameters"),
        ("users:", "the key of the row is missing"),
        ("users:1:name", "write {name: …} to d.db:users:1"),
    ] {
        for content in ["{name: 'x'}", ""] {
            let refused = stand.refuse(tail, content);
            assert_eq!((refused.code, refused.class), ("database.bad_row", Class::Request), "{}", refused.text);
            assert!(refused.text.contains(words), "{tail}: {}", refused.text);
        }
    }
}

#[test]
fn what_has_no_rows_of_its_own_is_refused_with_the_reason() {
    let stand = Stand::new(&format!(
        "{USERS} CREATE VIRTUAL TABLE fts USING fts5(body); CREATE TABLE q(id INTEGER PRIMARY KEY AUTOINCREMENT);
         CREATE TRIGGER instead INSTEAD OF INSERT ON names BEGIN INSERT INTO users(name) VALUES (new.name); END;"
    ));
    for (tail, words) in [
        ("names", "it is a view"),
        ("names:1", "it is a view"),
        ("fts", "it is a virtual table"),
        ("fts:1", "it is a virtual table"),
        ("fts_content", "it belongs to a virtual table"),
        ("sqlite_sequence", "it belongs to SQLite itself"),
        ("sqlite_schema:1", "it belongs to SQLite itself"),
    ] {
        let refused = stand.refuse(tail, "{name: 'x'}");
        assert_eq!((refused.code, refused.class), ("database.unwritable", Class::Denied), "{}", refused.text);
        assert!(refused.text.contains(words), "{tail}: {}", refused.text);
    }
}

#[test]
fn a_link_or_another_file_under_the_name_is_not_written() {
    let mut stand = Stand::new(USERS);
    let elsewhere = Stand::new(USERS);
    stand.identity = Some(readstone_base::Identity { device: 1, inode: 1 });
    assert_eq!(stand.refuse("users:1", "").code, "database.replaced");
    stand.identity = None;
    std::fs::remove_file(stand.path()).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), stand.path()).unwrap();
    assert_eq!(stand.refuse("users:1", "").code, "database.replaced");
    assert_eq!(elsewhere.text("SELECT count(*) FROM users"), ["2"]);
}

#[test]
fn what_is_no_database_or_a_damaged_one_is_left_alone() {
    let stand = Stand::new(USERS);
    let whole = stand.bytes();
    let mut damaged = whole.clone();
    damaged[100..2_000].fill(0x41);
    for bytes in [&b"just text, and no database at all"[..], &damaged] {
        std::fs::write(stand.path(), bytes).unwrap();
        let fault = stand.attempt("users:1", "", readstone_formats::RowEffect::Real).unwrap_err();
        assert_eq!((fault.code(), fault.class()), ("database.corrupt", Class::Broken), "{fault}");
        assert_eq!(stand.bytes(), bytes);
    }
}

#[test]
fn a_file_or_a_directory_that_is_read_only_is_told() {
    use std::os::unix::fs::PermissionsExt;

    let stand = Stand::new(USERS);
    let folder = stand.path().parent().unwrap().to_owned();
    for (path, read_only, usual) in [(stand.path(), 0o444, 0o644), (folder, 0o555, 0o755)] {
        let set = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        set(read_only);
        let is_free =
            std::fs::File::options().append(true).open(&path).is_ok() || std::fs::create_dir(path.join("free")).is_ok();
        // Nothing is read-only for the administrator.
        if !is_free {
            let refused = stand.refuse("users:1", "{age: 1}");
            assert_eq!((refused.code, refused.class), ("database.read_only", Class::Denied), "{}", refused.text);
        }
        set(usual);
    }
    assert_eq!(stand.text("SELECT age FROM users WHERE id = 1"), ["36"]);
}
