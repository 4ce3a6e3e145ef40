//! A row of a database.
use super::WriteInput;
use super::place::{Target, unfit};
use crate::call::Call;
use readstone_base::{Fault, Page};
pub(super) fn write(_: &Call<'_>, _: &WriteInput, target: &Target, _: &str) -> Result<Page, Fault> {
    Err(unfit(&target.path, "not yet"))
}
