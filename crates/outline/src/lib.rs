//! The structure of source files: what is declared where.
//!
//! An [`Outline`] is made of text alone, by the grammar of a [`Language`] and a query file that says which of its nodes
//! declare something. Nothing here reads files or remembers anything.
//!
//! A language is a folder in `languages/` with its query, a sample and what the sample's outline must be, a feature,
//! and a row in `language.rs`. SQL and YAML have no grammar and no query: code of their own reads them.

mod block;
mod bounds;
mod directives;
mod find;
mod fold;
mod gather;
mod heredocs;
mod item;
mod language;
mod macros;
mod mend;
mod mixed;
mod name;
mod parse;
mod path;
mod reach;
mod rules;
mod sql;
mod wire;
mod yaml;

pub use block::{NoBlock, block_at};
pub use fold::{GAP, Starts};
pub use item::{Item, Outline, Sort};
pub use language::{Language, absent_feature, languages};
pub use mixed::{Chunk, mixed};
pub use parse::{Unparsed, outline, tree_text};
