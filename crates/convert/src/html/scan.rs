//! The tags and the text of a web page, in one pass that never goes back.

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text, with its entities as they stand.
    Text(&'a str),
    /// A start tag.
    Open(Tag<'a>),
    /// An end tag; its name.
    Close(&'a str),
    /// What a script, a style or the like holds.
    Raw(&'a str),
    /// Text without entities.
    Data(&'a str),
}

/// A start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    /// Its name as written.
    pub(crate) name: &'a str,
    /// What stands between its name and its end.
    pub(crate) attributes: &'a str,
    /// Whether it ends with `/>`.
    pub(crate) closed: bool,
    /// The whole of it.
    pub(crate) source: &'a str,
}

impl<'a> Tag<'a> {
    /// Whether it has this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute; empty where it has none.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.attributes.trim_start_matches(|sign: char| sign.is_whitespace() || sign == '/');
        while !rest.is_empty() {
            let end = rest.find(|sign: char| sign.is_whitespace() || "=/>".contains(sign)).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            let (value, after) = match after.trim_start().strip_prefix('=') {
                Some(after) => value(after.trim_start()),
                None => ("", after),
            };
            if key.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            let next = after.trim_start_matches(|sign: char| sign.is_whitespace() || sign == '/');
            // A sign that is no name must not hold it up.
            rest = if next.len() < rest.len() { next } else { after.get(1..).unwrap_or_default() };
        }
        None
    }

    /// The tag with another text in place of a value that [`Self::get`] gave.
    pub(crate) fn with(&self, value: &str, other: &str) -> String {
        let start = value.as_ptr().addr().saturating_sub(self.source.as_ptr().addr());
        let head = self.source.get(..start).unwrap_or_default();
        let tail = self.source.get(start + value.len()..).unwrap_or_default();
        let other = quoted(other);
        if head.ends_with(['"', '\'']) { format!("{head}{other}{tail}") } else { format!("{head}\"{other}\"{tail}") }
    }

    /// Whether a browser shows nothing of it.
    pub(crate) fn is_hidden(&self) -> bool {
        !self.is_page() && self.says_hidden()
    }

    /// Whether it is the page itself, and hidden until a script shows it: nobody wants to read nothing.
    pub(crate) fn is_hidden_page(&self) -> bool {
        self.is_page() && self.says_hidden()
    }

    /// Whether all that the page shows is in it.
    pub(crate) fn is_page(&self) -> bool {
        self.is("body") || self.is("html")
    }

    fn says_hidden(&self) -> bool {
        let style = || self.get("style").unwrap_or_default().replace(' ', "").to_ascii_lowercase();
        let unseen = |style: String| style.contains("display:none") || style.contains("visibility:hidden");
        self.get("hidden").is_some() || unseen(style())
    }
}

/// The element that hides what is in it, and how many of its name are open in it.
#[derive(Debug, Default)]
pub(crate) struct Hidden<'a>(Option<(&'a str, u64)>);

impl<'a> Hidden<'a> {
    /// Whether something is open that hides what is in it.
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Takes a start tag; true when nothing of it is seen. Beside what says so itself, elements of these names are not.
    pub(crate) fn opens(&mut self, tag: Tag<'a>, names: &[&str]) -> bool {
        let empty = tag.closed || is_void(tag.name);
        if let Some((name, inner)) = &mut self.0 {
            *inner += u64::from(!empty && tag.is(name));
            return true;
        }
        if !empty && (tag.is_hidden() || names.iter().any(|name| tag.is(name))) {
            self.0 = Some((tag.name, 0));
        }
        self.is_open()
    }

    /// Takes an end tag; true when it ends nothing that is seen.
    pub(crate) fn closes(&mut self, name: &str) -> bool {
        let Some((hidden, inner)) = &mut self.0 else { return false };
        if name.eq_ignore_ascii_case(hidden) {
            match inner.checked_sub(1) {
                Some(fewer) => *inner = fewer,
                None => self.0 = None,
            }
        }
        true
    }
}

/// A text as the value of an attribute.
pub(crate) fn quoted(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;").replace('<', "&lt;")
}

fn value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(text) = text.strip_prefix(quote) {
            return text.split_once(quote).unwrap_or((text, ""));
        }
    }
    text.split_at(text.find(|sign: char| sign.is_whitespace() || sign == '>').unwrap_or(text.len()))
}

