//! Streams that do not tell their size, kept in memory up to a bound.

use std::io::{self, Read};

use readstone_base::{Budget, Memory};

/// What was read of a stream.
#[derive(Debug)]
pub(crate) struct Spooled {
    /// The bytes.
    pub(crate) blob: Memory,
    /// The limit that ended the reading before the stream did.
    pub(crate) cut: Option<&'static str>,
}

/// Reads a stream to its end, past `most` bytes, or to the end of the budget.
pub(crate) fn spool(reader: &mut dyn Read, most: u64, budget: &Budget) -> io::Result<Spooled> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    let cut = loop {
        if bytes.len() > most {
            bytes.truncate(most);
            break Some("spool_bytes");
        }
        if budget.check().is_err() {
            break Some("call_ms");
        }
        match reader.read(&mut chunk) {
            Ok(0) => break None,
            Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    Ok(Spooled { blob: Memory::new(bytes), cut })
}
