//! The cases: every page below `cases/` on the library, the command line, REST and both transports of MCP.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use readstone_host::Environment;
use readstone_testkit::{Cases, Mode};

/// `BLESS=1` writes what the library says into the pages, `CASE=text` runs only pages whose path holds the text.
#[test]
fn every_page_of_the_cases_holds_on_the_library_and_on_every_surface() {
    let environment = Environment::of_process();
    let mode = if environment.get("BLESS").is_some() { Mode::Bless } else { Mode::Check };
    let only = environment.get("CASE").and_then(|only| only.to_str()).unwrap_or_default();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases").canonicalize().unwrap();
    let pages = Cases::pages(&directory).unwrap();
    let pages: Vec<PathBuf> = pages.into_iter().filter(|page| page.to_string_lossy().contains(only)).collect();
    assert!(!pages.is_empty(), "there are no cases below {}", directory.display());

    let complaints = run_all(&pages, mode);
    let shown = complaints.concat().replace(&format!("{}/", directory.display()), "cases/");
    assert!(complaints.is_empty(), "{} complaints on {} pages\n\n{shown}", complaints.len(), pages.len());
}

#[test]
fn a_page_that_tells_something_else_is_a_complaint_with_its_line_and_can_be_blessed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("page.md");
    let page = "# Page\n\n```file a.txt\none\n```\n\n```call\nread a.txt\n```\n\n```reply\nwrong\n```\n\nEnd.\n";
    std::fs::write(&file, page).unwrap();
    let cases = Cases::new(env!("CARGO_BIN_EXE_readstone"), readstone::reply_form);

    let complaints = cases.run(&file, Mode::Check).unwrap_err();
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].contains("page.md:11: "), "{}", complaints[0]);
    assert!(complaints[0].contains("  - wrong\n") && complaints[0].contains("  + 1:one\n"), "{}", complaints[0]);

    cases.run(&file, Mode::Bless).unwrap();
    cases.run(&file, Mode::Check).unwrap();
}

#[test]
fn a_page_must_not_turn_a_failure_into_a_reply() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("page.md");
    std::fs::write(&file, "```call\nread zebra\n```\n\n```reply\n```\n").unwrap();
    let cases = Cases::new(env!("CARGO_BIN_EXE_readstone"), readstone::reply_form);
    let complaints = cases.run(&file, Mode::Bless).unwrap_err();
    assert!(complaints[0].contains("the call failed"), "{}", complaints[0]);
}

#[test]
fn a_page_goes_on_in_the_world_that_a_change_left() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("page.md");
    let blocks = [
        ("file a.txt", "one\ntwo"),
        ("call", "read a.txt"),
        ("reply", "¶a.txt#04D2\n1:one\n2:two"),
        ("call", "edit\n¶a.txt#{tag}\ndelete 1"),
        ("holds a.txt", "two"),
        ("call", "write --if-tag {tag a.txt} new/b.txt\nx"),
        ("fails", ""),
        ("gone", "new\nnew/b.txt"),
        ("call escaped", "write new/b.txt\nx\\"),
        ("holds new/b.txt", "x\\"),
        ("call", "undo a.txt"),
        ("holds a.txt", "one\ntwo"),
    ];
    let page = |blocks: &[(&str, &str)]| -> String {
        blocks.iter().map(|(tag, body)| format!("```{tag}\n{body}\n```\n\n")).collect::<Vec<_>>().concat()
    };
    std::fs::write(&file, page(&blocks)).unwrap();
    let cases = Cases::new(env!("CARGO_BIN_EXE_readstone"), readstone::reply_form);
    cases.run(&file, Mode::Bless).unwrap();
    cases.run(&file, Mode::Check).unwrap();

    // What the page says of a file is looked at, before and after the change.
    for (at, wrong) in [(4, ("holds a.txt", "one\ntwo")), (7, ("tree", "new/b.txt")), (11, ("gone", "a.txt"))] {
        let mut blocks = blocks;
        blocks[at] = wrong;
        blocks[6] = ("receipt", "{\"error\": {\"code\": \"write.other_version\"}}");
        std::fs::write(&file, page(&blocks)).unwrap();
        let complaints = cases.run(&file, Mode::Check).unwrap_err();
        assert_eq!(complaints.len(), 1, "{complaints:?}");
    }
}

/// Runs the pages on a few threads; the complaints come in the order of the pages.
fn run_all(pages: &[PathBuf], mode: Mode) -> Vec<String> {
    let cases = Cases::new(env!("CARGO_BIN_EXE_readstone"), readstone::reply_form);
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let said = cases.run(page, mode).err().unwrap_or_default();
            complaints
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(said.into_iter().map(|what| (page.clone(), format!("{what}\n"))));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    let mut complaints = complaints.into_inner().unwrap_or_else(PoisonError::into_inner);
    complaints.sort_by(|one, other| one.0.cmp(&other.0));
    complaints.into_iter().map(|(_, what)| what).collect()
}
