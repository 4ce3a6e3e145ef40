//! The immediate children of a directory in an archive.

use readstone_source::Judge;

use super::index::{Index, Kind, is_below};
use super::{denies, may_be_public};

/// One row of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child {
    /// An entry: the child itself, or one below it.
    pub(super) number: u32,
    /// How the row is to be taken.
    pub(super) role: Role,
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The only entry of its name.
    Alone,
    /// One of several entries of one name.
    Same,
    /// A directory; the entry is the directory itself or lies below it.
    Directory,
    /// An entry whose name leads out of the archive.
    Unsafe,
}

/// The rows of a directory.
#[derive(Debug, Default)]
pub(super) struct Children {
    pub(super) rows: Vec<Child>,
    /// How many a rule withholds.
    pub(super) denied: u64,
}

/// The children of a directory, by name.
///
/// `is_public` looks into an entry that is called like a key.
pub(super) fn children(
    index: &Index,
    directory: &[u8],
    judge: &dyn Judge,
    is_public: &dyn Fn(usize) -> bool,
) -> Children {
    let withheld = |group: &[u32], path: &[u8]| {
        let public = |number: &u32| is_public(*number as usize);
        denies(judge, path).is_some() && (group.is_empty() || !may_be_public(judge, path) || !group.iter().all(public))
    };
    let order = index.order();
    let name = |number: u32| index.name(number as usize);
    let safe = order.get(..index.safe()).unwrap_or_default();
    let depth = if directory.is_empty() { 0 } else { directory.len() + 1 };
    let start = safe.partition_point(|number| {
        let name = name(*number);
        super::names::compare(name, directory).is_lt() || name == directory
    });
    let mut rest = safe.get(start..).unwrap_or_default();
    let mut found = Children::default();
    while let Some(first) = rest.first().filter(|first| is_below(name(**first), directory)) {
        let full = name(*first);
        let own = full.get(depth..).unwrap_or_default();
        let end = depth + memchr::memchr(b'/', own).unwrap_or(own.len());
        let path = full.get(..end).unwrap_or(full);
        let equal = rest.iter().take_while(|number| name(**number) == path).count();
        let (group, behind) = rest.split_at_checked(equal).unwrap_or((rest, &[]));
        let below = count_below(behind, |number| is_below(name(number), path));
        if withheld(group, path) {
            found.denied += 1;
        } else {
            push_rows(index, group, behind.first().filter(|_| below > 0), &mut found.rows);
        }
        rest = behind.get(below..).unwrap_or_default();
    }
    if directory.is_empty() {
        for number in order.get(index.safe()..).unwrap_or_default() {
            if withheld(&[*number], name(*number)) {
                found.denied += 1;
            } else {
                found.rows.push(Child { number: *number, role: Role::Unsafe });
            }
        }
    }
    found
}

fn push_rows(index: &Index, group: &[u32], below: Option<&u32>, rows: &mut Vec<Child>) {
    let is_directory = |number: &&u32| index.kind(**number as usize) == Kind::Directory;
    let files = group.iter().filter(|number| !is_directory(number));
    let role = if files.clone().nth(1).is_some() { Role::Same } else { Role::Alone };
    rows.extend(files.map(|number| Child { number: *number, role }));
    if let Some(number) = group.iter().rfind(is_directory).or(below) {
        rows.push(Child { number: *number, role: Role::Directory });
    }
}

/// How many of the first of `numbers` satisfy `inside`; those that do come before those that do not.
fn count_below(numbers: &[u32], inside: impl Fn(u32) -> bool) -> usize {
    let mut reach = 1;
    while numbers.get(reach - 1).is_some_and(|number| inside(*number)) {
        reach *= 2;
    }
    let near = numbers.get(..(reach - 1).min(numbers.len())).unwrap_or(numbers);
    near.partition_point(|number| inside(*number))
}
