//! Containers: archives, databases, notebooks, and whatever else holds things that have addresses of their own.

use readstone_base::{Fault, Image, Note};

use crate::content::Content;
use crate::opening::{Opening, Piece};

/// Something that holds further things.
pub trait Container: Send + Sync + std::fmt::Debug {
    /// Follows what stands behind the container in the address. `tail` is the text behind its colon, or begins with the
    /// question mark of a query; `None` asks for the container itself. Names are taken literally first: the whole tail,
    /// then ever shorter beginnings of it that end at a colon.
    fn enter(&self, tail: Option<&str>, opening: &Opening<'_>) -> Result<Entered, Fault>;

    /// Whether it is something to look at rather than to go into, such as a document: those do not count as levels.
    fn is_end(&self) -> bool {
        false
    }
}

/// Where a tail led.
#[derive(Debug)]
pub enum Entered {
    /// To bytes of their own, which may hold further things.
    Piece {
        /// The bytes.
        piece: Piece,
        /// What stands behind them in the address.
        rest: Option<String>,
        /// What must be said of them.
        notes: Vec<Note>,
    },
    /// To something that is shown as it is.
    Content(Box<Reached>),
    /// To the container's own bytes: the tail is a selector such as `hex` or `raw` that asks for them.
    Itself,
}

/// Something that is shown as it is.
#[derive(Debug)]
pub struct Reached {
    /// What it is.
    pub content: Content,
    /// The address that leads to it.
    pub path: String,
    /// The selector behind it.
    pub rest: Option<String>,
    /// What must be said of it.
    pub notes: Vec<Note>,
    /// Pictures that belong to it.
    pub images: Vec<Image>,
}
