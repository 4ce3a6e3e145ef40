//! The program: the command line, and the commands that start the servers.
//!
//! A surface holds no behaviour. It turns what it is given into a call of [`readstone_tools::Toolbox`] and the reply
//! into bytes on a stream.

mod args;
mod calls;
mod cli;
mod config;
mod help;
mod install;
mod log;
mod man;
mod paint;
mod progress;
mod roots;
mod serve;
mod setup;
mod worker;

pub use cli::run;
pub use readstone_desk::reply_form;
