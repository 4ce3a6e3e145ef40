//! From the tail of an address to the entry it names.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use readstone_address::{Mode, Selector};
use readstone_base::{Blob, Class, Fault, Note};
use readstone_source::{Container, Content, Entered, Opening, Piece, Reached};

use super::beside::Neighbours;
use super::children::{Children, children};
use super::error::Error;
use super::index::{Index, Kind, odd};
use super::listing::Directory;
use super::meant::missing;
use super::members::{Hand, Members, address, by_number, failed, part};
use super::names::{self, Candidate, SHOWN, candidates};
use super::{HEAD, denies, denies_shown, may_be_public};
use crate::packed::{Held, Origin, begins, inner_name};

/// Lists of children longer than this are kept for the next page.
const LONG: usize = 2_048;

/// An archive of any kind.
#[derive(Debug)]
pub(super) struct Archive {
    members: Arc<dyn Members>,
}

/// What a candidate names.
enum Named {
    /// An entry, and all that have its name.
    Entry(usize, Vec<usize>),
    /// The entry with this number.
    Numbered(usize),
    /// A directory.
    Directory(Vec<u8>),
}

impl Archive {
    pub(super) fn shared(members: impl Members + 'static) -> Arc<dyn Container> {
        Arc::new(Self { members: Arc::new(members) })
    }

    fn piece(&self) -> &Piece {
        self.members.piece()
    }
}

impl Container for Archive {
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        match self.follow(tail, opening) {
            // The bytes can be seen whatever is wrong with what they mean.
            Err(fault)
                if matches!(fault.class(), Class::Broken | Class::TooBig)
                    && tail.is_some_and(Selector::is_of_bytes) =>
            {
                Ok(Entered::Itself)
            }
            other => other,
        }
    }
}

impl Archive {
    fn follow(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let Some(tail) = tail.filter(|tail| !tail.is_empty()) else { return self.list(b"", None, opening) };
        let wanted = candidates(tail);
        let (index, complete) = self.members.search(&wanted, opening)?;
        for candidate in &wanted {
            match named(&index, candidate) {
                Some(Named::Entry(number, same)) => {
                    let mut notes = Vec::new();
                    if !complete {
                        notes.push(Note::NotReadOn);
                    }
                    notes.extend(self.same_name(&same, number));
                    let path = self.address(&index, number, &same);
                    return self.entry(&index, (number, path), (candidate.rest.clone(), notes), opening);
                }
                Some(Named::Numbered(number)) => {
                    let same =
                        if index.is(number, odd::UNSAFE) { Vec::new() } else { index.find(index.name(number)).0 };
                    let notes = self.same_name(&same, number).into_iter().collect();
                    let path = by_number(self.piece(), number);
                    return self.entry(&index, (number, path), (candidate.rest.clone(), notes), opening);
                }
                Some(Named::Directory(path)) => return self.list(&path, candidate.rest.clone(), opening),
                None => {}
            }
        }
        match Selector::parse(tail) {
            Ok(Selector { mode: Mode::Raw | Mode::Hex, .. }) => Ok(Entered::Itself),
            Ok(_) => self.list(b"", Some(tail.to_owned()), opening),
            Err(_) => Err(missing(self.piece(), &index, (tail, &wanted), opening).boxed()),
        }
    }
}

fn named(index: &Index, candidate: &Candidate) -> Option<Named> {
    let selects = candidate.rest.as_deref().is_none_or(|rest| Selector::parse(rest).is_ok());
    if let Some(number) = candidate.number.filter(|number| *number < index.len()) {
        if index.kind(number) == Kind::Directory && !index.is(number, odd::UNSAFE) {
            return selects.then(|| Named::Directory(index.name(number).to_vec()));
        }
        return Some(Named::Numbered(number));
    }
    for name in &candidate.names {
        let (found, below) = index.find(name);
        let (directories, files): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|number| index.kind(*number) == Kind::Directory);
        if let Some(last) = files.last().filter(|_| !candidate.slash) {
            return Some(Named::Entry(*last, files));
        }
        if selects && (below || !directories.is_empty()) {
            return Some(Named::Directory(name.clone()));
        }
    }
    None
}

impl Archive {
    fn list(&self, path: &[u8], rest: Option<String>, opening: &Opening<'_>) -> Result<Entered, Fault> {
        let index = self.members.all(opening)?;
        let piece = self.piece();
        let children = self.children(&index, path, opening);
        let notes = index.notes.clone();
        let depth = if path.is_empty() { 0 } else { path.len() + 1 };
        let members = Arc::clone(&self.members);
        let listing = Directory { members, index, children, depth, limits: opening.limits.clone() };
        let shown = if path.is_empty() { piece.path.clone() } else { format!("{}:{}", piece.path, names::show(path)) };
        Ok(Entered::Content(Box::new(Reached {
            content: Content::Listing(Box::new(listing)),
            path: shown,
            rest,
            notes,
            images: Vec::new(),
        })))
    }

    fn children(&self, index: &Index, path: &[u8], opening: &Opening<'_>) -> Arc<Children> {
        let stamp = self.piece().stamp.map(|stamp| stamp.part(path));
        if let Some(known) = opening.known::<Children>(stamp, "archive.children") {
            return known;
        }
        let hand = Hand::of(opening);
        let is_public = |number: usize| self.public(index, number, &hand, opening).is_some();
        let children = Arc::new(children(index, path, opening.judge, &is_public));
        if children.rows.len() > LONG {
            opening.keep(stamp, "archive.children", Arc::clone(&children), children.rows.len() as u64 * 8);
        }
        children
    }

