//! What a reading of a web address asks for.

use readstone_address::{Mode as Shape, Place, Reading, Select, Selector, cuts};
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

/// How much of what was asked for is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    /// All of it.
    All,
    /// Less.
    Less,
}

/// An address is cut at most at so many colons, for each may lead to another page.
const MOST_PAGES: usize = 8;

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

    /// The same, as names inside something that the beginning of the address leads to, the longest first: only who
    /// knows what is there can say whether a colon belongs to the address.
    pub(crate) fn inside(reading: &Reading) -> impl Iterator<Item = Self> {
        let place = reading.place.as_str();
        let host = place.find("://").map_or(0, |at| at + 3);
        let start = place.get(host..).and_then(|rest| rest.find(['/', '?'])).map_or(place.len(), |at| host + at);
        let names = cuts(place.get(start..).unwrap_or_default()).skip(1).take(MOST_PAGES);
        names.filter_map(move |(name, tail)| {
            let (head, tail) = (place.get(..start + name.len())?, tail?);
            let tail = reading.tail.iter().fold(tail.to_owned(), |tail, behind| format!("{tail}:{behind}"));
            Self::of(&Reading { place: Place::Url(head.to_owned()), since: None, tail: Some(tail) }).ok()
        })
    }

    /// What is still to be followed in the answer of a server that refuses, and whether that is less than was asked
    /// for: no line or section of it was meant, but what goes on with it.
    pub(crate) fn refused(tail: Option<String>, shown: &Shown) -> (Option<String>, Followed) {
        let Some(asked) = tail else { return (None, Followed::All) };
        let lines = shown.as_bytes().split(|byte| *byte == b'\n').count() as u64;
        let Ok(Selector { select, mode }) = Selector::parse(&asked) else { return (None, Followed::Less) };
        let open = asked.split(':').next().is_some_and(|lines| lines.ends_with('-'));
        let from = matches!(select, Select::From(line) if open && (2..lines).contains(&line));
        let goes_on = from || select == Select::All;
        match mode {
            Shape::Plain | Shape::Raw | Shape::Hex | Shape::Source if goes_on => (Some(asked), Followed::All),
            Shape::Raw | Shape::Hex | Shape::Source => {
                (Some(Selector { select: Select::All, mode }.to_string()), Followed::Less)
            }
            Shape::Plain | Shape::Conflicts | Shape::Everything | Shape::Outline => (None, Followed::Less),
        }
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
