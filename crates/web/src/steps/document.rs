//! Documents: whoever reads them as files reads them here.

use readstone_net::Fetched;

use crate::made::Made;
use crate::sort::Sorted;

pub(super) const METHOD: &str = "document";

pub(super) fn take(found: &Sorted, fetched: &mut Fetched) -> Made {
    Made::bytes(METHOD, &found.name, std::mem::take(&mut fetched.body))
}
