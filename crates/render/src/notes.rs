//! Notes in words, each with the code that programs see.

use readstone_base::{CLIENT_PICTURES, Kind, Lack, Marks, Note, Page, Picture, Scaled, Span, Unit, Visible, size_text};

use crate::coverage::{self, Count};
use crate::size;

/// The code and the words of a note.
#[expect(clippy::too_many_lines, reason = "a table: one row a note")]
pub(crate) fn words(note: &Note, page: &Page) -> (&'static str, String) {
    match note {
        Note::Empty if page.kind == Kind::Notebook => ("notebook.empty", "no cells".to_owned()),
        Note::Empty => ("text.empty", "empty file".to_owned()),
        Note::Blank => ("database.blank", "empty text".to_owned()),
        Note::PastEnd { asked } => ("view.past_end", past_end(*asked, page)),
        Note::PastChanges { asked, rows } => {
            ("view.past_end", format!("there is no row {asked}: the list of changes has {}", size::count(*rows, "row")))
        }
        Note::Encoding(name) => ("text.encoding", format!("decoded from {name}")),
        Note::ByteOrderMark => ("text.bom", "UTF-8 with BOM".to_owned()),
        Note::Crlf => ("text.crlf", "CRLF line ends".to_owned()),
        Note::MixedEnds { crlf, lf } => {
            ("text.mixed_ends", format!("mixed line ends: {crlf} CRLF and {lf} LF among those shown"))
        }
        Note::NoFinalNewline => ("text.no_final_newline", "no newline at the end".to_owned()),
        Note::Replaced { count, offsets } => ("text.replaced", replaced(*count, offsets)),
        Note::Marks(marks) => ("text.marks", marked(*marks)),
        Note::NoTag { limit, name } => {
            let lines = if *name == "edit_bytes" { "; lines by number, as in :A-B, have one" } else { "" };
            ("text.no_tag", format!("no tag: larger than {} ({name}){lines}", size_text(*limit)))
        }
        Note::NotNumbered => {
            ("view.not_numbered", "lines not counted up to here; rows begin with their byte offset".to_owned())
        }
        Note::Within { around, lines } => {
            ("outline.within", format!("in {}, lines {}-{}", around.join(" > "), lines.first, lines.last))
        }
        Note::NoOutline(why) => ("outline.none", format!("no outline: {why}")),
        Note::Unparsed { line } => {
            ("outline.unparsed", format!("not all of it could be parsed (from line {line} on); names may be missing"))
        }
        Note::CutOutline { line } => {
            ("outline.cut", format!("too much is declared: what stands from line {line} on is not in the outline"))
        }
        Note::Changed => ("source.changed", "the file changed while it was read".to_owned()),
        Note::Endless { kept, limit: limit @ "unpack_bytes" } => {
            ("host.endless", format!("more follows the first {}; no more was unpacked ({limit})", size_text(*kept)))
        }
        Note::Endless { kept, limit } => {
            ("host.endless", format!("more follows than the {} kept ({limit})", size_text(*kept)))
        }
        Note::Partial { offset, cause } => ("view.partial", format!("reading stopped at byte {offset}: {cause}")),
        Note::Literal => ("address.literal", "the whole address was taken as a name".to_owned()),
        Note::Secret { rule } => ("host.secret", format!("warning: it matches the rule {rule} for secrets")),
        Note::Masked { count } => ("host.masked", masked(*count)),
        Note::Clamped { limit, value } => ("view.clamped", format!("lowered to {limit} {value}")),
        Note::Binary { what } => ("format.binary", binary(what, page)),
        Note::Unchanged { tag } => ("session.unchanged", format!("unchanged since #{tag}")),
        Note::Changes { tag, hunks: 0, .. } => (
            "session.changes",
            format!(
                "the lines are those of #{tag}; only the encoding, line ends, the final newline or a byte order mark changed"
            ),
        ),
        Note::Changes { tag, hunks, removed, added } => (
            "session.changes",
            format!(
                "changed since #{tag} in {}: {} gone (-), {added} new",
                size::count(*hunks, "place"),
                size::count(*removed, "line")
            ),
        ),
        Note::EndsChanged { then, now } => {
            ("session.ends_changed", format!("line ends changed from {} to {}", ends(*then), ends(*now)))
        }
        Note::Forgotten { tag } => {
            ("session.forgotten", format!("the text of #{tag} is not held; this is the text as it is now"))
        }
        Note::Conflicts { count, addresses } => ("text.conflicts", conflicts(*count, addresses)),
        Note::NoConflicts => ("text.no_conflicts", "no unresolved conflict: no well-formed markers".to_owned()),
        Note::NoneListed { why } => ("resource.none", (*why).to_owned()),
        Note::EmptyDirectory => ("listing.empty", "(empty directory)".to_owned()),
        Note::ManyEntries { limit } => {
            ("listing.many", format!("more than {limit} entries; only these were looked at"))
        }
        Note::Unopened { count, limit } => (
            "listing.unopened",
            format!("{count} of the directories not opened, only the first {limit} are (tree_directories)"),
        ),
        Note::EmptyArchive => ("archive.empty", "(empty archive directory)".to_owned()),
        Note::NoRows => ("database.no_rows", "(no rows)".to_owned()),
        Note::Link => ("archive.link", "a link; this is where it leads, it was not followed".to_owned()),
        Note::SameName { number, count, other } => (
            "archive.same_name",
            format!("{count} entries have this name; this is #{number}, another: {} {}", page.tool, seen(other)),
        ),
        Note::NotReadOn => (
            "archive.not_read_on",
            "found on the way: the archive behind this entry was not read, nor its checksum".to_owned(),
        ),
        Note::Unchecked => ("archive.unchecked", "its checksum was not checked: too large to be read whole".to_owned()),
        Note::Overlapping { count } => ("archive.overlapping", format!("{} with others", shared(*count))),
        Note::Foreign { before, behind } => ("archive.foreign", foreign(*before, *behind)),
        Note::OtherName { name } => {
            ("archive.other_name", format!("at its place in the archive it is called '{}'", seen(name)))
        }
        Note::Damaged { offset, what } => {
            ("archive.damaged", format!("damaged behind byte {offset}: {}; what is whole is shown", seen(what)))
        }
        Note::NotNotebook { why } => {
            ("notebook.not_one", format!("not a sound notebook ({}); shown as the text it is stored as", seen(why)))
        }
        Note::Outputs { count, address } => (
            "notebook.outputs",
            format!(
                "{} shown in part: {} {}",
                size::counted(*count, "output or attachment", "outputs or attachments"),
                page.tool,
                seen(address)
            ),
        ),
        Note::CutHead { left, address } => ("table.cut_head", cut_head(*left, address.as_deref(), page)),
        Note::IsNull => ("database.null", "NULL: neither text nor a number".to_owned()),
        Note::OpenQuote => (
            "delimited.open_quote",
            "a quote in the last row is never closed: all behind it is taken for one value".to_owned(),
        ),
        Note::NoSample { why } => ("database.no_sample", format!("its rows cannot be read: {}", seen(why))),
        Note::CutCells { count, address } => {
            ("table.cut_cells", format!("{} cut: {} {}", size::count(*count, "cell"), page.tool, seen(address)))
        }
        Note::Decoded => ("database.decoded", "the query was percent-decoded".to_owned()),
        Note::Impaired { what } => {
            ("database.impaired", format!("the database is damaged ({}); what can be read is shown", seen(what)))
        }
        Note::RolledBack => {
            ("database.rolled_back", "an unfinished transaction was left out, as SQLite would undo it".to_owned())
        }
        Note::Lacking { unit, sections, lack } => lacking(*unit, sections, lack),
        Note::PartOf { unit, number } => {
            ("document.part", format!("{} {number} goes on", coverage::section_noun(*unit, Count::One)))
        }
        Note::CutText { limit } => ("document.cut", format!("the text was cut at {limit}")),
        Note::DamagedPart { what } => ("document.damaged_part", format!("damaged: {}", seen(what))),
        Note::LeftOut { what } => ("document.left_out", format!("left out: {}", seen(what))),
        Note::Made { from, address } => {
            ("document.made", format!("made from {from}; its source: {} {}", page.tool, seen(address)))
        }
        Note::Titled(title) => ("document.titled", format!("titled \"{}\"", quoted(title))),
        Note::MainText { percent, address } => (
            "document.main_text",
            format!("main text, {percent}% of the page; all of it: {} {}", page.tool, seen(address)),
        ),
        Note::Picture(picture) => ("image.facts", picture_words(picture)),
        Note::Scaled(scaled) => ("image.shown", scaled_words(scaled, page)),
        Note::NoPicture { count, limit: limit @ CLIENT_PICTURES } => (
            "image.no_room",
            format!("{} left out: this client shows its model no pictures ({limit})", size::count(*count, "picture")),
        ),
        Note::NoPicture { count, limit } => (
            "image.no_room",
            format!("{} left out: no room in this reply ({limit}); read it alone", size::count(*count, "picture")),
        ),
        Note::Frames { left } => ("image.frames", format!("{} not shown", size::count(*left, "further frame"))),
        Note::OtherType { extension, what } => {
            ("format.other_type", format!("called .{} and is {what}", seen(extension)))
        }
        Note::Stands { what, lines, address } => {
            ("json.stands", format!("{what} at {}: {} {}", at_lines(*lines), page.tool, seen(address)))
        }
        Note::Doubled { count } => (
            "json.doubled",
            format!("{} of the same name passed over; the last counts", size::count(*count, "earlier member")),
        ),
        Note::Unpacked { how } => ("format.unpacked", format!("unpacked from {how}")),
        Note::NoRoom => ("view.no_room", "no room left in the budget of this call".to_owned()),
    }
}

