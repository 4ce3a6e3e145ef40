//! Logs, journals, locks and files that change: the newest committed rows are shown, and nothing is touched.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use readstone_base::{Blob, Identity, Memory, Note, Stamp};

use super::stand::{Seen, Stand, going, made};

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A database with a log, in the middle of its life.
fn logged() -> (Vec<u8>, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
             WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100)
             INSERT INTO t SELECT i, 'old' FROM c;
             PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (101, 'newest'); UPDATE t SET b = 'new' WHERE a = 7;
             BEGIN; INSERT INTO t VALUES (102, 'unfinished');",
        )
        .unwrap();
    (read(&path), read(&folder.path().join("live.db-wal")))
}

#[test]
fn the_newest_rows_of_a_log_are_shown() {
    let (main, wal) = logged();
    let stand = Stand::of(Arc::new(Memory::new(main.clone()))).beside(vec![("-wal", wal)]);
    assert_eq!(stand.rows("t:101").rows, [["101", "'newest'"]]);
    assert_eq!(stand.cell("t:7:b"), b"new");
    assert_eq!(stand.fails("t:102").0, "database.no_row");
    assert_eq!(stand.rows("?q=SELECT count(*) FROM t").rows, [["101"]]);
    assert_eq!(stand.rows("t").notes, []);
    let Seen::Tables(rows, _) = stand.see(None) else { panic!("no list") };
    assert_eq!(rows, [("t".to_owned(), "101".to_owned())]);
    // Without its log it is what the last checkpoint left.
    let stand = Stand::of(Arc::new(Memory::new(main)));
    assert_eq!(stand.rows("?q=SELECT count(*) FROM t").rows, [["100"]]);
}

#[test]
fn a_torn_log_is_read_up_to_the_tear() {
    let (main, mut wal) = logged();
    wal.truncate(wal.len() - 100);
    let stand = Stand::of(Arc::new(Memory::new(main))).beside(vec![("-wal", wal)]);
    assert_eq!(stand.rows("t:101").rows, [["101", "'newest'"]]);
}

/// A database whose writer died in the middle of a transaction.
fn hot() -> (Vec<u8>, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hot.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
             WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
             INSERT INTO t SELECT i, 'committed' || i FROM c;
             PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE t SET b = 'uncommitted' || a;
             INSERT INTO t SELECT a + 2000, 'uncommitted' FROM t;",
        )
        .unwrap();
    (read(&path), read(&folder.path().join("hot.db-journal")))
}

#[test]
fn an_unfinished_transaction_is_undone_in_memory() {
    let (main, journal) = hot();
    assert!(main.windows(11).any(|window| window == b"uncommitted"), "the writer wrote before it died");
    let stand = Stand::of(Arc::new(Memory::new(main))).beside(vec![("-journal", journal)]);
    let page = stand.rows("t?where=b LIKE 'un%'");
    assert_eq!((page.rows.len(), page.notes), (0, vec![Note::RolledBack]));
    assert_eq!(stand.rows("?q=SELECT count(*), min(b) FROM t").rows, [["2000", "'committed1'"]]);
    assert_eq!(stand.cell("t:2000:b"), b"committed2000");
}

#[test]
fn an_undoing_that_takes_too_much_memory_is_refused() {
    let (main, journal) = hot();
    let mut stand = Stand::of(Arc::new(Memory::new(main))).beside(vec![("-journal", journal)]);
    stand.limits.unpack_memory = 8 * 1024;
    assert_eq!(stand.fails("t").0, "database.too_big");
}

#[test]
fn a_journal_that_says_nothing_changes_nothing() {
    let main = made("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    for journal in [vec![0; 512], b"garbage".to_vec(), Vec::new()] {
        let stand = Stand::of(Arc::new(Memory::new(main.clone()))).beside(vec![("-journal", journal)]);
        let page = stand.rows("t");
        assert_eq!((page.rows, page.notes), (vec![vec!["1".to_owned()]], Vec::new()));
    }
}