    /// The bytes of an entry that is called like a key and holds nothing secret.
    fn public(&self, index: &Index, number: usize, hand: &Hand<'_>, opening: &Opening<'_>) -> Option<Arc<dyn Blob>> {
        let name = index.name(number);
        let sound = index.kind(number) == Kind::File && !index.is(number, odd::ENCRYPTED | odd::UNSUPPORTED);
        if !sound || !may_be_public(opening.judge, name) || opening.budget.check().is_err() {
            return None;
        }
        let member = self.members.open(index, number, hand).ok()?;
        opening.judge.shown(Path::new(OsStr::from_bytes(name)), member.blob).ok()
    }

    /// The address of an entry that was found by its name: that name, unless it is long, others have it, or another name
    /// goes on behind it as an address would.
    fn address(&self, index: &Index, number: usize, same: &[usize]) -> String {
        let name = index.name(number);
        let goes_on = [name, b":"].concat();
        if same.len() > 1 || name.len() > SHOWN || index.begins(&goes_on) {
            return by_number(self.piece(), number);
        }
        address(self.piece(), index, number)
    }

    /// Says that others have the name, when they do.
    fn same_name(&self, same: &[usize], number: usize) -> Option<Note> {
        let other = same.iter().rev().find(|other| **other != number)?;
        let count = same.len() as u64;
        Some(Note::SameName { number: number as u64 + 1, count, other: by_number(self.piece(), *other) })
    }

    fn entry(
        &self,
        index: &Arc<Index>,
        (number, path): (usize, String),
        with: (Option<String>, Vec<Note>),
        opening: &Opening<'_>,
    ) -> Result<Entered, Fault> {
        let (rest, mut notes) = with;
        let name = index.name(number);
        let all = !notes.contains(&Note::NotReadOn);
        let hand = Hand::of(opening);
        if let Some(rule) = denies(opening.judge, name)
            && self.public(index, number, &hand, opening).is_none()
        {
            return Err(Error::Denied { address: path, rule }.boxed());
        }
        if let Some(what) = index.kind(number).special() {
            return Err(Error::NotRegular { address: path, what }.boxed());
        }
        if index.is(number, odd::ENCRYPTED) {
            return Err(Error::Encrypted { address: path }.boxed());
        }
        let blob: Arc<dyn Blob> = match index.kind(number) {
            Kind::Symlink | Kind::HardLink => {
                notes.push(Note::Link);
                self.link(index, number, &path, &hand)?
            }
            Kind::File | Kind::Directory | Kind::Fifo | Kind::CharacterDevice | Kind::BlockDevice | Kind::Socket => {
                if index.is(number, odd::UNSUPPORTED) {
                    let what = self.members.method(index, number, opening.budget);
                    return Err(Error::Unsupported { address: path, what }.boxed());
                }
                let member = self.members.open(index, number, &hand)?;
                notes.extend(member.notes);
                member.blob
            }
        };
        let shown = names::show(name);
        if let Some(rule) = denies_inner(&shown, &blob, opening).map_err(failed(&path))? {
            return Err(Error::Denied { address: path, rule }.boxed());
        }
        let blob = opening.judge.shown(Path::new(OsStr::from_bytes(name)), blob).map_err(failed(&path))?;
        let mut piece = self.piece().inner(blob, path, &shown);
        piece.stamp = self.piece().stamp.map(|stamp| stamp.part(&part(index, number)));
        piece.beside = Arc::new(Neighbours {
            members: Arc::clone(&self.members),
            index: all.then(|| Arc::clone(index)),
            name: name.to_vec(),
            verdicts: Neighbours::verdicts(name, opening.judge),
            limits: opening.limits.clone(),
            budget: opening.budget.clone(),
            works: Arc::clone(opening.works),
        });
        Ok(Entered::Piece { piece, rest, notes })
    }

    /// Where a link leads, as text; it is never followed.
    fn link(&self, index: &Index, number: usize, path: &str, hand: &Hand<'_>) -> Result<Arc<dyn Blob>, Fault> {
        let target = self.members.target(index, number, hand)?;
        let name = index.name(number);
        let above = name.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
        let beside = [name.get(..above).unwrap_or_default(), target.as_slice()].concat();
        // A hard link names its target from the root of the archive.
        let leads = names::tidy(if index.kind(number) == Kind::HardLink { &target } else { &beside });
        if leads.is_some_and(|leads| leads == name) {
            return Err(Error::corrupt(path, "the link leads to itself").boxed());
        }
        let origin = Origin::new(&self.piece().blob, &part(index, number));
        Ok(Arc::new(Held::new(origin, Arc::new(target))))
    }
}

/// The rule that withholds what is inside a compressed entry, which has a name of its own.
fn denies_inner(shown: &str, blob: &Arc<dyn Blob>, opening: &Opening<'_>) -> io::Result<Option<String>> {
    let inner = inner_name(shown);
    if inner == shown {
        return Ok(None);
    }
    let Some(rule) = denies_shown(opening.judge, &inner) else { return Ok(None) };
    Ok(begins(&blob.read_range(0, HEAD)?).then_some(rule))
}
