//! The naive twin: a file decoded and split in the simplest way that can be right.

use encoding_rs::Encoding;
use readstone_base::Visible;

/// A file as the twin understands it.
#[derive(Debug)]
pub(crate) struct Twin {
    /// All characters, the byte order mark among them.
    pub(crate) text: String,
    /// The lines, without their ends and without a byte order mark, as they may be shown.
    pub(crate) lines: Vec<String>,
    /// The bytes of each line, with their ends; those of the first begin with the mark.
    pub(crate) raw: Vec<Vec<u8>>,
    /// Where each line begins; the first begins behind the mark.
    pub(crate) starts: Vec<u64>,
    /// The size of the file.
    pub(crate) size: u64,
}

impl Twin {
    /// The twin of a file in the encoding with this name.
    pub(crate) fn new(bytes: &[u8], encoding: &str) -> Self {
        let text = decode(bytes, encoding);
        let mark = text.starts_with('\u{FEFF}').then(|| mark_of(encoding)).flatten().unwrap_or(0);
        let raw = split(bytes, encoding, mark);
        let mut starts = Vec::new();
        let mut offset = 0;
        for line in &raw {
            starts.push(offset.max(mark));
            offset += line.len();
        }
        let shown = |(number, line): (usize, &Vec<u8>)| {
            let text = decode(line.get(if number == 0 { mark } else { 0 }..).unwrap_or_default(), encoding);
            let text = text.strip_suffix('\n').map_or(&*text, |text| text.strip_suffix('\r').unwrap_or(text));
            Visible::of(text).text.into_owned()
        };
        let lines = raw.iter().enumerate().map(shown).collect();
        let starts = starts.into_iter().map(|start| start as u64).collect();
        Self { text, lines, raw, starts, size: bytes.len() as u64 }
    }

    /// The number of the line that holds a byte.
    pub(crate) fn line_at(&self, offset: u64) -> u64 {
        self.starts.partition_point(|start| *start <= offset) as u64
    }
}

/// All characters of some bytes.
pub(crate) fn decode(bytes: &[u8], encoding: &str) -> String {
    if let Some(order) = encoding.strip_prefix("utf-32") {
        let unit = |unit: &[u8]| {
            let unit = <[u8; 4]>::try_from(unit).ok()?;
            char::from_u32(if order == "le" { u32::from_le_bytes(unit) } else { u32::from_be_bytes(unit) })
        };
        return bytes.chunks(4).map(|bytes| unit(bytes).unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    }
    if encoding == "utf-8" {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let encoding = Encoding::for_label(encoding.as_bytes()).expect("a known encoding");
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

fn mark_of(encoding: &str) -> Option<usize> {
    match encoding {
        "utf-8" => Some(3),
        "utf-16le" | "utf-16be" => Some(2),
        "utf-32le" | "utf-32be" => Some(4),
        _ => None,
    }
}

/// How a line feed is written.
fn feed_of(encoding: &str) -> &'static [u8] {
    match encoding {
        "utf-16le" => b"\n\0",
        "utf-16be" => b"\0\n",
        "utf-32le" => b"\n\0\0\0",
        "utf-32be" => b"\0\0\0\n",
        _ => b"\n",
    }
}

/// The lines with their ends; the mark belongs to the first, and alone it is none.
fn split(bytes: &[u8], encoding: &str, mark: usize) -> Vec<Vec<u8>> {
    let feed = feed_of(encoding);
    let mut lines = Vec::new();
    let mut line: Vec<u8> = Vec::new();
    for unit in bytes.chunks(feed.len()) {
        line.extend_from_slice(unit);
        if unit == feed {
            lines.push(std::mem::take(&mut line));
        }
    }
    let lone_mark = lines.is_empty() && line.len() <= mark;
    if !line.is_empty() && !lone_mark {
        lines.push(line);
    }
    lines
}
