//! From pages to the words the agent reads.
//!
//! This is the only place with sentences. A page's text and its account in the receipt are made from the same data
//! here, so they cannot disagree.

mod change;
mod coverage;
mod failure;
mod found;
mod notes;
mod page;
mod progress;
mod receipt;
mod rows;
mod shorten;
mod size;
mod summary;
mod web;

use readstone_base::{Image, Page, Part, Receipt, Reply, Status, Target, TargetError};

pub use change::{Changed, changed};
pub use coverage::{aside, beside, ends_early, unsaid};
pub use found::found;
pub use progress::progress;
pub use shorten::{reply_size, shorten};

/// One target in words and in numbers.
#[derive(Debug)]
pub struct Told {
    /// What the model reads.
    pub part: Part,
    /// Pictures that belong to it.
    pub images: Vec<Image>,
    /// What a program reads.
    pub target: Target,
}

/// Words a target's page.
pub fn tell_page(page: &Page) -> Told {
    let part = page::part(page);
    let target = receipt::of_page(page, part.text());
    Told { part, images: page.images.clone(), target }
}

/// Says that so many credentials of a git configuration are masked.
pub fn masked(count: u64) -> String {
    notes::masked(count)
}

/// Words the failure of a target.
pub fn tell_failure(address: &str, error: &TargetError) -> Told {
    let text = failure::in_place(address, error);
    let target = receipt::of_failure(address, error, &text);
    Told { part: Part::Text(text), images: Vec::new(), target }
}

/// The reply to a call: every target in its place. A lone target that failed fails the call.
pub fn reply(tool: &'static str, told: Vec<Told>) -> Reply {
    if let [Told { target: Target { error: Some(error), .. }, .. }] = told.as_slice() {
        return failure(tool, error.clone());
    }
    let failure = whole_failure(&told);
    let status = failure.as_ref().map_or(Status::Ok, |error| Status::Error(error.class));
    let (mut parts, mut targets) = (Vec::new(), Vec::new());
    for told in told {
        parts.push(told.part);
        parts.extend(told.images.into_iter().map(Part::Image));
        targets.push(told.target);
    }
    Reply { status, parts, receipt: Receipt { tool, targets, found: None, error: failure } }
}

/// The reply to a call that failed as a whole.
pub fn failure(tool: &'static str, error: TargetError) -> Reply {
    let parts = vec![Part::Text(failure::error_text(&error))];
    let status = Status::Error(error.class);
    Reply { status, parts, receipt: Receipt { tool, targets: Vec::new(), found: None, error: Some(error) } }
}

/// Half success is success; only when every target failed has the call failed, for the first one's reason.
fn whole_failure(told: &[Told]) -> Option<TargetError> {
    let errors: Option<Vec<&TargetError>> = told.iter().map(|told| told.target.error.as_ref()).collect();
    errors?.first().map(|error| (*error).clone())
}
