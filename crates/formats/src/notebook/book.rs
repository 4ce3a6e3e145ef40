//! A notebook as JSON: where its cells stand in the file and what they are.

use std::borrow::Cow;

use super::error::Error;
use super::json::{self, Json, Member};

/// A sound notebook.
#[derive(Debug)]
pub(super) struct Book<'a> {
    /// The file, without a byte order mark.
    pub(super) text: &'a str,
    /// The length of the mark.
    pub(super) mark: usize,
    /// How it is laid out.
    pub(super) version: Version,
    /// Whether its cells have names of their own.
    pub(super) ids: Ids,
    /// The lists of cells: one, or one for each worksheet.
    pub(super) lists: Vec<Json<'a>>,
}

/// The layouts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Worksheets; the source of code is called `input`.
    Three,
    /// One list of cells.
    Four,
}

/// Whether cells have an `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ids {
    /// They must.
    Needed,
    /// They do not.
    Absent,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    /// Code, which has outputs.
    Code,
    /// Markdown.
    Markdown,
    /// Text for a converter.
    Raw,
    /// A heading of this level; only in worksheets.
    Heading(u64),
}

impl CellKind {
    /// Its word in the file.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
            Self::Heading(_) => "heading",
        }
    }
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<'a> {
    /// The whole object.
    pub(super) json: Json<'a>,
    /// The number of the list it stands in.
    pub(super) list: usize,
    /// What it is.
    pub(super) kind: CellKind,
    /// The value of its source.
    pub(super) source: Json<'a>,
    /// Its outputs: a list.
    pub(super) outputs: Option<Json<'a>>,
    /// Its attachments: an object.
    pub(super) attachments: Option<Json<'a>>,
}

impl<'a> Book<'a> {
    /// Reads the frame of a notebook; its cells are looked at by [`Book::cells`].
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let whole = std::str::from_utf8(bytes).map_err(|_| Error::unsound("it is not UTF-8"))?;
        let text = whole.strip_prefix('\u{FEFF}').unwrap_or(whole);
        json::check(text).map_err(Error::unsound)?;
        let mut frame = Frame::default();
        let members = Json::root(text).members().ok_or_else(|| Error::unsound("it is not a JSON object"))?;
        for member in members {
            frame.take(&member)?;
        }
        let (version, lists) = frame.lists()?;
        let ids = match (version, frame.minor.and_then(Json::number)) {
            (Version::Four, Some(5..)) => Ids::Needed,
            (Version::Three | Version::Four, _) => Ids::Absent,
        };
        Ok(Self { text, mark: whole.len() - text.len(), version, ids, lists })
    }

    /// The cells, in their order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Result<Cell<'a>, Error>> {
        let version = self.version;
        let lists = self.lists.iter().enumerate();
        let cells = lists.flat_map(|(list, json)| json.elements().into_iter().flatten().map(move |cell| (list, cell)));
        cells
            .enumerate()
            .map(move |(number, (list, json))| Cell::open(json, list, version).map_err(|why| odd(number, &why)))
    }
}

/// The members of the root that matter.
#[derive(Debug, Default)]
struct Frame<'a> {
    cells: Option<Json<'a>>,
    worksheets: Option<Json<'a>>,
    version: Option<Json<'a>>,
    minor: Option<Json<'a>>,
    metadata: Option<Json<'a>>,
}

impl<'a> Frame<'a> {
    fn take(&mut self, member: &Member<'a>) -> Result<(), Error> {
        let slot = match member.key.as_ref() {
            "cells" => &mut self.cells,
            "worksheets" => &mut self.worksheets,
            "nbformat" => &mut self.version,
            "nbformat_minor" => &mut self.minor,
            "metadata" => &mut self.metadata,
            _ => return Ok(()),
        };
        fill(slot, member).map_err(Error::unsound)
    }

