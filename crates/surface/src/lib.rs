//! The surfaces of Readstone: today the command line, and the wire form that all surfaces share.
//!
//! A surface holds no behaviour. It turns what it is given into a call of [`readstone_tools::Toolbox`] and the reply
//! into bytes on a stream.

mod args;
mod cli;
mod config;
mod form;
mod paint;
mod progress;
mod setup;

pub use cli::run;
pub use form::reply as reply_form;
