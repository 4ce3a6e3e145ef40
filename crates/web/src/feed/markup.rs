//! A fragment of HTML cut into tags and text, once through and without any tree.

/// One piece of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text in which entities are not resolved yet.
    Text(&'a str),
    /// A start tag: its name as written and the rest of it.
    Open(&'a str, &'a str),
    /// An end tag by its name.
    Close(&'a str),
}

/// The pieces of a fragment.
pub(crate) struct Pieces<'a> {
    rest: &'a str,
    /// After a tag that never ends everything is text; looking again for every `<` would be quadratic.
    only_text: bool,
}

impl<'a> Pieces<'a> {
    /// Begins at the start of a fragment.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text, only_text: false }
    }

    fn cut(&mut self, at: usize) -> &'a str {
        let (before, after) = self.rest.split_at_checked(at).unwrap_or((self.rest, ""));
        self.rest = after;
        before
    }

    /// The length of the text up to the next tag.
    fn text_length(&self) -> usize {
        if self.only_text {
            return self.rest.len();
        }
        let starts = self.rest.match_indices('<').map(|(at, _)| at);
        starts.into_iter().find(|at| begins_tag(self.rest, *at)).unwrap_or(self.rest.len())
    }
}

fn begins_tag(text: &str, at: usize) -> bool {
    let mut after = text.get(at + 1..).unwrap_or_default().bytes();
    match after.next() {
        Some(b'!' | b'?') => true,
        Some(b'/') => after.next().is_some_and(|sign| sign.is_ascii_alphabetic()),
        Some(sign) => sign.is_ascii_alphabetic(),
        None => false,
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let text = self.text_length();
            if text > 0 {
                return Some(Piece::Text(self.cut(text)));
            }
            if self.rest.starts_with("<!--") {
                let end = self.rest.find("-->").map_or(self.rest.len(), |at| at + 3);
                self.cut(end);
                continue;
            }
            let Some(end) = end_of_tag(self.rest) else {
                self.only_text = true;
                continue;
            };
            let tag = self.cut(end + 1);
            let inner = tag.get(1..end).unwrap_or_default();
            if inner.starts_with(['!', '?']) {
                continue;
            }
            let (inner, closes) = inner.strip_prefix('/').map_or((inner, false), |name| (name, true));
            let length = inner.find(|sign: char| sign.is_whitespace() || sign == '/').unwrap_or(inner.len());
            let (name, rest) = inner.split_at_checked(length).unwrap_or((inner, ""));
            return Some(if closes { Piece::Close(name) } else { Piece::Open(name, rest) });
        }
    }
}

/// Where the `>` of the tag at the beginning is.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, sign) in text.bytes().enumerate() {
        match (quote, sign) {
            (None, b'>') => return Some(at),
            // A quote counts only behind an equals sign, because prose in tags has apostrophes too.
            (None, b'"' | b'\'') if text.get(..at).is_some_and(|before| before.trim_end().ends_with('=')) => {
                quote = Some(sign);
            }
            (Some(open), sign) if open == sign => quote = None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute, by its name in small letters.
pub(crate) fn attribute(inside: &str, name: &str) -> Option<String> {
    let mut rest = inside.trim_start_matches(is_between);
    while !rest.is_empty() {
        let length = rest.find(|sign: char| sign == '=' || is_between(sign)).unwrap_or(rest.len());
        let (key, after) = rest.split_at_checked(length)?;
        let Some(value) = after.trim_start().strip_prefix('=') else {
            // A stray sign must not stand still.
            rest = after.trim_start_matches(is_between);
            continue;
        };
        let value = value.trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inner = value.get(1..)?;
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            Some(_) | None => value.split_at_checked(value.find(char::is_whitespace).unwrap_or(value.len()))?,
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(resolve(value));
        }
        rest = after.trim_start_matches(is_between);
    }
    None
}

fn is_between(sign: char) -> bool {
    sign.is_whitespace() || sign == '/'
}

/// The names of signs that texts really use.
const NAMED: [(&str, &str); 60] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", " "),
    ("hellip", "…"),
    ("mdash", "—"),
    ("ndash", "–"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("sbquo", "‚"),
    ("bdquo", "„"),
    ("laquo", "«"),
    ("raquo", "»"),
    ("copy", "©"),
    ("reg", "®"),
    ("trade", "™"),
    ("bull", "•"),
    ("middot", "·"),
    ("times", "×"),
    ("deg", "°"),
    ("euro", "€"),
    ("pound", "£"),
    ("yen", "¥"),
    ("cent", "¢"),
    ("sect", "§"),
    ("para", "¶"),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("Auml", "Ä"),
    ("Ouml", "Ö"),
    ("Uuml", "Ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("egrave", "è"),
    ("ecirc", "ê"),
    ("agrave", "à"),
    ("aacute", "á"),
    ("acirc", "â"),
    ("ccedil", "ç"),
    ("ntilde", "ñ"),
    ("oacute", "ó"),
    ("iacute", "í"),
    ("uacute", "ú"),
    ("aring", "å"),
    ("oslash", "ø"),
    ("aelig", "æ"),
    ("shy", ""),
    ("zwnj", "\u{200c}"),
    ("zwj", "\u{200d}"),
    ("larr", "←"),
    ("rarr", "→"),
    ("le", "≤"),
    ("ge", "≥"),
    ("ne", "≠"),
    ("minus", "−"),
];

/// Text with its entities resolved; what is not known stays as it is.
pub(crate) fn resolve(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after.bytes().take(12).position(|sign| sign == b';');
        let known = end.and_then(|end| Some((sign_of(after.get(..end)?)?, end)));
        if let Some((sign, end)) = known {
            out.push_str(&sign);
            rest = after.get(end + 1..).unwrap_or_default();
        } else {
            out.push('&');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn sign_of(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        return NAMED.iter().find(|(known, _)| *known == name).map(|(_, sign)| (*sign).to_owned());
    };
    let value = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(value).filter(|sign| !sign.is_control() || matches!(sign, '\n' | '\t')).map(String::from)
}