/// That credentials are covered.
pub(crate) fn masked(count: u64) -> String {
    let credentials = size::counted(count, "credential is", "credentials are");
    format!("{credentials} masked with *; the bytes are in the file unchanged")
}

/// Characters of a title in a sentence of ours.
const MOST_QUOTED: usize = 120;
/// Sections that a note names one by one.
const MOST_SECTIONS: usize = 200;

fn lacking(unit: Unit, sections: &[Span], lack: &Lack) -> (&'static str, String) {
    let single = coverage::single(sections) || unit == Unit::Lines;
    let noun = coverage::section_noun(unit, single.into());
    // A document that flows is meant as a whole.
    let which = if unit == Unit::Lines {
        "the document".to_owned()
    } else {
        format!("{noun} {}", coverage::listed(sections, MOST_SECTIONS))
    };
    let (is, has, shows) = if single { ("is", "has", "it shows") } else { ("are", "have", "they show") };
    match lack {
        Lack::Content => ("document.blank", format!("{which} {is} blank")),
        Lack::Text => ("document.no_text", format!("{which} {has} no text layer: {shows} pictures only")),
        Lack::Some(why) => ("document.lacking", format!("{which}: some text could not be read ({})", seen(why))),
    }
}

fn conflicts(count: u64, addresses: &[String]) -> String {
    let all = size::count(count, "unresolved conflict");
    match addresses {
        [] => all,
        [one] => format!("{all}: {one}"),
        [first, .., last] => format!("{all}: {first} … {last}"),
    }
}