    fn lists(&self) -> Result<(Version, Vec<Json<'a>>), Error> {
        match (self.version.map(|version| version.text), self.cells, self.worksheets) {
            (Some("4") | None, Some(cells), None) => Ok((Version::Four, vec![list(cells, "cells")?])),
            (Some("3") | None, None, Some(sheets)) => {
                let sheets = sheets.elements().ok_or_else(|| Error::unsound("'worksheets' is not a list"))?;
                Ok((Version::Three, sheets.map(worksheet).collect::<Result<_, _>>()?))
            }
            (Some("3" | "4") | None, None, None) => Err(Error::unsound("it has no 'cells'")),
            (Some("3" | "4") | None, ..) => {
                Err(Error::unsound("its 'cells' or 'worksheets' do not fit its 'nbformat'"))
            }
            (Some(_), ..) => Err(Error::unsound("its 'nbformat' is neither 3 nor 4")),
        }
    }
}

fn worksheet(sheet: Json<'_>) -> Result<Json<'_>, Error> {
    let mut cells = None;
    for member in sheet.members().ok_or_else(|| Error::unsound("a worksheet is not an object"))? {
        if member.key == "cells" {
            fill(&mut cells, &member).map_err(Error::unsound)?;
        }
    }
    list(cells.ok_or_else(|| Error::unsound("a worksheet has no 'cells'"))?, "cells")
}

fn list<'a>(value: Json<'a>, name: &str) -> Result<Json<'a>, Error> {
    let sound = value.text.starts_with('[');
    if sound { Ok(value) } else { Err(Error::unsound(format!("'{name}' is not a list"))) }
}

/// A name that comes twice could be read either way.
fn fill<'a>(slot: &mut Option<Json<'a>>, member: &Member<'a>) -> Result<(), String> {
    match slot.replace(member.value) {
        Some(_) => Err(format!("'{}' comes twice", member.key)),
        None => Ok(()),
    }
}

fn odd(number: usize, why: &str) -> Error {
    Error::unsound(format!("cell {number}: {why}"))
}

impl<'a> Cell<'a> {
    fn open(json: Json<'a>, list: usize, version: Version) -> Result<Self, String> {
        let (mut kind, mut level, mut source, mut input) = (None, None, None, None);
        let (mut outputs, mut attachments, mut other) = (None, None, [None; 4]);
        for member in json.members().ok_or("it is not an object")? {
            let [metadata, id, count, prompt] = &mut other;
            let slot = match member.key.as_ref() {
                "cell_type" => &mut kind,
                "level" => &mut level,
                "source" => &mut source,
                "input" => &mut input,
                "outputs" => &mut outputs,
                "attachments" => &mut attachments,
                "metadata" => metadata,
                "id" => id,
                "execution_count" => count,
                "prompt_number" => prompt,
                _ => continue,
            };
            fill(slot, &member)?;
        }
        let kind = kind_of(kind.and_then(Json::string).as_deref(), level, version)?;
        let source = if version == Version::Three && kind == CellKind::Code { input } else { source };
        let outputs = outputs.filter(|_| kind == CellKind::Code);
        if outputs.is_some_and(|outputs| !outputs.text.starts_with('[')) {
            return Err("'outputs' is not a list".to_owned());
        }
        Ok(Self { json, list, kind, source: source.ok_or("it has no source")?, outputs, attachments })
    }

    /// The text of its source.
    pub(super) fn source_text(&self, number: usize) -> Result<Cow<'a, str>, Error> {
        self.source.joined().ok_or_else(|| odd(number, "its source is not text"))
    }
}

fn kind_of(word: Option<&str>, level: Option<Json<'_>>, version: Version) -> Result<CellKind, String> {
    match (word, version) {
        (Some("code"), _) => Ok(CellKind::Code),
        (Some("markdown"), _) => Ok(CellKind::Markdown),
        (Some("raw"), _) => Ok(CellKind::Raw),
        (Some("heading"), Version::Three) => match level.map_or(Some(1), Json::number) {
            Some(level @ 1..=6) => Ok(CellKind::Heading(level)),
            Some(_) | None => Err("its level is not a number from 1 to 6".to_owned()),
        },
        (Some(_) | None, _) => Err("its type is not code, markdown or raw".to_owned()),
    }
}
