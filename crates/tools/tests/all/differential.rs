//! The same lines as the plain tools: `sed -n`, `tail -n` and `wc -l` on one large file.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test that runs other programs and says when one of them is missing"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use readstone_base::{Fixed, Limits, Part, Reply, Status};
use readstone_host::{Host, Policy, Root, Secrets, Stance};
use readstone_session::{MemoryShelf, MemoryStore, Room, Session};
use readstone_tools::Toolbox;
use serde_json::json;
use tempfile::TempDir;

const LINES: u64 = 200_000;

struct Bench {
    files: TempDir,
    toolbox: Toolbox,
}

impl Bench {
    fn new(limits: &Limits, last: &str) -> Self {
        let files = TempDir::with_prefix("readstone-differential-").expect("a temporary directory");
        std::fs::write(files.path().join("big"), text(last)).expect("a fixture");
        let secrets = Secrets::new(Stance::Deny, &[]).expect("no rules");
        let root = Root::open(files.path(), Path::new("")).expect("the directory just made");
        let session = Session::new(
            String::new(),
            Arc::<MemoryStore>::default(),
            Room::of(limits),
            Arc::new(MemoryShelf::new(limits.shelf_bytes)),
        );
        let host = Host::new(Policy::below(vec![root], secrets), None, limits.spool_bytes);
        Self { files, toolbox: Toolbox::new(host, session, limits.clone(), Arc::new(Fixed(0))) }
    }

    fn path(&self) -> PathBuf {
        self.files.path().join("big")
    }

    fn read(&self, address: &str) -> Reply {
        let reply = self.toolbox.call("read", &json!({ "path": address }), &self.toolbox.budget());
        assert_eq!(reply.status, Status::Ok, "{address}: {}", reply.text());
        reply
    }

    /// The bytes of a range, followed along `next` until it is whole.
    fn follow(&self, first: u64, last: u64) -> Vec<u8> {
        let (mut bytes, mut address) = (Vec::new(), format!("big:{first}-{last}:raw"));
        loop {
            let reply = self.read(&address);
            bytes.extend(bytes_of(&reply));
            let target = &reply.receipt.targets[0];
            let next = target.next.clone().filter(|_| target.cut_by.is_some());
            match next {
                Some(next) => assert_ne!(std::mem::replace(&mut address, next.clone()), next, "a page leads to itself"),
                None => return bytes,
            }
        }
    }
}

/// Lines of many lengths, some empty, some long, some with CRLF, some not ASCII.
fn text(last: &str) -> String {
    let mut text = String::new();
    for number in 1..LINES {
        let end = if number % 11 == 0 { "\r\n" } else { "\n" };
        let _ = match number % 7 {
            0 => write!(text, "{end}"),
            1 => write!(text, "{number} naïve 中文 {end}"),
            2 => write!(text, "{}{end}", "word ".repeat(usize::try_from(number % 40).unwrap())),
            _ => write!(text, "line {number}{end}"),
        };
        if number % 50_000 == 0 {
            text.push_str(&"long ".repeat(3_000));
        }
    }
    text.push_str("the last line");
    text.push_str(last);
    text
}

fn bytes_of(reply: &Reply) -> Vec<u8> {
    let exact = |part: &Part| match part {
        Part::Text(text) => text.clone().into_bytes(),
        Part::Verbatim(raw) => raw.bytes.clone().unwrap_or_else(|| raw.text.clone().into_bytes()),
        Part::Image(image) => image.bytes.clone(),
    };
    reply.parts.iter().flat_map(exact).collect()
}

/// What a program prints; `None` when it is not installed.
fn output(program: &str, arguments: &[&str], path: &Path) -> Option<Vec<u8>> {
    match Command::new(program).args(arguments).arg(path).env("LC_ALL", "C").output() {
        Ok(output) => Some(output.stdout),
        Err(error) => {
            eprintln!("{program} is not here, nothing is compared with it: {error}");
            None
        }
    }
}

/// The ways in which a file of this size can be read: whole, and only in parts.
fn ways() -> [Limits; 2] {
    [Limits::default(), Limits { edit_bytes: 64 * 1024, ..Limits::default() }]
}

#[test]
fn ranges_are_those_of_sed() {
    for limits in ways() {
        let bench = Bench::new(&limits, "\n");
        let places = [
            (1, 1),
            (1, 7),
            (2, 3),
            (999, 1001),
            (49_998, 50_003),
            (100_000, 120_000),
            (199_990, 200_000),
            (150_000, 150_000),
        ];
        for (first, last) in places {
            let script = format!("{first},{last}p");
            let Some(right) = output("sed", &["-n", &script], &bench.path()) else { return };
            assert!(bench.follow(first, last) == right, "lines {first} to {last} differ");
        }
    }
}

#[test]
fn last_lines_are_those_of_tail() {
    for (limits, end) in ways().into_iter().zip(["\n", ""]) {
        let bench = Bench::new(&limits, end);
        for count in [1_u64, 2, 10, 100, 1_500] {
            let Some(right) = output("tail", &["-n", &count.to_string()], &bench.path()) else { return };
            let reply = bench.read(&format!("big:-{count}:raw"));
            assert_eq!(reply.receipt.targets[0].next, None, "the last {count} lines are one page");
            assert!(bytes_of(&reply) == right, "the last {count} lines differ");
        }
    }
}

#[test]
fn the_total_is_that_of_wc() {
    for limits in ways() {
        // Without a final newline, wc does not count the last line.
        for (end, open) in [("\n", 0), ("", 1)] {
            let bench = Bench::new(&limits, end);
            let Some(right) = output("wc", &["-l"], &bench.path()) else { return };
            let right = String::from_utf8(right).expect("a number");
            let feeds: u64 = right.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number");
            // A page behind the end is what counts the lines of a file that was not taken whole.
            let target = bench.read("big:300000-:raw").receipt.targets.remove(0);
            assert_eq!(target.total.lines, Some(feeds + open));
            let known = bench.read("big").receipt.targets.remove(0).total.lines;
            assert!(known.is_none_or(|lines| lines == feeds + open), "{known:?}");
        }
    }
}
