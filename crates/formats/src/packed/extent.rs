//! How long a deflate stream is of which only the beginning is known.

use std::io;
use std::sync::Arc;

use readstone_base::{Blob, Budget};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::feed::{Feed, Input};

/// How many bytes the stream at `start` takes, packed and unpacked; `None` when it does not end.
pub(crate) fn deflated(blob: &Arc<dyn Blob>, start: u64, budget: &Budget) -> io::Result<Option<(u64, u64)>> {
    let range = start..blob.len().unwrap_or(u64::MAX);
    let input = Input { source: Arc::clone(blob), range, budget: budget.clone() };
    let mut feed = Feed::new(input, start * 8, Feed::LARGE);
    let mut inflate = Inflate::new(false, 15);
    let mut output = vec![0; 256 * 1024];
    loop {
        feed.go_on()?;
        let bytes = feed.load()?;
        let (before, empty) = (inflate.total_in(), bytes.is_empty());
        let made = inflate.total_out();
        let Ok(status) = inflate.decompress(bytes, &mut output, InflateFlush::NoFlush) else { return Ok(None) };
        feed.take(super::size(inflate.total_in() - before));
        if status == Status::StreamEnd {
            return Ok(Some((inflate.total_in(), inflate.total_out())));
        }
        if empty && inflate.total_out() == made {
            return Ok(None);
        }
    }
}
