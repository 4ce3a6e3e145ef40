//! Bytes that are not text: a notice, or their hex.

use readstone_address::{Mode, Select, Selector, join};
use readstone_base::{Blob, Block, CLIENT_BYTES, CLIENT_JSON, CLIENT_ROWS, DumpRow, Next, Note, Span, Unit};

use crate::error::Error;
use crate::room::Ask;
use crate::text::Sheet;

/// Bytes in one row of hex.
const ROW: usize = 16;

/// Says what the bytes are and how to see them.
pub fn notice(what: &'static str, size: u64, ask: &Ask<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.coverage.unit = Unit::Bytes;
    sheet.coverage.total.bytes = Some(size);
    sheet.notes.push(Note::Binary { what });
    let hex = Selector { select: Select::All, mode: Mode::Hex };
    sheet.coverage.next = Some(Next::read(join(ask.path, &hex)));
    sheet
}

/// Shows bytes in hex.
pub fn dump(blob: &dyn Blob, size: u64, ask: &Ask<'_>) -> Result<Sheet, Error> {
    let (start, wanted) = match &ask.selector.select {
        Select::Window { start, bytes } => (*start, *bytes),
        Select::All
        | Select::From(_)
        | Select::Range(_)
        | Select::Many(_)
        | Select::Last(_)
        | Select::Around { .. }
        | Select::Symbol(_)
        | Select::Block { .. }
        | Select::Rest { .. } => (0, None),
    };
    let (most, limit) = most_bytes(ask);
    let end = wanted.map_or(size, |bytes| start.saturating_add(bytes)).min(size);
    let stop = end.min(start.saturating_add(most));
    let mut bytes = vec![0; usize::try_from(stop.saturating_sub(start)).unwrap_or(0)];
    let count = blob.read_at(start, &mut bytes).map_err(|cause| ask.io(cause))?;
    bytes.truncate(count);
    let rows = bytes
        .chunks(ROW)
        .zip(0_u64..)
        .map(|(row, number)| DumpRow { offset: start + number * ROW as u64, bytes: row.to_vec() });
    let mut sheet = Sheet { blocks: vec![Block::Dump(rows.collect())], ..Sheet::default() };
    let coverage = &mut sheet.coverage;
    coverage.unit = Unit::Bytes;
    coverage.total.bytes = Some(size);
    if count > 0 {
        coverage.shown = vec![Span::new(start, start + count as u64 - 1)];
    } else if start >= size && size > 0 {
        sheet.notes.push(Note::PastEnd { asked: start });
        let last = size.saturating_sub(most);
        coverage.next = Some(ask.next(Select::Window { start: last, bytes: None }));
    } else if size == 0 {
        sheet.notes.push(Note::Empty);
    }
    let behind = start + count as u64;
    if behind < size && count > 0 {
        coverage.cut_by = (behind < end).then_some(limit);
        coverage.next_start_byte = Some(behind);
        coverage.next = Some(ask.next(Select::Window { start: behind, bytes: wanted }));
    }
    coverage.complete = start == 0 && behind >= size;
    Ok(sheet)
}

/// The bytes that a page of hex shows at most, in whole rows, and the limit that says so.
fn most_bytes(ask: &Ask<'_>) -> (u64, &'static str) {
    let (row, client) = (ROW as u64, ask.room.client);
    // A row of sixteen bytes takes about eighty bytes and three tokens a byte.
    let bounds = [
        (Some(ask.limits.hex_bytes), "hex_bytes"),
        (ask.room.lines.map(|lines| lines.saturating_mul(row)), "max_lines"),
        (ask.room.bytes.map(|bytes| bytes / 80 * row), "reply_bytes"),
        (ask.room.tokens.map(|tokens| tokens / 3 / row * row), "max_tokens"),
        (Some(client.bytes).filter(|bytes| *bytes < u64::MAX).map(|bytes| bytes / 80 * row), CLIENT_BYTES),
        (Some(client.rows).filter(|rows| *rows < u64::MAX).map(|rows| rows.saturating_mul(row)), CLIENT_ROWS),
        (Some(client.json).filter(|json| *json < u64::MAX).map(|json| json / 96 * row), CLIENT_JSON),
    ];
    let known = bounds.into_iter().filter_map(|(most, limit)| Some((most?, limit)));
    let (most, limit) = known.min_by_key(|(most, _)| *most).unwrap_or((row, "hex_bytes"));
    (most.max(row), limit)
}
