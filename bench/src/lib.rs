//! What the measurements share: data, rivals in turns, medians, tables, a server that is spoken to.

pub mod made;
#[cfg(feature = "in-process")]
pub mod measure;
pub mod results;
pub mod spoken;
pub mod system;
#[cfg(feature = "in-process")]
pub mod table;
pub mod timing;
