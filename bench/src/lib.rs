//! What the measurements share: rivals in turns, medians, a table.

pub mod measure;
pub mod table;