/// A blob that plays the world: others lock it, it changes, it is slow to jump in.
#[derive(Debug)]
struct Played {
    bytes: Memory,
    locked: Option<Range<u64>>,
    changes: AtomicU64,
    lasting: u64,
    serial: bool,
}

impl Played {
    fn new(sql: &str) -> Self {
        let bytes = Memory::new(made(sql));
        Self { bytes, locked: None, changes: AtomicU64::new(0), lasting: 0, serial: false }
    }
}

impl Blob for Played {
    fn len(&self) -> Option<u64> {
        self.bytes.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read_at(offset, buffer)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        let modified = i128::from(self.changes.fetch_add(1, Ordering::Relaxed).min(self.lasting));
        let identity = Identity { device: 1, inode: 1 };
        Ok(Some(Stamp { identity, size: self.bytes.len().unwrap(), modified, changed: 0 }))
    }

    fn is_serial(&self) -> bool {
        self.serial
    }

    fn hold(&self, range: Range<u64>) -> io::Result<bool> {
        Ok(!self.locked.as_ref().is_some_and(|locked| locked.start < range.end && range.start < locked.end))
    }
}

#[test]
fn a_writer_that_does_not_let_go_is_named() {
    for locked in [0x4000_0000..0x4000_0001, 0x4000_0002..0x4000_0200] {
        let mut blob = Played::new("CREATE TABLE t (a);");
        blob.locked = Some(locked);
        let mut stand = Stand::of(Arc::new(blob));
        stand.limits.lock_ms = 60;
        let started = Instant::now();
        let (code, text) = stand.fails("t");
        assert_eq!(code, "database.locked");
        assert!(text.contains("another program holds the lock for writing"), "{text}");
        assert!(started.elapsed() >= Duration::from_millis(60) && started.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn waiting_for_a_writer_can_be_cancelled() {
    let mut blob = Played::new("CREATE TABLE t (a);");
    blob.locked = Some(0x4000_0002..0x4000_0200);
    let mut stand = Stand::of(Arc::new(blob));
    stand.limits.lock_ms = 20_000;
    stand.budget = going();
    let stop = stand.budget.cancel_token().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.cancel();
    });
    let started = Instant::now();
    assert_eq!(stand.fails("t").0, "database.cancelled");
    assert!(started.elapsed() < Duration::from_secs(2));
    canceller.join().unwrap();
}

#[test]
fn a_file_that_changes_is_read_again_and_then_it_is_said() {
    let mut blob = Played::new("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    blob.lasting = 3;
    let page = Stand::of(Arc::new(blob)).rows("t");
    assert_eq!((page.rows.len(), page.notes), (1, Vec::new()));
    let mut blob = Played::new("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    blob.lasting = u64::MAX;
    let page = Stand::of(Arc::new(blob)).rows("t");
    assert_eq!(page.rows.len(), 1);
    assert!(page.notes.contains(&Note::Changed));
}

#[test]
fn what_cannot_be_read_out_of_order_is_read_whole_up_to_the_limit() {
    let mut blob = Played::new("CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    blob.serial = true;
    let mut stand = Stand::of(Arc::new(blob));
    assert_eq!(stand.rows("t").rows, [["1"]]);
    stand.limits.unpack_memory = 4096;
    let (code, text) = stand.fails("t");
    assert_eq!(code, "database.too_big");
    assert!(text.contains("unpack_memory = 4096"), "{text}");
}

#[test]
fn many_readers_read_side_by_side() {
    let stand = Stand::new(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b);
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
         INSERT INTO t SELECT i, i * 2 FROM c;",
    );
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let stand = &stand;
            scope.spawn(move || {
                for turn in 1..50 {
                    let key = thread * 500 + turn;
                    assert_eq!(stand.rows(&format!("t:{key}")).rows, [[key.to_string(), (key * 2).to_string()]]);
                }
            });
        }
    });
}
