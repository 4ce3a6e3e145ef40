//! Streams that do not tell their size, kept in memory up to a bound.

use std::io::{self, Read};

use readstone_base::{Budget, Memory};

/// What was read of a stream.
#[derive(Debug)]
pub(crate) struct Spooled {
    /// The bytes.
    pub(crate) blob: Memory,
    /// True when the stream went on past the bound.
    pub(crate) more: bool,
}

/// Reads a stream to its end, to `most` bytes, or to the end of the budget.
pub(crate) fn spool(reader: &mut dyn Read, most: u64, budget: &Budget) -> io::Result<Spooled> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        if bytes.len() >= most || budget.check().is_err() {
            bytes.truncate(most);
            return Ok(Spooled { blob: Memory::new(bytes), more: true });
        }
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(Spooled { blob: Memory::new(bytes), more: false }),
            Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
