//! The only crate that touches files, the clock and the environment, and the one that holds the policy.
//!
//! [`Host::open`] is the one opener: below an open root descriptor where there are roots, never blocking, and judged
//! by what was really opened. Everything after it works on the descriptor.

mod clock;
mod directory;
mod environment;
mod error;
mod file;
mod mounts;
mod open;
mod os;
mod policy;
mod secrets;
mod spool;
mod state;
mod threads;

pub use clock::SystemClock;
pub use directory::{Directory, Entries, Entry, EntryKind};
pub use environment::Environment;
pub use error::Error;
pub use mounts::mount_of;
pub use open::{Host, Object, Opened};
pub use os::{hide_process, raise_file_limit};
pub use policy::{Policy, Root, RootError};
pub use secrets::{DEFAULT_SECRETS, Secrets, Stance};
pub use state::{Secret, prepare_state_file, read_config, read_secret};
pub use threads::{is_waiting, thread_id};
