//! Slides of a presentation.

use super::out::Out;
use super::reading::Reading;
use super::xml::{Element, Space, Step};
use crate::{Refusal, Section, State};

impl Reading<'_, '_, '_> {
    /// The slide that was opened last.
    pub(crate) fn slide(&mut self, page: &Element<'_>) -> Result<Section, Refusal> {
        let pictures = self.pictures;
        let mut title = String::new();
        let mut body = Out::default();
        let mut notes = Out::default();
        loop {
            match self.walk.next()? {
                Step::Open(element) => match (element.space, element.get("class").unwrap_or_default().as_str()) {
                    (Space::Presentation, _) if element.local() == "notes" => self.speaker(&mut notes)?,
                    (Space::Draw, "page-number") => self.walk.skip()?,
                    (Space::Draw, "title") if title.is_empty() => {
                        let mut out = Out::default();
                        self.block(&element, &mut out)?;
                        title = flat(&out.finish());
                    }
                    (_, _) => self.block(&element, &mut body)?,
                },
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        let name = page.get("name").filter(|name| !is_automatic(name));
        let (body, notes) = (body.finish(), notes.finish());
        let shows_text = !title.is_empty() || body.lines().any(|line| !is_picture(line)) || !notes.is_empty();
        let state = match (shows_text, self.pictures > pictures) {
            (true, _) => State::Whole,
            (false, true) => State::NoText,
            (false, false) => State::Blank,
        };
        let heading = if title.is_empty() { name.clone().unwrap_or_default() } else { title.clone() };
        let mut out = Out::default();
        if shows_text {
            out.heading(2, &heading);
            out.put(&body);
            if !notes.is_empty() {
                out.heading(3, "Notes");
                out.put(&notes);
            }
        }
        let name = Some(title).filter(|title| !title.is_empty()).or(name);
        Ok(Section { name, text: out.finish(), state })
    }

    /// What the speaker sees: the page of notes without its picture of the slide, its header and its number.
    fn speaker(&mut self, notes: &mut Out) -> Result<(), Refusal> {
        loop {
            match self.walk.next()? {
                Step::Open(element) => match element.get("class").unwrap_or_default().as_str() {
                    "page" | "page-number" | "header" | "footer" | "date-time" => self.walk.skip()?,
                    _ => self.block(&element, notes)?,
                },
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(()),
            }
        }
    }
}

fn flat(text: &str) -> String {
    let text = text.replace("**", "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a line shows nothing but a picture.
pub(crate) fn is_picture(line: &str) -> bool {
    line.trim().is_empty() || (line.starts_with("![") && line.ends_with(')'))
}

/// Whether a name is one that programs give to every slide: a word, and its number.
fn is_automatic(name: &str) -> bool {
    let word = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
    word.len() < name.len() && matches!(word.trim_end().to_ascii_lowercase().as_str(), "page" | "slide" | "")
}
