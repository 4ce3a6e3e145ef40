//! Rows of text, of hex and of directories.

use std::fmt::Write as _;

use readstone_base::{
    Block, Cut, DumpRow, Field, FileRows, Grid, Label, Mark, Record, Rows, TreeRow, TreeSize, Visible, When, push_size,
};

use crate::size;

/// About how many bytes a block takes as text.
pub(crate) fn size_hint(block: &Block) -> usize {
    match block {
        Block::Rows(rows) => rows.text_len() + rows.len() * 12,
        Block::Dump(rows) => rows.len() * 80,
        Block::Tree(rows) => rows.len() * 40,
        Block::Head(lines) => lines.iter().map(|line| line.len() + 3).sum(),
        Block::Grid(grid) => grid.rows.iter().flatten().map(|cell| cell.len() + 3).sum(),
        Block::Records(records) => records.iter().flat_map(|record| &record.fields).map(field_size).sum(),
        Block::Files(files) => {
            files.iter().map(|file| file.name.len() + 24 + file.rows.text_len() + file.rows.len() * 12).sum()
        }
        Block::Hits(hits) => hits.rows.iter().map(|row| row.text.len() + 12).sum(),
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
            Label::Lines(lines) => {
                text.push_str(digits.format(lines.first));
                text.push('-');
                lines.last
            }
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
        if let Some(inside) = row.inside {
            let next = Visible::of(&inside.next).text;
            let _ = if inside.told.is_empty() {
                writeln!(text, "[{} inside; next: {tool} {next}]", size::count(inside.names, "name"))
            } else {
                writeln!(text, "[inside: {}]", inside.told.join(", "))
            };
        }
    }
}

/// Adds what is declared in files: rows below the name of each, set in, or the names alone.
pub(crate) fn push_files(text: &mut String, files: &[FileRows], tool: &str) {
    for file in files {
        let lines = file.lines.map(|lines| format!("  {}", size::count(lines, "line"))).unwrap_or_default();
        let _ = write!(text, "- {}{lines}", file.name);
        if !file.names.is_empty() {
            let _ = write!(text, ": {}", file.names.join(", "));
        }
        match (file.more, file.names.is_empty() && file.rows.is_empty()) {
            (0, _) => {}
            (more, true) => drop(write!(text, "  ({})", size::count(more, "name"))),
            (more, false) => drop(write!(text, ", … {more} more")),
        }
        text.push('\n');
        let mut rows = String::new();
        push_rows(&mut rows, &file.rows, tool, None);
        for row in rows.lines() {
            let _ = writeln!(text, "  {row}");
        }
    }
}

fn push_cut(text: &mut String, label: Label, cut: &Cut) {
    let line = match label {
        Label::Line(number) | Label::Gone(number) => format!("line {number}"),
        Label::Byte(_) | Label::Lines(_) => "the line".to_owned(),
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

/// Adds the entries of a directory; every row begins with our own dash, so that no name can begin one. A directory can
/// have thousands, so the common rows are written without a text of their own.
pub(crate) fn push_tree(text: &mut String, rows: &[TreeRow], tool: &str) {
    for row in rows {
        (0..row.depth).for_each(|_| text.push_str("  "));
        if let TreeSize::More { count, address } = &row.size {
            let _ = writeln!(text, "… {count} more: {tool} {address}");
            continue;
        }
        text.push_str("- ");
        text.push_str(&row.name);
        push_tree_size(text, &row.size);
        push_when(text, row.when);
        row.marks.iter().for_each(|mark| text.push_str(&marked(mark, tool)));
        text.push('\n');
    }
}

/// Adds the kind and the size of an entry, after two spaces.
fn push_tree_size(text: &mut String, size: &TreeSize) {
    let _ = match size {
        TreeSize::More { .. } => Ok(()),
        TreeSize::Directory => text.write_char('/'),
        TreeSize::File(bytes) => {
            text.push_str("  ");
            push_size(text, *bytes);
            Ok(())
        }
        TreeSize::Closed(why) => write!(text, "/  ({why})"),
        TreeSize::Link(target) => write!(text, " -> {target}"),
        TreeSize::Rows(count) => write!(text, "  {}", size::count(*count, "row")),
        TreeSize::AtLeast(count) => write!(text, "  ≥ {}", size::count(*count, "row")),
        TreeSize::Uncounted(why) => write!(text, "  (rows not counted: {why})"),
        TreeSize::View => text.write_str("  (view)"),
        TreeSize::Special(what) => write!(text, "  ({what})"),
        TreeSize::Unreadable(why) => write!(text, "  ({why})"),
    };
}

/// Adds when an entry was changed, after two spaces.
fn push_when(text: &mut String, when: When) {
    match when {
        When::Unknown => {}
        When::Ago(seconds) => {
            text.push_str("  ");
            size::push_age(text, seconds);
        }
        When::At(seconds) => {
            text.push_str("  ");
            text.push_str(&size::date(seconds));
        }
    }
}

/// What is odd about an entry, behind two blanks.
fn marked(mark: &Mark, tool: &str) -> String {
    match mark {
        Mark::SameName(address) => format!("  (several of this name; this one: {tool} {address})"),
        Mark::UnsafeName(address) => format!("  (unsafe name: {tool} {address})"),
        Mark::LongName(Some(address)) => format!("  (name cut: {tool} {address})"),
        Mark::LongName(None) => "  (name cut)".to_owned(),
        Mark::Encrypted => "  (encrypted)".to_owned(),
        Mark::Unsupported(how) => format!("  (packed with {how}, cannot be read)"),
        Mark::Overlaps => "  (shares bytes with another entry)".to_owned(),
        Mark::Damaged => "  (damaged)".to_owned(),
    }
}

/// Adds lines about what follows; each is set in, so that none of them can pass for one of ours.
pub(crate) fn push_head(text: &mut String, lines: &[String]) {
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
}

/// Adds rows between bars.
pub(crate) fn push_grid(text: &mut String, grid: &Grid) {
    let mut push_row = |cells: &[String]| {
        for cell in cells {
            let _ = write!(text, "| {cell} ");
        }
        text.push_str("|\n");
    };
    push_row(&grid.columns.iter().map(|name| name.replace('|', "\\|")).collect::<Vec<_>>());
    grid.rows.iter().for_each(|row| push_row(row));
}

/// Adds rows field by field; everything is set in, so that no name or value can pass for one of our lines.
pub(crate) fn push_records(text: &mut String, records: &[Record]) {
    for record in records {
        if let Some(number) = record.number {
            let _ = writeln!(text, "- row {number}");
        }
        for field in &record.fields {
            push_field(text, field);
        }
    }
}

fn push_field(text: &mut String, field: &Field) {
    match field.lines.as_slice() {
        [line] => {
            let _ = writeln!(text, "  {}: {line}", field.name);
        }
        lines => {
            let _ = writeln!(text, "  {}: |", field.name);
            for line in lines {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
}

fn field_size(field: &Field) -> usize {
    field.name.len() + field.lines.iter().map(|line| line.len() + 4).sum::<usize>() + 4
}
