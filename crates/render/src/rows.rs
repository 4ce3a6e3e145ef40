//! Rows of text, of hex and of directories.

use std::fmt::Write as _;

use readstone_base::{Block, Cut, DumpRow, Label, Rows, TreeRow, TreeSize, Visible};

use crate::size;

/// About how many bytes a block takes as text.
pub(crate) fn size_hint(block: &Block) -> usize {
    match block {
        Block::Rows(rows) => rows.text_len() + rows.len() * 12,
        Block::Dump(rows) => rows.len() * 80,
        Block::Tree(rows) => rows.len() * 40,
        Block::Raw(_) => 0,
    }
}

/// Adds numbered lines; a line that is not whole is followed by a mark that says which part it is, and by the address
/// of the rest, unless the page as a whole is continued there.
pub(crate) fn push_rows(text: &mut String, rows: &Rows, tool: &str, page_next: Option<&str>) {
    let mut digits = itoa::Buffer::new();
    for row in rows.iter() {
        let number = match row.label {
            Label::Line(number) => number,
            Label::Byte(number) => {
                text.push('b');
                number
            }
            Label::Gone(number) => {
                text.push('-');
                number
            }
        };
        text.push_str(digits.format(number));
        text.push(':');
        text.push_str(row.text);
        text.push('\n');
        if let Some(cut) = row.cut {
            push_cut(text, row.label, cut);
            if let Some(next) = cut.next.as_deref().filter(|next| Some(*next) != page_next) {
                let _ = write!(text, "; rest: {tool} {}", Visible::of(next).text);
            }
            text.push_str("]\n");
        }
    }
}

fn push_cut(text: &mut String, label: Label, cut: &Cut) {
    let line = match label {
        Label::Line(number) | Label::Gone(number) => format!("line {number}"),
        Label::Byte(_) => "the line".to_owned(),
    };
    // Writing to a String cannot fail.
    let _ = match (cut.before, cut.after) {
        (Some(0), Some(after)) => {
            write!(text, "[cut: {line} is {} bytes; its first {} are shown", cut.shown + after, cut.shown)
        }
        (Some(before), Some(after)) => {
            let last = before + cut.shown - 1;
            write!(text, "[cut: bytes {before}-{last} of {line}, which is {} bytes", before + cut.shown + after)
        }
        (Some(0), None) => write!(text, "[cut: the first {} bytes of {line}, which goes on", cut.shown),
        (Some(before), None) => {
            write!(text, "[cut: bytes {before}-{} of {line}, which goes on", before + cut.shown - 1)
        }
        (None, Some(0)) => write!(text, "[cut: the last {} bytes of {line}", cut.shown),
        (None, _) => write!(text, "[cut: {} bytes inside {line}", cut.shown),
    };
}

/// Adds bytes in hex, sixteen a row, with their ASCII beside them.
pub(crate) fn push_dump(text: &mut String, rows: &[DumpRow]) {
    for row in rows {
        let _ = write!(text, "{:08x}:", row.offset);
        for column in 0..16 {
            let _ = match row.bytes.get(column) {
                Some(byte) => write!(text, " {byte:02x}"),
                None => write!(text, "   "),
            };
        }
        text.push_str("  ");
        text.extend(row.bytes.iter().map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' }));
        text.push('\n');
    }
}

/// Adds the entries of a directory; every row begins with our own dash, so that no name can begin one.
pub(crate) fn push_tree(text: &mut String, rows: &[TreeRow], tool: &str) {
    for row in rows {
        let indent = "  ".repeat(row.depth);
        let age = row.age.map(|age| format!("  {}", size::age(age))).unwrap_or_default();
        let name = &row.name;
        let _ = match &row.size {
            TreeSize::Directory => writeln!(text, "{indent}- {name}/{age}"),
            TreeSize::Closed(why) => writeln!(text, "{indent}- {name}/  ({why}){age}"),
            TreeSize::File(bytes) => writeln!(text, "{indent}- {name}  {}{age}", size::bytes(*bytes)),
            TreeSize::Link(target) => writeln!(text, "{indent}- {name} -> {target}{age}"),
            TreeSize::Special(what) => writeln!(text, "{indent}- {name}  ({what}){age}"),
            TreeSize::Unreadable(why) => writeln!(text, "{indent}- {name}  ({why}){age}"),
            TreeSize::More { count, address } => writeln!(text, "{indent}… {count} more: {tool} {address}"),
        };
    }
}
