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

mod call;
mod error;
mod input;
mod read;
mod share;
mod target;
mod toolbox;

pub use call::{Call, Effect, Tool};
pub use error::Error;
pub use input::ReadInput;
pub use read::Read;
pub use toolbox::{TOOLS, ToolInfo, Toolbox};
