//! The cases: every page below `cases/` on the library and on the command line.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use readstone_host::Environment;
use readstone_testkit::{Cases, Mode};

/// `BLESS=1` writes what the library says into the pages, `CASE=text` runs only pages whose path holds the text.
#[test]
fn every_page_of_the_cases_holds_on_the_library_and_on_the_command_line() {
    let environment = Environment::of_process();
    let mode = if environment.get("BLESS").is_some() { Mode::Bless } else { Mode::Check };
    let only = environment.get("CASE").and_then(|only| only.to_str()).unwrap_or_default();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").canonicalize().unwrap();
    let pages = Cases::pages(&directory).unwrap();
    let pages: Vec<PathBuf> = pages.into_iter().filter(|page| page.to_string_lossy().contains(only)).collect();
    assert!(!pages.is_empty(), "there are no cases below {}", directory.display());

    let complaints = run_all(&pages, mode);
    let shown = complaints.concat().replace(&format!("{}/", directory.display()), "cases/");
    assert!(complaints.is_empty(), "{} complaints on {} pages\n\n{shown}", complaints.len(), pages.len());
}

/// Runs the pages on a few threads; the complaints come in the order of the pages.
fn run_all(pages: &[PathBuf], mode: Mode) -> Vec<String> {
    let cases = Cases::new(env!("CARGO_BIN_EXE_readstone"), readstone::reply_form);
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let said = cases.run(page, mode).err().unwrap_or_default();
            complaints.lock().unwrap().extend(said.into_iter().map(|what| (page.clone(), format!("{what}\n"))));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    let mut complaints = complaints.into_inner().unwrap();
    complaints.sort_by(|one, other| one.0.cmp(&other.0));
    complaints.into_iter().map(|(_, what)| what).collect()
}
