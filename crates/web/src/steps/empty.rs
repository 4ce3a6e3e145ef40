//! An answer without a body.

use readstone_base::WebNote;

use super::text;
use crate::made::Made;

pub(super) fn take() -> Made {
    Made::text(text::METHOD, "").noting([WebNote::Said("the answer has no body".to_owned())])
}
