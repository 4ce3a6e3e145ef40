//! Outputs and attachments as lines that begin with `#`.
//!
//! The words are part of the text form: `# [stderr]` before what a program wrote there, `# [image/png, 45.2 KB,
//! 640x480]` for what is named only, `# … 480 more lines, 31.2 KB` where an output is cut. Tracebacks are cut at their
//! beginning, because the error stands at their end.

use std::borrow::Cow;

use readstone_base::{Image, Limits, Visible};

use super::book::{Cell, CellKind};
use super::error::Error;
use super::form::{Marker, push_escaped};
use super::json::{Json, Member};
use super::lines::{Keep, push_lines, size, without_colours};
use super::picture;

/// How much of the outputs is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The beginning of each; what is no plain text is named.
    Cut,
    /// All of them, with pictures.
    Whole,
}

/// At most this many outputs of a cell are shown, unless the cell is named.
const MOST_OUTPUTS: usize = 10;
/// At most this many pictures come with a cell.
const MOST_IMAGES: usize = 16;
/// All pictures of a cell have at most this many times the bytes that one may have.
const IMAGE_SHARE: u64 = 4;
/// A name from the file is shown up to this many characters.
const NAME_CHARS: usize = 80;

/// Takes the text of cells.
#[derive(Debug)]
pub(super) struct Sheet<'l> {
    /// The text.
    pub(super) out: String,
    /// Pictures.
    pub(super) images: Vec<Image>,
    /// How many outputs and attachments were cut or only named.
    pub(super) partial: u64,
    /// How many pictures could not be taken along.
    pub(super) left_out: u64,
    extent: Extent,
    limits: &'l Limits,
    image_bytes: u64,
}

impl<'l> Sheet<'l> {
    pub(super) fn new(extent: Extent, limits: &'l Limits) -> Self {
        Self { out: String::new(), images: Vec::new(), partial: 0, left_out: 0, extent, limits, image_bytes: 0 }
    }

    /// Writes what a cell shows behind its source.
    pub(super) fn sections(&mut self, cell: &Cell<'_>, number: usize) -> Result<(), Error> {
        self.attachments(cell, number);
        self.outputs(cell, number)
    }

    /// Writes the attachments of a cell that is not code, where it has any.
    pub(super) fn attachments(&mut self, cell: &Cell<'_>, number: usize) {
        let attachments = cell.attachments.filter(|_| cell.kind != CellKind::Code);
        let mut members = attachments.and_then(Json::members).into_iter().flatten().peekable();
        if members.peek().is_none() {
            return;
        }
        Marker::Attachments(number).write(&mut self.out);
        for attachment in members {
            let mut named = false;
            for piece in attachment.value.members().into_iter().flatten() {
                self.named(&format!("{}: {}", name(&attachment.key), name(&piece.key)), &piece);
                named = true;
            }
            if !named {
                self.line(&format!("[{}, {}]", name(&attachment.key), size(attachment.value.text.len())));
            }
            self.partial += u64::from(self.extent == Extent::Cut);
        }
    }

    /// Writes the outputs of a cell, where it has any.
    pub(super) fn outputs(&mut self, cell: &Cell<'_>, number: usize) -> Result<(), Error> {
        let mut outputs = cell.outputs.and_then(Json::elements).into_iter().flatten().peekable();
        if outputs.peek().is_none() {
            return Ok(());
        }
        Marker::Outputs(number).write(&mut self.out);
        let mut shown = 0;
        while let Some(output) = outputs.next() {
            if self.extent == Extent::Cut && shown == MOST_OUTPUTS {
                let more = 1 + outputs.count();
                self.line(&format!("… {more} more outputs"));
                self.partial += more as u64;
                break;
            }
            shown += 1;
            let fields = Fields::of(output);
            let fields = fields.ok_or_else(|| Error::unsound(format!("cell {number}: an output has no type")))?;
            let whole = self.output(&fields, output);
            self.partial += u64::from(whole == Whole::No);
        }
        Ok(())
    }

    fn output(&mut self, fields: &Fields<'_>, output: Json<'_>) -> Whole {
        match fields.kind.as_ref() {
            "stream" => {
                if fields.name.as_deref() == Some("stderr") {
                    self.line("[stderr]");
                }
                self.value(fields.text, Keep::Head)
            }
            "execute_result" | "display_data" | "update_display_data" => match fields.data {
                Some(data) => self.bundle(|| data.members().into_iter().flatten()),
                None => self.bundle(|| old_members(output)),
            },
            "pyout" => self.bundle(|| old_members(output)),
            "error" | "pyerr" => self.lines(&fields.traceback(), Keep::Tail),
            other => {
                self.line(&format!("[{}, {}]", name(other), size(output.text.len())));
                self.raw(output)
            }
        }
    }

    /// A bundle of the same thing in several types: plain text is shown, the others are named.
    fn bundle<'j, I: Iterator<Item = Member<'j>>>(&mut self, members: impl Fn() -> I) -> Whole {
        let plain = ["text/plain", "text/markdown", "text/latex"];
        let shown = plain.into_iter().find(|mime| members().any(|member| member.key == *mime));
        let mut whole = Whole::Yes;
        for member in members().filter(|member| shown == Some(member.key.as_ref())) {
            whole = whole.and(self.value(Some(member.value), Keep::Head));
        }
        for member in members().filter(|member| shown != Some(member.key.as_ref())) {
            whole = whole.and(self.named(&name(&member.key), &member));
        }
        whole
    }

