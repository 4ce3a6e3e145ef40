//! The desk: where a server takes calls.
//!
//! A [`Desk`] runs calls of one toolbox on a bounded pool, in the session of whoever calls, counts what it did, and
//! gives every reply the one wire form. The servers beside it only translate a protocol.

mod blocks;
mod change;
mod crew;
mod desk;
mod error;
mod form;
mod hung;
mod json;
mod lane;
mod meter;
mod pool;
mod runtime;
mod slots;
mod turns;
mod watch;

pub use blocks::{Block, blocks};
pub use desk::{Bound, Desk, Errand, Receipts, SessionName, Which};
pub use error::{BUSY, Error};
pub use form::{base64, receipt_form, reply_form, reply_text, reply_text_with};
pub use json::parse as parse_json;
pub use meter::Counted;
pub use runtime::{runtime, single_runtime};
