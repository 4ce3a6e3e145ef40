//! The rows of a directory in an archive.

use std::sync::Arc;

use readstone_base::{Budget, Fault, Hidden, Kind as Shown, Limits, Mark, Span, TreeRow, TreeSize, When};
use readstone_source::Listing;

use super::children::{Child, Children, Role};
use super::index::{Index, Kind, odd};
use super::members::{Hand, Members, by_number};
use super::names::show_short;

/// A directory in an archive, or all of it.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) members: Arc<dyn Members>,
    pub(super) index: Arc<Index>,
    pub(super) children: Arc<Children>,
    /// How many bytes of each name lead to the directory.
    pub(super) depth: usize,
    pub(super) limits: Limits,
}

impl Listing for Directory {
    fn kind(&self) -> Shown {
        Shown::Archive
    }

    fn total(&self) -> Option<u64> {
        Some(self.children.rows.len() as u64)
    }

    fn is_name(&self, tail: &str) -> bool {
        // In a directory below, no tail of its address is a name.
        self.depth == 0 && !self.index.find(tail.as_bytes()).0.is_empty()
    }

    fn address(&self, path: &str, name: &str) -> String {
        format!("{path}{}{name}", if self.depth == 0 { ':' } else { '/' })
    }

    fn rows(&self, window: Span, budget: &Budget) -> Result<Vec<TreeRow>, Fault> {
        let first = crate::packed::size(window.first.saturating_sub(1));
        let count = crate::packed::size(window.last.saturating_sub(window.first).saturating_add(1));
        let hand = Hand { limits: &self.limits, budget, opening: None };
        self.children.rows.iter().skip(first).take(count).map(|child| self.row(*child, &hand)).collect()
    }

    fn hidden(&self) -> Vec<Hidden> {
        match self.children.denied {
            0 => Vec::new(),
            count => vec![Hidden { reason: "denied", count, address: None }],
        }
    }
}

impl Directory {
    fn row(&self, child: Child, hand: &Hand<'_>) -> Result<TreeRow, Fault> {
        let number = child.number as usize;
        let name = self.index.name(number);
        let below = name.get(self.depth..).unwrap_or_default();
        let own = match child.role {
            Role::Unsafe => name,
            Role::Alone | Role::Same | Role::Directory => below.split(|byte| *byte == b'/').next().unwrap_or_default(),
        };
        let (mut shown, whole) = show_short(own);
        if shown.is_empty() {
            shown = format!("#{}", number + 1);
        }
        let itself = child.role != Role::Directory || own.len() == below.len();
        let when = self.index.time(number).filter(|_| itself).map_or(When::Unknown, When::At);
        // The other roles name an address themselves, and a directory has none but its name.
        let address = (child.role == Role::Alone).then(|| by_number(self.members.piece(), number));
        let cut = (!whole).then_some(Mark::LongName(address));
        if child.role == Role::Directory {
            let marks = cut.into_iter().collect();
            return Ok(TreeRow { depth: 0, name: shown, size: TreeSize::Directory, when, marks });
        }
        let size = self.size(number, hand)?;
        let mut marks = self.marks(number, child.role, hand);
        marks.extend(cut);
        Ok(TreeRow { depth: 0, name: shown, size, when, marks })
    }

    fn size(&self, number: usize, hand: &Hand<'_>) -> Result<TreeSize, Fault> {
        let kind = self.index.kind(number);
        if let Some(special) = kind.special() {
            return Ok(TreeSize::Special(special));
        }
        Ok(match kind {
            Kind::Directory => TreeSize::Directory,
            Kind::Symlink | Kind::HardLink => match self.members.target(&self.index, number, hand) {
                Ok(target) => TreeSize::Link(show_short(&target).0),
                Err(fault) if fault.class() == readstone_base::Class::Stopped => return Err(fault),
                Err(_) => TreeSize::Unreadable("its target cannot be read"),
            },
            Kind::File | Kind::Fifo | Kind::CharacterDevice | Kind::BlockDevice | Kind::Socket => {
                TreeSize::File(self.index.size(number))
            }
        })
    }

    fn marks(&self, number: usize, role: Role, hand: &Hand<'_>) -> Vec<Mark> {
        let mut marks = Vec::new();
        let address = || by_number(self.members.piece(), number);
        match role {
            Role::Same => marks.push(Mark::SameName(address())),
            Role::Unsafe => marks.push(Mark::UnsafeName(address())),
            Role::Alone | Role::Directory => {}
        }
        if self.index.is(number, odd::ENCRYPTED) {
            marks.push(Mark::Encrypted);
        }
        if self.index.is(number, odd::UNSUPPORTED) {
            marks.push(Mark::Unsupported(self.members.method(&self.index, number, hand.budget)));
        }
        if self.index.is(number, odd::OVERLAPS) {
            marks.push(Mark::Overlaps);
        }
        if self.index.is(number, odd::DAMAGED) {
            marks.push(Mark::Damaged);
        }
        marks
    }
}