    /// Names a piece of a bundle; where all is wanted, shows it too.
    fn named(&mut self, label: &str, piece: &Member<'_>) -> Whole {
        let is_picture = piece.key.starts_with("image/") && !piece.key.starts_with("image/svg");
        match piece.value.joined_shown() {
            Some(base64) if is_picture => self.picture(label, &base64),
            Some(text) => {
                self.line(&format!("[{label}, {}]", size(text.len())));
                if self.extent == Extent::Cut { Whole::No } else { self.lines(&text, Keep::Head) }
            }
            None => {
                self.line(&format!("[{label}, {}]", size(piece.value.text.len())));
                self.raw(piece.value)
            }
        }
    }

    fn picture(&mut self, label: &str, base64: &str) -> Whole {
        let length = picture::decoded_length(base64);
        let look = picture::look_at(base64);
        let dimensions = look.and_then(|look| look.size).map(|(width, height)| format!(", {width}x{height}"));
        let why = match self.extent {
            Extent::Cut => None,
            Extent::Whole => self.take_picture(base64, length as u64).err(),
        };
        self.left_out += u64::from(why.is_some());
        let why = why.map(|why| format!(", {why}")).unwrap_or_default();
        self.line(&format!("[{label}, {}{}{why}]", size(length), dimensions.unwrap_or_default()));
        Whole::No
    }

    /// Takes a picture along; else says why not.
    fn take_picture(&mut self, base64: &str, length: u64) -> Result<(), &'static str> {
        if length > self.limits.image_bytes {
            return Err("larger than image_bytes");
        }
        let together = self.image_bytes + length;
        if self.images.len() == MOST_IMAGES || together > self.limits.image_bytes.saturating_mul(IMAGE_SHARE) {
            return Err("one picture too many");
        }
        let bytes = picture::decode(base64).ok_or("not base64")?;
        let look = picture::look(&bytes).ok_or("not a picture")?;
        self.image_bytes = together;
        self.images.push(Image { mime: look.mime, bytes });
        Ok(())
    }

    /// JSON that is no text: shown as it is stored, where all is wanted.
    fn raw(&mut self, value: Json<'_>) -> Whole {
        if self.extent == Extent::Cut { Whole::No } else { self.lines(value.text, Keep::Head) }
    }

    fn value(&mut self, value: Option<Json<'_>>, keep: Keep) -> Whole {
        match value.map(|value| (value, value.joined_shown())) {
            Some((_, Some(text))) => self.lines(&text, keep),
            Some((value, None)) => self.lines(value.text, keep),
            None => Whole::Yes,
        }
    }

    fn lines(&mut self, text: &str, keep: Keep) -> Whole {
        let text = without_colours(text);
        let room = match self.extent {
            Extent::Cut => (self.limits.output_lines, self.limits.output_bytes),
            Extent::Whole => (u64::MAX, u64::MAX),
        };
        push_lines(&mut self.out, &text, keep, room)
    }

    fn line(&mut self, words: &str) {
        push_escaped(&mut self.out, &format!("# {words}"));
    }
}

/// Whether all of an output was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// It was.
    Yes,
    /// It was cut, or a part was only named.
    No,
}

impl Whole {
    fn and(self, other: Self) -> Self {
        if self == Self::Yes { other } else { self }
    }
}

/// The members of an output that matter.
#[derive(Debug, Default)]
struct Fields<'a> {
    kind: Cow<'a, str>,
    name: Option<Cow<'a, str>>,
    text: Option<Json<'a>>,
    data: Option<Json<'a>>,
    trace: Option<Json<'a>>,
    ename: Option<Cow<'a, str>>,
    evalue: Option<Cow<'a, str>>,
}

impl<'a> Fields<'a> {
    fn of(output: Json<'a>) -> Option<Self> {
        let mut fields = Self::default();
        let mut kind = None;
        for Member { key, value } in output.members()? {
            match key.as_ref() {
                "output_type" => kind = value.shown(),
                "name" | "stream" => fields.name = value.shown(),
                "text" => fields.text = Some(value),
                "data" => fields.data = Some(value),
                "traceback" => fields.trace = Some(value),
                "ename" => fields.ename = value.shown(),
                "evalue" => fields.evalue = value.shown(),
                _ => {}
            }
        }
        Some(Self { kind: kind?, ..fields })
    }

    /// The traceback, or what the error says of itself.
    fn traceback(&self) -> String {
        let entries = self.trace.and_then(Json::elements).into_iter().flatten();
        let lines: Vec<_> = entries.filter_map(Json::shown).collect();
        if lines.is_empty() {
            return [self.ename.as_deref(), self.evalue.as_deref()]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(": ");
        }
        lines.join("\n")
    }
}

/// The bundle of an output of version 3.
fn old_members(output: Json<'_>) -> impl Iterator<Item = Member<'_>> {
    output.members().into_iter().flatten().filter_map(|member| old_name(&member))
}

/// The media type of a member of an output of version 3, which has no bundle of its own.
fn old_name<'a>(member: &Member<'a>) -> Option<Member<'a>> {
    let mime = match member.key.as_ref() {
        "text" => "text/plain",
        "html" => "text/html",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpeg" => "image/jpeg",
        "latex" => "text/latex",
        "json" => "application/json",
        "javascript" => "application/javascript",
        "pdf" => "application/pdf",
        _ => return None,
    };
    Some(Member { key: Cow::Borrowed(mime), value: member.value })
}

/// A name from the file on one line, and not too long.
fn name(text: &str) -> String {
    let end = text.char_indices().nth(NAME_CHARS).map(|(at, _)| at);
    let head = end.and_then(|end| text.get(..end));
    let cut = if head.is_some() { "…" } else { "" };
    format!("{}{cut}", Visible::of(head.unwrap_or(text)).text)
}
