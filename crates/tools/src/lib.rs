//! One file per tool, and one door to all of them.
//!
//! [`Toolbox::call`] takes a tool's name and its input as JSON and answers with a [`readstone_base::Reply`]. Every
//! surface goes through it, so a reply cannot differ between them.
//!
//! ```
//! use readstone_tools::Toolbox;
//!
//! let directory = std::env::temp_dir();
//! let toolbox = Toolbox::for_directory(&directory).unwrap();
//! let reply = toolbox.call("read", &serde_json::json!({ "path": "." }), &toolbox.budget());
//! assert!(reply.text().starts_with("¶./\n"));
//! ```

mod bent;
mod beyond;
mod block;
mod call;
mod change;
mod complete;
mod conflicts;
mod craft;
mod directory;
mod edit;
mod error;
mod file;
mod find;
mod find_input;
mod find_place;
mod input;
mod lined;
mod profile;
mod read;
mod read_lines;
mod read_windows;
mod schema;
mod search;
mod search_input;
mod share;
mod shown;
mod since;
mod sources;
mod structure;
mod target;
mod text;
mod toolbox;
mod undo;
mod write;

pub use bent::json_list;
pub use beyond::fixed_seed;
pub use call::{Access, Effect};
pub use complete::Completion;
pub use craft::work;
pub use error::Error;
pub use file::OpenFile;
pub use profile::{FILE_READ, LINE_READ, Profile, READ};
pub use read_lines::limit_of;
pub use readstone_session::{Durability, Guard, Writing};
pub use sources::sources;
pub use toolbox::{ToolInfo, Toolbox};
