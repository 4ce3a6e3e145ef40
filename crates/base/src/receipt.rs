//! A receipt is what a program needs to know of a reply.

use crate::change::Change;
use crate::failure::{Class, Failure};
use crate::found::{Count, Found};
use crate::page::{Hidden, Next, Summary, Totals, Unit};
use crate::rows::Cut;
use crate::span::Span;
use crate::web::Web;

/// The account of a call, target by target.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The tool that was called.
    pub tool: &'static str,
    /// What became of each target.
    pub targets: Vec<Target>,
    /// What a call that looked through many things came to.
    pub found: Option<Found>,
    /// Set when the whole call failed.
    pub error: Option<TargetError>,
}

/// The account of one target.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The address as the caller gave it.
    pub address: String,
    /// What the target is.
    pub kind: Option<&'static str>,
    /// The path that opens it again.
    pub path: Option<String>,
    /// Its tag, when it can be edited.
    pub tag: Option<String>,
    /// The full hash behind the tag.
    pub version: Option<String>,
    /// The text encoding.
    pub encoding: Option<&'static str>,
    /// What is shown.
    pub shown: Option<Shown>,
    /// Matches of a search: how many are shown, and how many there are.
    pub matches: Option<(u64, Count)>,
    /// How much there is.
    pub total: Totals,
    /// The limit that ended the page.
    pub cut_by: Option<&'static str>,
    /// The address of what comes next.
    pub next: Option<String>,
    /// The offset at which the next window starts.
    pub next_start_byte: Option<u64>,
    /// Lines that are not shown whole.
    pub cuts: Vec<Cut>,
    /// Estimated tokens of what is shown.
    pub tokens_shown: u64,
    /// Estimated tokens of the whole, where its size is known.
    pub tokens_total: Option<u64>,
    /// What was said beside the text: a code and a sentence each.
    pub notes: Vec<(&'static str, String)>,
    /// The missing path that a guess replaced.
    pub resolved_from: Option<String>,
    /// Entries left out of a listing.
    pub hidden: Vec<Hidden>,
    /// How much of the text a summary shows.
    pub summary: Option<Summary>,
    /// Where it came from, when it was fetched.
    pub web: Option<Web>,
    /// The address under which the session keeps the whole text, when not all of it is shown.
    pub artifact: Option<String>,
    /// What was done to it.
    pub change: Option<Change>,
    /// Why this target failed.
    pub error: Option<TargetError>,
}

/// The ranges on a page.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is counted.
    pub unit: Unit,
    /// What was asked for.
    pub ranges: Vec<Span>,
    /// What is shown beside it.
    pub context: Vec<Span>,
}

/// A failure as data.
#[derive(Clone, Debug)]
pub struct TargetError {
    /// `<stage>.<what>`.
    pub code: &'static str,
    /// The class, which decides exit code and status.
    pub class: Class,
    /// One line in the caller's spelling.
    pub message: String,
    /// Calls that can be made next.
    pub next: Vec<Next>,
}

impl TargetError {
    /// A failure as data.
    pub fn of(failure: &dyn Failure) -> Self {
        Self { code: failure.code(), class: failure.class(), message: failure.to_string(), next: failure.next() }
    }
}
