//! XML read step by step, with a bound on its depth. Entities are never expanded.

use std::borrow::Cow;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::Refusal;

/// The namespaces that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Office,
    Text,
    Table,
    Draw,
    Presentation,
    Style,
    Svg,
    Other,
}

/// The end of a namespace's address, the usual prefix of it, and what it is.
const SPACES: [(&str, &str, Space); 7] = [
    ("office:1.0", "office", Space::Office),
    ("text:1.0", "text", Space::Text),
    ("table:1.0", "table", Space::Table),
    ("drawing:1.0", "draw", Space::Draw),
    ("presentation:1.0", "presentation", Space::Presentation),
    ("style:1.0", "style", Space::Style),
    ("svg-compatible:1.0", "svg", Space::Svg),
];
/// Prefixes that are remembered at most.
const MOST_PREFIXES: usize = 64;

/// What comes next in a document.
pub(crate) enum Step<'a> {
    /// An element begins; its content follows, and then [`Step::Close`].
    Open(Element<'a>),
    /// The innermost open element ends.
    Close,
    /// Text between tags.
    Text(Cow<'a, str>),
    /// There is nothing more.
    End,
}

/// The start of an element.
pub(crate) struct Element<'a> {
    start: BytesStart<'a>,
    /// Its namespace.
    pub(crate) space: Space,
}

impl Element<'_> {
    /// Its name without the prefix.
    pub(crate) fn local(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// The value of an attribute by its name without the prefix.
    pub(crate) fn get(&self, local: &str) -> Option<String> {
        // Checking for doubles would be quadratic.
        let mut attributes = self.start.attributes();
        let found = attributes.with_checks(false).flatten().find(|one| one.key.local_name().into_inner() == local)?;
        Some(
            found
                .normalized_value(XmlVersion::Implicit1_0)
                .map_or_else(|_| found.value.clone().into_owned(), Cow::into_owned),
        )
    }

    /// The value of an attribute that is a number, not more than a bound.
    pub(crate) fn number(&self, local: &str, most: usize) -> Option<usize> {
        let value = self.get(local)?;
        let digits = value.trim();
        let large = !digits.is_empty() && digits.bytes().all(|sign| sign.is_ascii_digit());
        digits.parse::<usize>().ok().or(large.then_some(most)).map(|number| number.min(most))
    }
}

/// Goes through a document.
pub(crate) struct Walker<'a> {
    reader: Reader<&'a [u8]>,
    depth: u64,
    most: u64,
    prefixes: Vec<(String, Space)>,
    ended: bool,
    fault: Option<String>,
}

impl<'a> Walker<'a> {
    /// Begins at the start of a document.
    pub(crate) fn new(text: &'a str, depth: u64) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self { reader, depth: 0, most: depth, prefixes: Vec::new(), ended: false, fault: None }
    }

    /// What comes next. After damage there is nothing more, and [`Self::fault`] tells of it.
    pub(crate) fn next(&mut self) -> Result<Step<'a>, Refusal> {
        while !self.ended {
            match self.reader.read_event() {
                Ok(Event::Start(start)) => return self.open(start).map(Step::Open),
                Ok(Event::End(_)) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Step::Close);
                }
                Ok(Event::Text(text)) => return Ok(Step::Text(text.xml10_content())),
                Ok(Event::CData(text)) => return Ok(Step::Text(text.xml10_content())),
                Ok(Event::GeneralRef(name)) => return Ok(Step::Text(resolve(&name))),
                Ok(Event::DocType(kind)) if kind.contains("<!ENTITY") => {
                    return Err(Refusal::Unsupported { what: "XML with entities of its own".to_owned() });
                }
                Ok(Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Ok(Event::Eof) => {
                    self.ended = true;
                    if self.depth > 0 {
                        self.fault = Some("it ends too early".to_owned());
                    }
                }
                Err(error) => {
                    self.ended = true;
                    self.fault = Some(format!("{error} at byte {}", self.reader.error_position()));
                }
            }
        }
        Ok(Step::End)
    }

    /// Passes over the rest of the element that was opened last.
    pub(crate) fn skip(&mut self) -> Result<(), Refusal> {
        let mut inner = 0_u64;
        loop {
            match self.next()? {
                Step::Open(_) => inner += 1,
                Step::Close if inner == 0 => return Ok(()),
                Step::Close => inner -= 1,
                Step::Text(_) => {}
                Step::End => return Ok(()),
            }
        }
    }

    /// The text of the element that was opened last, without what it is marked up with.
    pub(crate) fn words(&mut self) -> Result<String, Refusal> {
        let mut text = String::new();
        let mut inner = 0_u64;
        loop {
            match self.next()? {
                Step::Open(_) => inner += 1,
                Step::Close if inner == 0 => break,
                Step::Close => inner -= 1,
                Step::Text(more) => text.push_str(&more),
                Step::End => break,
            }
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Makes this the end: nothing more comes.
    pub(crate) fn stop(&mut self) {
        self.ended = true;
    }

    /// How the document is damaged, as far as it was read.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn open(&mut self, start: BytesStart<'a>) -> Result<Element<'a>, Refusal> {
        self.depth += 1;
        if self.depth > self.most {
            return Err(Refusal::TooLarge { limit: "depth".to_owned(), value: self.most });
        }
        let space = self.space(&start);
        Ok(Element { start, space })
    }

    fn space(&mut self, start: &BytesStart<'_>) -> Space {
        let name = start.name();
        let prefix = name.prefix().map_or("", |prefix| prefix.into_inner());
        if let Some((_, space)) = self.prefixes.iter().find(|(known, _)| known == prefix) {
            return *space;
        }
        self.learn(start);
        if let Some((_, space)) = self.prefixes.iter().find(|(known, _)| known == prefix) {
            return *space;
        }
        let space = SPACES.iter().find(|(_, usual, _)| *usual == prefix).map_or(Space::Other, |known| known.2);
        self.remember(prefix, space);
        space
    }

    /// Takes the declarations of namespaces that an element makes.
    fn learn(&mut self, start: &BytesStart<'_>) {
        let mut attributes = start.attributes();
        for one in attributes.with_checks(false).flatten() {
            let Some(prefix) = one.key.into_inner().strip_prefix("xmlns:") else { continue };
            if let Some((_, _, space)) = SPACES.iter().find(|(address, _, _)| ends_so(&one.value, address)) {
                self.remember(prefix, *space);
            }
        }
    }

    fn remember(&mut self, prefix: &str, space: Space) {
        if self.prefixes.len() < MOST_PREFIXES {
            self.prefixes.push((prefix.to_owned(), space));
        }
    }
}

fn ends_so(value: &str, address: &str) -> bool {
    value.strip_suffix(address).is_some_and(|rest| rest.ends_with(':'))
}

fn resolve(name: &BytesRef<'_>) -> Cow<'static, str> {
    if let Ok(Some(sign)) = name.resolve_char_ref() {
        return Cow::Owned(sign.to_string());
    }
    let name = name.xml10_content();
    resolve_xml_entity(&name).map_or_else(|| Cow::Owned(format!("&{name};")), Cow::Borrowed)
}
