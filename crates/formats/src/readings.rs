//! What a name in an address may mean.

use readstone_base::{Percent, unescape_name};

/// The readings of a name, the literal first: as it stands, with the escapes of shown names, percent-encoded.
pub(crate) fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![text.to_owned()];
    readings.extend(unescape_name(text).and_then(|name| name.into_string().ok()));
    readings.extend(Percent::of(text).loose());
    readings
}
