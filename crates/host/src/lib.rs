//! The only crate that touches files, processes, the clock and the environment, and the one that holds the policy.
//!
//! [`Host::open`] is the one opener: below an open root descriptor where there are roots, never blocking, and judged
//! by what was really opened. Everything after it works on the descriptor. [`Host::hold`] is the one writer: what it opened and
//! locked is replaced as a whole, or not at all.

mod clock;
mod credentials;
mod directory;
mod environment;
mod error;
mod file;
mod hints;
mod keep;
mod keys;
mod mask;
mod names;
mod open;
mod os;
mod policy;
mod random;
mod secrets;
mod spool;
mod state;
mod wait;
mod worker;
mod write;

pub use clock::SystemClock;
pub use directory::{Access, Directory, Entries, Entry, EntryKind};
pub use environment::Environment;
pub use error::Error;
pub use file::FileBlob;
pub use keep::{KeptOpen, is_writable};
pub use mask::{Mask, is_git_config, may_show_less};
pub use names::Names;
pub use open::{Host, Object, Opened, Watch};
pub use os::{
    block_file_size_signal, cores, hide_process, is_waiting, mount_of, raise_file_limit, thread_id, thread_time,
};
pub use policy::{Policy, Root, RootError};
pub use random::random_seed;
pub use secrets::{DEFAULT_SECRETS, HARMLESS, Secrets, Stance};
pub use state::{Secret, make_state_folder, prepare_state_file, read_config, read_input, read_secret};
pub use wait::{DescriptorWait, Readiness, Waited};
pub use worker::{Workers, work_for_parent};
pub use write::{Durable, Finished, Held, Mode, New, Prepared, Swapped, is_temporary_name};