fn at_lines(lines: Span) -> String {
    if lines.first == lines.last {
        format!("line {}", lines.first)
    } else {
        format!("lines {}-{}", lines.first, lines.last)
    }
}

fn picture_words(picture: &Picture) -> String {
    let Picture { mime, bytes, width, height, channels, alpha, turned } = picture;
    let mut words = format!("{mime}, {width}x{height} pixels, {}", size_text(*bytes));
    if let Some(channels) = channels {
        words.push_str(", ");
        words.push_str(&size::count(u64::from(*channels), "channel"));
    }
    if let Some(alpha) = alpha {
        words.push_str(if *alpha { ", with alpha" } else { ", no alpha" });
    }
    if *turned {
        words.push_str(", turned upright as its EXIF says");
    }
    words
}

/// How pixels of what is shown are found in the picture.
fn scaled_words(scaled: &Scaled, page: &Page) -> String {
    let Scaled { part: (x, y, width, height), shown: (shown_width, shown_height), mime, bytes, address } = scaled;
    let size = size_text(*bytes);
    let whole = page
        .notes
        .iter()
        .any(|note| matches!(note, Note::Picture(own) if (own.width, own.height) == (*width, *height)));
    let part = if whole { String::new() } else { format!("{width}x{height} pixels from {x},{y} ") };
    if width == shown_width && height == shown_height {
        let moved = if (*x, *y) == (0, 0) { String::new() } else { format!("; add {x},{y} to its coordinates") };
        return format!("{part}shown at full size as {mime}, {size}{moved}");
    }
    let scale = |of: u32, shown: u32| f64::from(of) / f64::from(shown.max(1));
    let (across, down) = (scale(*width, *shown_width), scale(*height, *shown_height));
    // Where rounding made one side shorter than the other by more than a pixel in a thousand, each has its own scale.
    let scale = if (across - down).abs() * 1_000.0 > across.max(down) {
        format!("x by {across:.4} and y by {down:.4}")
    } else {
        format!("by {:.4}", if width > height { across } else { down })
    };
    let moved = if (*x, *y) == (0, 0) { String::new() } else { format!(", then add {x},{y}") };
    format!(
        "{part}shown at {shown_width}x{shown_height} as {mime}, {size}; multiply its coordinates {scale}{moved}; \
         original pixels: {} {}:crop=X,Y,WIDTH,HEIGHT",
        page.tool,
        seen(address)
    )
}

