//! Frames: text boxes, pictures, and objects such as formulas and charts.

use super::formula::formula;
use super::out::Out;
use super::reading::{Genre, Reading, address};
use super::styles::Styles;
use super::xml::{Element, Space, Step};
use crate::Refusal;

/// What a frame shows beside text.
#[derive(Default)]
struct Shown {
    picture: Option<String>,
    object: Option<String>,
    formula: Option<String>,
    title: String,
    words: String,
    /// Whether there is a text or a table, of which a picture would be a copy.
    written: bool,
}

impl Reading<'_, '_, '_> {
    /// Writes the text in the frame that was opened last, and gives what stands for a picture or a formula in it.
    pub(crate) fn frame(&mut self, out: &mut Out) -> Result<Option<String>, Refusal> {
        let mut shown = Shown::default();
        loop {
            match self.walk.next()? {
                Step::Open(part) => self.frame_part(&part, &mut shown, out)?,
                Step::Text(_) => {}
                Step::Close | Step::End => break,
            }
        }
        if let Some(object) = shown.object.take() {
            shown.written = true;
            shown.formula = self.object(&object, out)?.or(shown.formula);
        }
        if let Some(formula) = shown.formula.filter(|formula| !formula.is_empty()) {
            return Ok(Some(format!("`{}`", formula.replace('`', "'"))));
        }
        let Some(picture) = shown.picture.filter(|_| !shown.written) else { return Ok(None) };
        self.pictures += 1;
        let mut alt = shown.title;
        if !shown.words.is_empty() && shown.words != alt {
            let gap = if alt.is_empty() { "" } else { ". " };
            alt = format!("{alt}{gap}{}", shown.words);
        }
        Ok(Some(format!("![{}]({})", alt.replace(['[', ']'], ""), address(picture.trim_start_matches("./")))))
    }

    fn frame_part(&mut self, part: &Element<'_>, shown: &mut Shown, out: &mut Out) -> Result<(), Refusal> {
        match (part.space, part.local()) {
            (Space::Draw, "image") => {
                let name = part.get("href").unwrap_or_default();
                // Further pictures are the same one in other forms.
                shown.picture.get_or_insert(name);
                self.blocks(out)
            }
            (Space::Draw, "object") => {
                shown.object = part.get("href");
                shown.formula = Some(self.walk.words()?);
                Ok(())
            }
            (Space::Draw, "object-ole" | "plugin" | "applet" | "floating-frame") => self.walk.skip(),
            (Space::Svg, "title") => {
                shown.title = self.walk.words()?;
                Ok(())
            }
            (Space::Svg, "desc") => {
                shown.words = self.walk.words()?;
                Ok(())
            }
            (_, _) => {
                shown.written = true;
                self.block(part, out)
            }
        }
    }

    /// The formula that an embedded object is; a chart is written out.
    fn object(&mut self, name: &str, out: &mut Out) -> Result<Option<String>, Refusal> {
        let name = format!("{}/content.xml", name.trim_start_matches("./").trim_end_matches('/'));
        let Some(parts) = self.parts.as_mut() else { return Ok(None) };
        let Some(part) = parts.text(&name)? else { return Ok(None) };
        if !part.content.contains("<office:chart") {
            let is_formula = part.content.contains("<math") || part.content.contains(":math");
            return is_formula.then(|| formula(&part.content, self.depth)).transpose();
        }
        // In a workbook a chart shows what its sheets say.
        if self.genre != Genre::Sheets {
            let styles = Styles::default();
            let room = self.most.saturating_sub(self.made);
            let mut inner = Reading::new(&part.content, &styles, self.genre, self.depth, room);
            inner.cells = self.cells;
            let mut text = Out::default();
            inner.blocks(&mut text)?;
            self.count(text.len());
            out.append(text);
        }
        Ok(None)
    }
}
