//! What is remembered between calls: texts behind tags, where lines are, and how everything is configured.
//!
//! A [`Session`] has a name and a [`Store`]. The command line uses one session per working root, kept in SQLite, so
//! that one call can ask what changed since another; a server holds many [`Sessions`] on one store.

mod beyond;
mod clients;
mod config;
mod memory;
mod session;
mod sessions;
mod setting;
mod shelf;
mod sqlite;
mod store;
mod strays;
mod writing;

pub use beyond::{Beyond, Reach, Served};
pub use clients::{Clients, KNOWN_CLIENTS, KnownClient};
pub use config::{Config, ConfigError};
pub use memory::MemoryStore;
pub use session::{Room, Session};
pub use sessions::Sessions;
pub use setting::{Origin, SETTINGS, Setting, SettingInfo};
pub use shelf::MemoryShelf;
pub use sqlite::SqliteStore;
pub use store::{Place, Snapshot, Store, Text};
pub use writing::{Durability, Guard, Writing};