/// A piece of the world inside a sentence of ours.
fn seen(text: &str) -> std::borrow::Cow<'_, str> {
    Visible::of(text).text
}

/// Words that cannot end the quotes around them.
fn quoted(text: &str) -> String {
    let shown = Visible::of(text).text.replace('"', "'");
    match shown.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown,
    }
}

fn cut_head(left: u64, address: Option<&str>, page: &Page) -> String {
    let whole = address.map(|address| format!(": {} {}", page.tool, seen(address))).unwrap_or_default();
    format!("{} of the statements above left out{whole}", size_text(left))
}

fn shared(count: u64) -> String {
    let share = if count == 1 { "shares" } else { "share" };
    format!("{} {share} bytes", size::counted(count, "entry", "entries"))
}

fn foreign(before: u64, behind: u64) -> String {
    let place = |count: u64, where_: &str| (count > 0).then(|| format!("{} {where_} it", size::count(count, "byte")));
    let places: Vec<String> = [place(before, "before"), place(behind, "behind")].into_iter().flatten().collect();
    format!("not of the archive: {}", places.join(" and "))
}

fn ends((crlf, lf): (u64, u64)) -> String {
    format!("{crlf} CRLF and {lf} LF")
}

fn past_end(asked: u64, page: &Page) -> String {
    let total = page.coverage.total;
    let (what, whole, count) = match page.coverage.unit {
        Unit::Lines => ("line", "file", total.lines),
        Unit::Bytes => ("byte", "file", total.bytes),
        Unit::Entries => ("row", "listing", total.entries),
        Unit::Rows => ("row", "result", total.rows),
        unit @ (Unit::Pages | Unit::Slides | Unit::Sheets | Unit::Chapters) => {
            (coverage::section_noun(unit, Count::One), "document", total.sections.map(|(_, count)| count))
        }
    };
    match count {
        Some(count) => format!("there is no {what} {asked}: the {whole} has {}", size::count(count, what)),
        None if page.coverage.unit == Unit::Rows => format!("there is no row {asked}: the result ends before it"),
        None => format!("there is no {what} {asked} in what was kept"),
    }
}

fn replaced(count: u64, offsets: &[u64]) -> String {
    let what = size::count(count, "invalid byte sequence");
    if offsets.is_empty() {
        return format!("{what} shown as U+FFFD");
    }
    let places = offsets.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let more = if offsets.len() as u64 == count { "" } else { ", …" };
    let noun = if offsets.len() == 1 { "byte" } else { "bytes" };
    format!("{what} shown as U+FFFD, at {noun} {places}{more}")
}

fn marked(marks: Marks) -> String {
    let kinds = [
        (marks.control, "control character", "\\xNN"),
        (marks.bidi, "bidi control", "<U+NNNN>"),
        (marks.tag, "tag character", "<U+ENNNN>"),
        (marks.invisible, "invisible character", "<U+NNNN>"),
    ];
    let named = kinds.iter().filter(|(number, ..)| *number > 0);
    named
        .map(|(number, noun, form)| format!("{} shown as {form}", size::count(*number, noun)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn binary(what: &str, page: &Page) -> String {
    let size = page.coverage.total.bytes.map(|total| format!(", {}", size_text(total)));
    format!("binary file: {what}{}", size.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_title_cannot_end_the_quotes_around_it() {
        assert_eq!(quoted("a\"; read \"b"), "a'; read 'b");
        assert_eq!(quoted(&"x".repeat(500)).chars().count(), 121);
        assert!(!quoted("a\nb").contains('\n'));
    }
}
