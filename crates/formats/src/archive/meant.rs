//! What the address of a missing entry may have meant.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use readstone_address::Selector;
use readstone_base::{Budget, Guess, Instead, Note};
use readstone_source::{Lookalikes, Meant, Opening, Piece};

use super::error::Error;
use super::index::{Index, odd};
use super::names::{self, Candidate};
use super::secret;

/// So many entries are compared between two looks at the clock.
const STEP: usize = 4_096;

/// Why nothing was found behind an archive, with what comes near.
pub(super) fn missing(
    piece: &Piece,
    index: &Index,
    (tail, wanted): (&str, &[Candidate]),
    opening: &Opening<'_>,
) -> Error {
    let archive = piece.path.clone();
    if wanted.iter().any(Candidate::leads_out) {
        return Error::BadName { archive, name: tail.to_owned() };
    }
    let budget = opening.budget.within(Duration::from_millis(opening.limits.suffix_ms));
    let damaged = index.notes.iter().any(|note| matches!(note, Note::Damaged { .. }));
    // A name with a selector behind it is what most callers mean; the shorter the name, the more of the rest is one.
    let mut order: Vec<&Candidate> = wanted.iter().rev().collect();
    order.sort_by_key(|candidate| !candidate.selects());
    let mut hurried = false;
    for candidate in order {
        let Some(name) = candidate.names.first() else { continue };
        let mut alike = Lookalikes::new(Path::new(OsStr::from_bytes(name)));
        hurried |= !compare(index, &mut alike, opening, &budget);
        if damaged || hurried {
            alike.miss();
        }
        let address = |path: &PathBuf| format!("{archive}:{}", names::show(path.as_os_str().as_bytes()));
        match alike.decide() {
            Meant::One { path, how } => {
                let found = address(&path);
                let whole = candidate.behind(&found);
                let guess = Guess { asked: format!("{archive}:{}", candidate.text), found, how };
                let (near, instead) = (vec![whole.clone()], Some(Box::new(Instead { address: whole, guess })));
                return Error::NotFound { archive, name: tail.to_owned(), near, instead, damaged, hurried };
            }
            Meant::Near(paths) if paths.is_empty() => {}
            Meant::Near(paths) => {
                // Of several archives only one may hold what was asked for in them.
                let keeps = candidate.selects() || paths.len() == 1;
                let offer = |path| if keeps { candidate.behind(&address(path)) } else { address(path) };
                let near = paths.iter().map(offer).collect();
                return Error::NotFound { archive, name: tail.to_owned(), near, instead: None, damaged, hurried };
            }
        }
    }
    let near = above(piece, index, wanted).into_iter().collect();
    Error::NotFound { archive, name: tail.to_owned(), near, instead: None, damaged, hurried }
}

impl Candidate {
    /// Whether nothing or a selector stands behind the name.
    fn selects(&self) -> bool {
        self.rest.as_deref().is_none_or(|rest| Selector::parse(rest).is_ok())
    }

    /// An address with what stands behind the name.
    fn behind(&self, address: &str) -> String {
        match &self.rest {
            Some(rest) if rest.starts_with('?') => format!("{address}{rest}"),
            Some(rest) => format!("{address}:{rest}"),
            None => address.to_owned(),
        }
    }
}

/// Compares a missing name with every entry and every directory above one; false when there was no time for all.
/// Secrets are neither guessed at nor offered.
fn compare(index: &Index, alike: &mut Lookalikes, opening: &Opening<'_>, budget: &Budget) -> bool {
    let allowed = |path: &Path| secret(opening.judge, path.as_os_str().as_bytes()).is_none();
    let mut pass = |name: &[u8]| alike.pass(Path::new(OsStr::from_bytes(name)), &allowed);
    let mut before: &[u8] = b"";
    for number in 0..index.len() {
        if number.is_multiple_of(STEP) && budget.check_heavy().is_err() {
            return false;
        }
        if index.is(number, odd::UNSAFE) {
            continue;
        }
        let name = index.name(number);
        let same = name.iter().zip(before).take_while(|(one, other)| one == other).count();
        // The directories that this entry shares with the one before were compared already.
        for at in memchr::memchr_iter(b'/', name).filter(|at| *at >= same) {
            pass(name.get(..at).unwrap_or_default());
        }
        pass(name);
        before = name;
    }
    true
}

/// The nearest directory at or above a name that leads nowhere.
fn above(piece: &Piece, index: &Index, wanted: &[Candidate]) -> Option<String> {
    let name = wanted.last()?.names.first()?;
    let slashes = name.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let above = std::iter::once(name.len()).chain(slashes).filter_map(|at| name.get(..at)).find(|above| {
        let (found, below) = index.find(above);
        below || !found.is_empty()
    });
    above.map(|above| format!("{}:{}", piece.path, names::show(above)))
}
