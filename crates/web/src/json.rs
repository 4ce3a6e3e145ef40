//! JSON of others, within bounds.

mod limited;

pub(crate) use limited::{Limited, Members, limited};
