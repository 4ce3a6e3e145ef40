//! An answer without a body.

use readstone_base::WebNote;
use readstone_net::Fetched;

use super::text;
use crate::made::Made;

pub(super) fn take(fetched: &Fetched) -> Made {
    let made = Made::text(text::METHOD, "").typed(fetched.content_type.as_deref());
    made.noting([WebNote::Said("the answer has no body".to_owned())])
}
