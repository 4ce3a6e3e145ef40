//! Notes: what must be said beside a text.

use crate::detail::{Lack, NoOutline, Picture, Scaled};
use crate::page::Unit;
use crate::span::Span;
use crate::version::Tag;
use crate::visible::Marks;

/// Something that must be said beside the text; `render` words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The file is empty.
    Empty,
    /// The selection lies behind the end.
    PastEnd {
        /// The first line, byte or row asked for.
        asked: u64,
    },
    /// The selection lies behind the last row of what changed.
    PastChanges {
        /// The first row asked for.
        asked: u64,
        /// How many rows there are.
        rows: u64,
    },
    /// The text is not in UTF-8.
    Encoding(&'static str),
    /// A byte order mark was left out of the text.
    ByteOrderMark,
    /// Every line end shown is CRLF.
    Crlf,
    /// Some line ends shown are CRLF.
    MixedEnds {
        /// How many are CRLF.
        crlf: u64,
        /// How many are LF.
        lf: u64,
    },
    /// The last line has no newline.
    NoFinalNewline,
    /// Bytes that are not valid in the encoding are shown as U+FFFD.
    Replaced {
        /// How many replacement characters are shown.
        count: u64,
        /// The offsets of the first few of them.
        offsets: Vec<u64>,
    },
    /// Dangerous characters are spelled out.
    Marks(Marks),
    /// The file is too large for a tag.
    NoTag {
        /// The limit.
        limit: u64,
        /// Its name.
        name: &'static str,
    },
    /// Rows are labelled with byte offsets because the lines before them were not counted.
    NotNumbered,
    /// The file changed while it was read.
    Changed,
    /// A stream went on past what was kept of it.
    Endless {
        /// How many bytes were kept.
        kept: u64,
        /// The limit.
        limit: &'static str,
    },
    /// Reading stopped early on an error of the system.
    Partial {
        /// The offset at which it stopped.
        offset: u64,
        /// What the system said.
        cause: String,
    },
    /// The address was taken as a literal name although it ends like a selector.
    Literal,
    /// The file matches a rule for secrets.
    Secret {
        /// The rule.
        rule: String,
    },
    /// Credentials in a git configuration are covered.
    Masked {
        /// How many.
        count: u64,
    },
    /// A number of the call was lowered to a limit.
    Clamped {
        /// The limit.
        limit: &'static str,
        /// The number in force.
        value: u64,
    },
    /// The bytes are not text.
    Binary {
        /// What they seem to be.
        what: &'static str,
    },
    /// Nothing changed since the version asked about.
    Unchanged {
        /// That version's tag.
        tag: Tag,
    },
    /// Only what changed since a version is shown.
    Changes {
        /// That version's tag.
        tag: Tag,
        /// How many places changed.
        hunks: u64,
        /// Lines taken away.
        removed: u64,
        /// Lines added.
        added: u64,
    },
    /// The line ends changed since the version asked about.
    EndsChanged {
        /// How many were CRLF and LF then.
        then: (u64, u64),
        /// How many are CRLF and LF now.
        now: (u64, u64),
    },
    /// The session does not hold the version asked about.
    Forgotten {
        /// That version's tag.
        tag: Tag,
    },
    /// How many merge conflicts there are.
    Conflicts {
        /// Their number.
        count: u64,
        /// The addresses of those that are shown whole.
        addresses: Vec<String>,
    },
    /// The file holds no conflict with all its markers.
    NoConflicts,
    /// A list is empty.
    NoneListed {
        /// Why, or what would be in it.
        why: &'static str,
    },
    /// A directory is empty.
    EmptyDirectory,
    /// A limit of directory reading was met.
    ManyEntries {
        /// The limit.
        limit: u64,
    },
    /// Directories below the one listed were not opened.
    Unopened {
        /// How many.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// There was no room for the target in the shared budget.
    NoRoom,
    /// An archive or a directory in it is empty.
    EmptyArchive,
    /// A database or a result has nothing in it.
    NoRows,
    /// The entry is a link, which is not followed; what is shown is where it leads.
    Link,
    /// Several entries have the name; this is the one with this number.
    SameName {
        /// Its number in the archive.
        number: u64,
        /// How many have the name.
        count: u64,
        /// The address of another one.
        other: String,
    },
    /// The archive was read up to this entry only: what follows, a second entry of the name or a checksum, was not seen.
    NotReadOn,
    /// The checksum of a large entry was not checked, because only a part of the entry was read.
    Unchecked,
    /// Entries share bytes with others.
    Overlapping {
        /// How many do.
        count: u64,
    },
    /// Bytes that do not belong to the archive stand before or behind it.
    Foreign {
        /// How many before it.
        before: u64,
        /// How many behind it.
        behind: u64,
    },
    /// The archive calls an entry so in its directory and otherwise at its place.
    OtherName {
        /// The name at its place.
        name: String,
    },
    /// The archive is whole up to this byte only.
    Damaged {
        /// The offset.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// A notebook is shown as the text it is stored as.
    NotNotebook {
        /// What is wrong with it.
        why: String,
    },
    /// Outputs of a notebook are shown in part.
    Outputs {
        /// How many are cut or only named.
        count: u64,
        /// The address that shows the first of them.
        address: String,
    },
    /// The lines above a table are cut.
    CutHead {
        /// How many bytes are left out.
        left: u64,
        /// The address that shows them whole.
        address: Option<String>,
    },
    /// The value is text without a character.
    Blank,
    /// The value is nothing: neither text nor a number.
    IsNull,
    /// The last value of a table of text begins with a quote that nothing closes.
    OpenQuote,
    /// The rows of a table could not be read.
    NoSample {
        /// Why.
        why: String,
    },
    /// Cells of a table are cut.
    CutCells {
        /// How many.
        count: u64,
        /// The address that shows the first of them whole.
        address: String,
    },
    /// A query was taken with its percent signs decoded.
    Decoded,
    /// A database is damaged, and what could be read of it is shown.
    Impaired {
        /// What is wrong with it, in the engine's words.
        what: String,
    },
    /// An unfinished transaction was undone before reading, in memory.
    RolledBack,
    /// Some pages, slides or sheets of a document lack their text.
    Lacking {
        /// What they are.
        unit: Unit,
        /// Which of them.
        sections: Vec<Span>,
        /// What they lack.
        lack: Lack,
    },
    /// The last page, slide or sheet shown goes on in what comes next.
    PartOf {
        /// What it is.
        unit: Unit,
        /// Its number.
        number: u64,
    },
    /// The text of a document was cut.
    CutText {
        /// The limit.
        limit: &'static str,
    },
    /// A part of a document is damaged and left out.
    DamagedPart {
        /// What.
        what: String,
    },
    /// Something in a document was left out on purpose.
    LeftOut {
        /// What.
        what: String,
    },
    /// The text was made from markup.
    Made {
        /// Which markup.
        from: &'static str,
        /// The address that shows the markup.
        address: String,
    },
    /// What a page is called, where its text does not say so.
    Titled(String),
    /// Only the main text of a page is shown.
    MainText {
        /// How many of a hundred letters of the page that is.
        percent: u64,
        /// The address that shows all of it.
        address: String,
    },
    /// What a picture is.
    Picture(Picture),
    /// What is shown of a picture.
    Scaled(Scaled),
    /// Pictures were left out for want of room.
    NoPicture {
        /// How many.
        count: u64,
        /// The limit.
        limit: &'static str,
    },
    /// Frames or pages of a picture that are not shown.
    Frames {
        /// How many.
        left: u64,
    },
    /// The name says that it is something else than it is.
    OtherType {
        /// The extension.
        extension: String,
        /// What it is.
        what: &'static str,
    },
    /// Where a value stands in its file.
    Stands {
        /// What it is.
        what: &'static str,
        /// Its lines.
        lines: Span,
        /// The address of these lines.
        address: String,
    },
    /// Members of an object that have the name of a later one were passed over.
    Doubled {
        /// How many.
        count: u64,
    },
    /// The lines shown lie inside something.
    Within {
        /// What lies around them, the outermost first.
        around: Vec<String>,
        /// The lines of the innermost.
        lines: Span,
    },
    /// There is no outline, and the text stands in its place.
    NoOutline(NoOutline),
    /// The grammar could make nothing of a line; what is declared near it may be missing.
    Unparsed {
        /// The line.
        line: u64,
    },
    /// More is declared than an outline holds.
    CutOutline {
        /// The line from which on it is missing.
        line: u64,
    },
    /// The bytes are those of the file inside a compressed one.
    Unpacked {
        /// How it is compressed.
        how: &'static str,
    },
}