/// Elements that have no content.
const VOID: [&str; 16] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta",
    "param", "source", "wbr",
];
/// Elements whose content is no markup.
const RAW: [&str; 8] = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"];

/// Whether an element of this name has no content.
pub(crate) fn is_void(name: &str) -> bool {
    VOID.iter().any(|void| name.eq_ignore_ascii_case(void))
}

/// Goes through a page.
#[derive(Clone)]
pub(crate) struct Scan<'a> {
    rest: &'a str,
    /// The element whose content is no markup, where one was opened last.
    raw: Option<&'a str>,
}

impl<'a> Scan<'a> {
    /// Begins at the start of a page.
    pub(crate) fn new(html: &'a str) -> Self {
        Self { rest: html, raw: None }
    }

    /// How many bytes of the page are still to come.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    fn split(&mut self, at: usize) -> &'a str {
        let (head, tail) = self.rest.split_at_checked(at).unwrap_or((self.rest, ""));
        self.rest = tail;
        head
    }

    /// Takes up to the end of a mark and gives what is before it; what has no end goes to the end.
    fn past(&mut self, mark: &str) -> &'a str {
        match self.rest.find(mark) {
            Some(at) => {
                let head = self.split(at);
                self.split(mark.len());
                head
            }
            None => self.split(self.rest.len()),
        }
    }

    fn markup(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest;
        if let Some(after) = rest.strip_prefix("<!--") {
            self.rest = after;
            // These are whole comments.
            if let Some(after) = [">", "->"].iter().find_map(|end| after.strip_prefix(end)) {
                self.rest = after;
            } else {
                self.past("-->");
            }
            return None;
        }
        if let Some(after) = rest.strip_prefix("<![CDATA[") {
            self.rest = after;
            return Some(Piece::Data(self.past("]]>")));
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            self.past(">");
            return None;
        }
        if let Some(after) = rest.strip_prefix("</") {
            if !after.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
                self.past(">");
                return None;
            }
            self.rest = after;
            let inner = self.past(">");
            return Some(Piece::Close(name_of(inner)));
        }
        Some(self.start())
    }

    fn start(&mut self) -> Piece<'a> {
        let is_tag = self.rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
        let end = if is_tag { tag_end(self.rest) } else { None };
        let Some(end) = end else {
            // A sign for itself; a tag without an end is text up to the end of the page.
            let size = if is_tag { self.rest.len() } else { 1 };
            return Piece::Text(self.split(size));
        };
        let source = self.split(end);
        let inner = source.trim_start_matches('<').trim_end_matches('>');
        let name = name_of(inner);
        let attributes = inner.get(name.len()..).unwrap_or_default();
        let tag = Tag { name, attributes, closed: inner.ends_with('/'), source };
        if !tag.closed && RAW.iter().any(|raw| tag.is(raw)) {
            self.raw = Some(name);
        }
        Piece::Open(tag)
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(name) = self.raw.take() {
            let end = raw_end(self.rest, name);
            return Some(Piece::Raw(self.split(end)));
        }
        while !self.rest.is_empty() {
            let at = self.rest.find('<').unwrap_or(self.rest.len());
            if at > 0 {
                return Some(Piece::Text(self.split(at)));
            }
            if let Some(piece) = self.markup() {
                return Some(piece);
            }
        }
        None
    }
}

fn name_of(inner: &str) -> &str {
    let end = inner.find(|sign: char| sign.is_whitespace() || sign == '/' || sign == '>').unwrap_or(inner.len());
    inner.get(..end).unwrap_or(inner)
}

/// Where a tag ends: a `>` in quotes after `=` does not end it.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut after_equals = false;
    for (at, sign) in text.bytes().enumerate() {
        match (quote, sign) {
            (Some(open), sign) if open == sign => quote = None,
            (None, b'"' | b'\'') if after_equals => quote = Some(sign),
            (None, b'>') => return Some(at + 1),
            (Some(_) | None, _) => {}
        }
        if !sign.is_ascii_whitespace() {
            after_equals = quote.is_none() && sign == b'=';
        }
    }
    None
}

/// Where the content of an element ends that has no markup.
fn raw_end(text: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")) {
        let start = from + at;
        let after = text.get(start + 2..).unwrap_or_default();
        if after.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return start;
        }
        from = start + 2;
    }
    text.len()
}
