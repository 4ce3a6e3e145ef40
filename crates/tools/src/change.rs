//! Changing files: what `edit`, `write` and `undo` share.
//!
//! An [`Aim`] is what is to be changed, a [`Basis`] the text as it is, a [`Draft`] the change before it is made. Drafts are
//! made true together by [`commit`]: all of them or none.

mod aim;
mod basis;
mod blocks;
mod commit;
mod context;
mod draft;
mod edited;
mod error;
mod guards;
mod preview;
mod undone;

pub(crate) use aim::{Aim, Form, aim, form_of, there};
pub(crate) use basis::{Basis, version_now};
pub(crate) use commit::{Unmade, call_name, commit, hold_all, withheld};
pub(crate) use draft::{Content, Draft, Expected, Refusal};
pub(crate) use edited::{Operations, change_lines, edited};
pub(crate) use error::Error as ChangeError;
pub(crate) use error::Why;
pub(crate) use preview::{Texts, bytes_of, masked_warning, told, whole_inverse};
pub(crate) use undone::{Record, Reversal, Title, Whole, forget, kept, last};
