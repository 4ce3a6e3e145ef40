//! The control words that say where the text of a group goes.

/// What a group is, by a control word in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Nothing in it is text of the document.
    Skipped,
    /// A picture.
    Picture,
    /// The table of fonts.
    Fonts,
    /// The sheet of styles.
    Styles,
    /// The table of lists.
    Lists,
    /// The table of choices among the lists.
    Overrides,
    /// The number or bullet of an item.
    Label,
    /// A field: an instruction and a text.
    Field,
    /// The instruction of a field.
    Instruction,
    /// The state of a field of a form.
    Form,
    /// A choice of a field of a form.
    Choice,
    /// The text that is shown of a field or an object, or the better one of two.
    Shown,
    /// A text of its own.
    Stream(Stream),
    /// Only some groups inside of it have text.
    Between,
    /// A formula.
    Formula,
    /// A part of a formula that is written with these signs around it.
    Part(&'static str, &'static str),
}

/// A text of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// A footnote or endnote.
    Note,
    /// A text box.
    Frame,
    /// A header or footer.
    Margin,
    /// A comment.
    Comment,
}

impl Group {
    /// The kind of group that a control word tells.
    pub(super) fn of_word(name: &[u8]) -> Option<Self> {
        let group = match name {
            b"fonttbl" => Self::Fonts,
            b"stylesheet" => Self::Styles,
            b"listtable" => Self::Lists,
            b"listoverridetable" => Self::Overrides,
            b"listtext" | b"pntext" => Self::Label,
            b"pict" => Self::Picture,
            b"field" => Self::Field,
            b"fldinst" => Self::Instruction,
            b"formfield" => Self::Form,
            b"ffl" => Self::Choice,
            b"fldrslt" | b"result" | b"ud" => Self::Shown,
            b"footnote" => Self::Stream(Stream::Note),
            b"shptxt" | b"dptxbxtext" => Self::Stream(Stream::Frame),
            b"annotation" => Self::Stream(Stream::Comment),
            b"header" | b"headerl" | b"headerr" | b"headerf" | b"footer" | b"footerl" | b"footerr" | b"footerf" => {
                Self::Stream(Stream::Margin)
            }
            b"upr" | b"object" | b"shp" | b"shpinst" | b"shpgrp" | b"do" | b"shppict" | b"nesttableprops" => {
                Self::Between
            }
            _ => return Self::of_formula(name).or_else(|| is_skipped(name).then_some(Self::Skipped)),
        };
        Some(group)
    }

    fn of_formula(name: &[u8]) -> Option<Self> {
        let group = match name {
            b"moMath" => Self::Formula,
            b"mnum" => Self::Part("(", ")/"),
            b"mden" => Self::Part("(", ")"),
            b"msup" => Self::Part("^(", ")"),
            b"msub" => Self::Part("_(", ")"),
            b"mrad" => Self::Part("√(", ")"),
            // Properties, and the picture that stands in for the formula.
            b"mmathPict" | b"mmathPr" | b"mdegHide" => Self::Skipped,
            _ if name.first() == Some(&b'm') && name.ends_with(b"Pr") => Self::Skipped,
            _ => return None,
        };
        Some(group)
    }
}

/// Whether a group with this word has nothing to read in it.
fn is_skipped(name: &[u8]) -> bool {
    SKIPPED.binary_search_by(|word| word.as_bytes().cmp(name)).is_ok()
}

/// Words of groups that have nothing to read in them, sorted.
const SKIPPED: [&str; 88] = [
    "aftncn",
    "aftnsep",
    "aftnsepc",
    "atnauthor",
    "atndate",
    "atnicn",
    "atnid",
    "atnparent",
    "atnref",
    "atntime",
    "atrfend",
    "atrfstart",
    "background",
    "bkmkend",
    "bkmkstart",
    "blipuid",
    "colorschememapping",
    "colortbl",
    "comment",
    "datastore",
    "defchp",
    "defpap",
    "docvar",
    "falt",
    "ffdeftext",
    "ffentrymcr",
    "ffexitmcr",
    "ffformat",
    "ffhelptext",
    "ffname",
    "ffstattext",
    "filetbl",
    "fname",
    "fontemb",
    "fontfile",
    "ftncn",
    "ftnsep",
    "ftnsepc",
    "generator",
    "gridtbl",
    "hlfr",
    "hlinkbase",
    "hlloc",
    "hlsrc",
    "htmltag",
    "info",
    "keycode",
    "latentstyles",
    "levelnumbers",
    "leveltext",
    "lfolevel",
    "linkval",
    "listname",
    "listpicture",
    "liststylename",
    "mhtmltag",
    "nonesttables",
    "nonshppict",
    "objalias",
    "objclass",
    "objdata",
    "objname",
    "objsect",
    "objtime",
    "oleclsid",
    "panose",
    "passwordhash",
    "pgdsctbl",
    "picprop",
    "pn",
    "pnseclvl",
    "private",
    "protusertbl",
    "revtbl",
    "rsidtbl",
    "rxe",
    "shprslt",
    "sp",
    "svb",
    "tc",
    "tcn",
    "template",
    "themedata",
    "txe",
    "userprops",
    "wgrffmtfilter",
    "xe",
    "xmlnstbl",
];
