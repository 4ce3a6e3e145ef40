//! From pages to the words the agent reads.
//!
//! This is the only place with sentences. A page's text and its account in the receipt are made from the same data
//! here, so they cannot disagree.

mod coverage;
mod failure;
mod notes;
mod page;
mod receipt;
mod rows;
mod size;

use readstone_base::{Page, Part, Receipt, Reply, Status, TargetError};

pub use failure::error_text;

/// What became of one target.
#[derive(Debug)]
pub enum Outcome {
    /// It has its page.
    Page(Box<Page>),
    /// It failed.
    Failed {
        /// The address as the caller gave it.
        address: String,
        /// Why.
        error: TargetError,
    },
}

/// The reply to a call: every target in its place.
pub fn reply(tool: &'static str, outcomes: &[Outcome]) -> Reply {
    if let [Outcome::Failed { error, .. }] = outcomes {
        return failure(tool, error.clone());
    }
    let mut parts = Vec::with_capacity(outcomes.len());
    let mut targets = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        let (part, target) = match outcome {
            Outcome::Page(page) => {
                let part = page::part(page);
                let target = receipt::of_page(page, part.text());
                (part, target)
            }
            Outcome::Failed { address, error } => {
                let text = failure::in_place(address, error);
                let target = receipt::of_failure(address, error, &text);
                (Part::Text(text), target)
            }
        };
        parts.push(part);
        targets.push(target);
    }
    let receipt = Receipt { tool, targets, error: None };
    Reply { status: status(outcomes), parts, receipt }
}

/// The reply to a call that failed as a whole.
pub fn failure(tool: &'static str, error: TargetError) -> Reply {
    let parts = vec![Part::Text(error_text(&error))];
    let status = Status::Error(error.class);
    Reply { status, parts, receipt: Receipt { tool, targets: Vec::new(), error: Some(error) } }
}

/// Half success is success; only when every target failed has the call failed.
fn status(outcomes: &[Outcome]) -> Status {
    let mut first = None;
    for outcome in outcomes {
        match outcome {
            Outcome::Page(_) => return Status::Ok,
            Outcome::Failed { error, .. } => first = first.or(Some(error.class)),
        }
    }
    first.map_or(Status::Ok, Status::Error)
}
