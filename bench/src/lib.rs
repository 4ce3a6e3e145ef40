//! What the measurements share: rivals in turns, medians, a table, a server that is spoken to.

pub mod measure;
pub mod spoken;
pub mod table;
