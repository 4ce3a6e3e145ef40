//! Directories that only a listing tells of: those of an archive, of a vault.

use std::ffi::OsString;
use std::path::Path;

use readstone_base::{Fault, Mark, Span, TreeRow, TreeSize, When, unescape_name};
use readstone_host::EntryKind;
use readstone_source::{Body, Content, Dots, Listing, Walked, locate_exactly};

use super::newest::Hit;
use super::{How, Listed};

/// Rows that are asked for at once.
const ROWS: u64 = 4_096;
/// Nanoseconds of a second.
const NANOS: i64 = 1_000_000_000;

/// A directory on the way, and its path from the one that was named.
struct Step {
    address: String,
    below: String,
    level: usize,
}

impl Step {
    /// The step into a directory.
    fn into(&self, address: String, name: &str) -> Self {
        let slash = if self.below.is_empty() { "" } else { "/" };
        Self { address, below: format!("{}{slash}{name}", self.below), level: self.level + 1 }
    }
}

/// Gives what matches below a directory.
pub(super) fn look(
    listed: &Listed,
    how: &How<'_>,
    walked: &mut Walked,
    found: &mut dyn FnMut(Hit),
) -> Result<(), Fault> {
    let first = Step { address: listed.address.clone(), below: String::new(), level: 1 };
    let mut search = Search { listed, how, found, waiting: vec![first] };
    while let Some(step) = search.waiting.pop() {
        if let Err(stopped) = how.opening.budget.check() {
            walked.stopped = Some(stopped);
            return Ok(());
        }
        let node = match locate_exactly(how.host, &step.address, how.opening) {
            Err(fault) if step.level == 1 => return Err(fault),
            other => other.ok(),
        };
        match node.map(|node| (node.body, node.path)) {
            Some((Body::Content(Content::Listing(list)), path)) => {
                walked.denied += list.hidden().iter().map(|hidden| hidden.count).sum::<u64>();
                search.visit(&*list, &path, &step)?;
            }
            Some(_) | None => walked.unreadable += 1,
        }
    }
    Ok(())
}

struct Search<'a> {
    listed: &'a Listed,
    how: &'a How<'a>,
    found: &'a mut dyn FnMut(Hit),
    waiting: Vec<Step>,
}

impl Search<'_> {
    fn visit(&mut self, list: &dyn Listing, path: &str, step: &Step) -> Result<(), Fault> {
        let globs = &self.listed.globs;
        let deeper = globs.levels().is_none_or(|levels| step.level < levels);
        let mut within = globs.within(Path::new(&step.below));
        let mut rows = Rows { list, next: 1, how: self.how };
        while let Some(some) = rows.some()? {
            for row in some.iter().filter(|row| self.how.dots == Dots::Show || !row.name.starts_with('.')) {
                let (address, kind) = (address(list, path, row), kind(row));
                let name = unescape_name(&row.name).unwrap_or_else(|| OsString::from(&row.name));
                if within.matches(&name, kind) {
                    (self.found)(Hit::at(address.clone(), modified(row, self.how), kind));
                }
                if deeper && kind == EntryKind::Directory {
                    self.waiting.push(step.into(address, &row.name));
                }
            }
        }
        Ok(())
    }
}

/// The rows of a listing, some at a time.
struct Rows<'a> {
    list: &'a dyn Listing,
    next: u64,
    how: &'a How<'a>,
}

impl Rows<'_> {
    fn some(&mut self) -> Result<Option<Vec<TreeRow>>, Fault> {
        let rows = self.list.rows(Span::new(self.next, self.next + ROWS - 1), self.how.opening.budget)?;
        self.next += ROWS;
        Ok((!rows.is_empty()).then_some(rows))
    }
}

/// The address of an entry; one that its name does not lead to says itself what does.
fn address(list: &dyn Listing, path: &str, row: &TreeRow) -> String {
    let own = row.marks.iter().find_map(|mark| match mark {
        Mark::SameName(address) | Mark::UnsafeName(address) | Mark::LongName(Some(address)) => Some(address.clone()),
        Mark::LongName(None) | Mark::Encrypted | Mark::Unsupported(_) | Mark::Overlaps | Mark::Damaged => None,
    });
    own.unwrap_or_else(|| list.address(path, &row.name))
}

fn kind(row: &TreeRow) -> EntryKind {
    match row.size {
        TreeSize::Directory | TreeSize::Closed(_) => EntryKind::Directory,
        TreeSize::Link(_) => EntryKind::Link,
        TreeSize::File(_)
        | TreeSize::Rows(_)
        | TreeSize::AtLeast(_)
        | TreeSize::Uncounted(_)
        | TreeSize::View
        | TreeSize::Special(_)
        | TreeSize::Unreadable(_)
        | TreeSize::More { .. } => EntryKind::File,
    }
}

fn modified(row: &TreeRow, how: &How<'_>) -> Option<i64> {
    let seconds = match row.when {
        When::Unknown => return None,
        When::Ago(seconds) => how.opening.budget.clock().wall().saturating_sub(seconds),
        When::At(seconds) => seconds,
    };
    Some(seconds.saturating_mul(NANOS))
}
