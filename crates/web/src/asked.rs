//! What a reading of a web address asks for.

use readstone_address::{Mode as Shape, Reading, Select, Selector};
use readstone_base::Fault;
use readstone_formats::{PageWish, wished};
use readstone_net::WebUrl;

use crate::made::Shown;

/// What of a page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Whatever reads best.
    Read,
    /// All that it shows.
    Whole,
    /// Its source, as text.
    Source,
    /// Its body, as it comes.
    Raw,
}

impl Mode {
    /// The word under which it is kept.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Whole => "all",
            Self::Source => "source",
            Self::Raw => "raw",
        }
    }
}

/// Whether all is asked for or a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    All,
    /// A part: lines, a section, a name inside it.
    Part,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The address, as the caller wrote it.
    pub(crate) text: String,
    /// The same, parsed.
    pub(crate) url: WebUrl,
    /// What of the page.
    pub(crate) mode: Mode,
    /// How much of it.
    pub(crate) extent: Extent,
    /// What is still to be followed, once all of a page is shown where that is asked for.
    pub(crate) tail: Option<String>,
    /// All that stands behind the address.
    pub(crate) given: Option<String>,
}

impl Asked {
    /// What a reading asks for.
    pub(crate) fn of(reading: &Reading) -> Result<Self, Fault> {
        let place = reading.place.as_str();
        let given = reading.tail.clone().filter(|tail| !tail.is_empty());
        let tail = given.as_deref();
        // The name of a section may hold colons, so that only it was taken for the tail.
        let of_all = place.strip_suffix(":all").filter(|_| tail.is_some_and(|tail| tail.starts_with('@')));
        let text = of_all.unwrap_or(place).to_owned();
        let url = WebUrl::parse(&text).map_err(|error| Box::new(error) as Fault)?;
        let (wish, rest) = wished(tail);
        let selector = rest.as_deref().and_then(|rest| Selector::parse(rest).ok());
        let mode = match (of_all.is_some(), wish, selector.as_ref().map(|selector| selector.mode)) {
            (true, _, _) | (false, PageWish::Whole, _) => Mode::Whole,
            (false, PageWish::Article, Some(Shape::Raw | Shape::Hex)) => Mode::Raw,
            (false, PageWish::Article, Some(Shape::Source)) => Mode::Source,
            (
                false,
                PageWish::Article,
                None | Some(Shape::Plain | Shape::Conflicts | Shape::Everything | Shape::Outline),
            ) => Mode::Read,
        };
        let whole = match mode {
            Mode::Read | Mode::Whole => rest.is_none(),
            Mode::Source | Mode::Raw => selector.is_some_and(|selector| selector.select == Select::All),
        };
        let extent = if whole { Extent::All } else { Extent::Part };
        Ok(Self { text, url, mode, extent, tail: rest, given })
    }

    /// The address that opens it again without a selector, and what is still to be followed.
    pub(crate) fn place(&self, shown: &Shown) -> (String, Option<String>) {
        match (self.mode, shown) {
            // What follows a part of all of it must be a part of all of it, too.
            (Mode::Whole, Shown::Text(_)) => (self.whole(), self.tail.clone()),
            (Mode::Whole, Shown::Bytes { .. }) => (self.url.as_str().to_owned(), self.given.clone()),
            (Mode::Read | Mode::Source | Mode::Raw, _) => (self.url.as_str().to_owned(), self.tail.clone()),
        }
    }

    /// The address of all that the page shows.
    pub(crate) fn whole(&self) -> String {
        format!("{}:all", self.url)
    }

    /// Whether the tail is a name, which only what has parts can follow.
    pub(crate) fn is_name(&self) -> bool {
        self.tail.as_deref().is_some_and(|tail| Selector::parse(tail).is_err())
    }
}
