//! Any file under any limits through any selector: no panic, and a trail of pages that ends.

use std::path::Path;
use std::sync::Arc;

use readstone_base::{Class, Fixed, Limits, Reply, Status};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::json;

/// Bytes of an input that are limits.
const LIMITS: usize = 8;

pub(crate) fn run(input: &[u8]) {
    let Some((limits, rest)) = input.split_at_checked(LIMITS) else { return };
    let Some(end) = rest.iter().position(|byte| *byte == 0) else { return };
    let Ok(selector) = std::str::from_utf8(&rest[..end]) else { return };
    // Archives and databases are told by their bytes, notebooks by their name.
    let name = if limits[6] & 8 == 0 { "f" } else { "f.ipynb" };
    read(&limits_of(limits), &(name, selector), &rest[end + 1..]);
}

/// Limits small enough that a short file has many pages.
fn limits_of(bytes: &[u8]) -> Limits {
    let at = |number: usize| u64::from(bytes[number]);
    let usual = Limits::default();
    Limits {
        page_lines: at(0) % 32 + 1,
        page_bytes: at(1) * 8 + 64,
        line_chars: at(2) % 64 + 1,
        cut_lines: at(3) % 8 + 1,
        window_bytes: at(4) * 2 + 16,
        window_max_bytes: at(5) * 4 + 64,
        edit_bytes: if at(6) & 1 == 0 { usual.edit_bytes } else { 1 },
        number_bytes: if at(6) & 2 == 0 { usual.number_bytes } else { 64 },
        line_scan_bytes: if at(6) & 4 == 0 { usual.line_scan_bytes } else { 64 },
        range_lines: at(7) % 32 + 1,
        ..usual
    }
}

fn read(limits: &Limits, (name, selector): &(&str, &str), bytes: &[u8]) {
    let files = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(files.path().join(name), bytes).expect("a file");
    let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
    let root = Root::open(files.path(), Path::new("")).expect("the directory just made");
    let session = Session::new(
        String::new(),
        Arc::<MemoryStore>::default(),
        Room::of(&limits),
        Arc::new(MemoryShelf::new(limits.shelf_bytes)),
    );
    let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
    let toolbox = Toolbox::new(host, session, limits.clone(), Arc::new(Fixed(0)));
    let mut next = Some(match selector.chars().next() {
        None => (*name).to_owned(),
        Some('?') => format!("{name}{selector}"),
        Some(_) => format!("{name}:{selector}"),
    });
    let mut pages = 0;
    while let Some(address) = next.take() {
        let reply = toolbox.call("read", &json!({ "path": address }), &toolbox.budget());
        if let Status::Error(class) = reply.status {
            assert_ne!(class, Class::Bug, "{address}: {}", reply.text());
            // The caller's address may be wrong; ours may not.
            assert_eq!(pages, 0, "{address}: {}", reply.text());
            return;
        }
        pages += 1;
        // A page behind the end or of hex leads back into the file, and every page from there on shows a byte.
        assert!(pages <= 2 * bytes.len() + 16, "the trail does not end: {address}");
        next = follow(&reply, &address);
    }
}

fn follow(reply: &Reply, address: &str) -> Option<String> {
    let target = reply.receipt.targets.first()?;
    assert_ne!(target.next.as_deref(), Some(address), "a page leads to itself");
    target.next.clone()
}
