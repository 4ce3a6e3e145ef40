//! The test environment of Readstone: a world of its own for every test, the case runner, fixture recipes.

mod alone;
mod archives;
mod case;
mod clients;
mod documents;
mod fixture;
mod measure;
mod peer;
mod pictures;
mod served;
mod trace;
mod traps;
mod world;
mod writing;

pub use alone::alone;
pub use archives::{Archive, Bomb, ZipItem};
pub use case::{Cases, Form, Mode};
pub use clients::{Client, ReplyRoom, Shown, ToolResult};
pub use documents::{Office, Pdf};
pub use fixture::{CANARY, Confined, Fixture, Race, can_be_nobody, can_inject_faults, signal, tool, works};
pub use measure::Measured;
pub use peer::{Asked, Peer};
pub use pictures::Pixels;
pub use served::{Answer, HttpSession, NEWEST, PATHS, Served, Spoken, Vitals};
pub use trace::Trace;
pub use traps::Trap;
pub use world::{NOW, Run, World};
pub use writing::Mounted;
