//! Presentations since 2007.

use readstone_convert::{Form, Parts, Refusal, State, Wish};

use super::recipes::{BOUNDS, all, convert, package, relations, types};

const SPACES: &str = concat!(
    r#"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" "#,
    r#"xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" "#,
    r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#
);

fn shape(kind: &str, paragraphs: &[(u8, &str)]) -> String {
    let text: String = paragraphs
        .iter()
        .map(|(level, text)| {
            format!(r#"<a:p><a:pPr lvl="{level}"><a:buChar char="•"/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"#)
        })
        .collect();
    let text = if kind == "title" { text.replace(r#"<a:buChar char="•"/>"#, "") } else { text };
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"x\"/><p:cNvSpPr/><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr></p:nvSpPr>\
         <p:spPr/><p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
    )
}

fn tree(shapes: &str) -> String {
    format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>")
}

/// A presentation of these slides; the second part of one are its attributes, the third its notes.
fn pptx(slides: &[(String, &str, &str)]) -> Vec<u8> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut ids = String::new();
    let mut related: Vec<(String, String)> = Vec::new();
    for (index, (shapes, attributes, notes)) in slides.iter().enumerate() {
        let number = index + 1;
        ids.push_str(&format!(r#"<p:sldId id="{}" r:id="rId{number}"/>"#, 255 + number));
        related.push(("slide".to_owned(), format!("slides/slide{number}.xml")));
        files.push((
            format!("ppt/slides/slide{number}.xml"),
            format!("<p:sld {SPACES} {attributes}>{}</p:sld>", tree(shapes)),
        ));
        if !notes.is_empty() {
            let target = format!("../notesSlides/notesSlide{number}.xml");
            files.push((format!("ppt/slides/_rels/slide{number}.xml.rels"), relations(&[("notesSlide", &target)])));
            let body = tree(&shape("body", &[(0, notes)]).replace(r#"<a:buChar char="•"/>"#, "<a:buNone/>"));
            files.push((
                format!("ppt/notesSlides/notesSlide{number}.xml"),
                format!("<p:notes {SPACES}>{body}</p:notes>"),
            ));
        }
    }
    let related: Vec<(&str, &str)> = related.iter().map(|(kind, path)| (kind.as_str(), path.as_str())).collect();
    let kinds = types(&[("ppt/presentation.xml", "presentationml.presentation.main")]);
    let root = relations(&[("officeDocument", "ppt/presentation.xml")]);
    let related = relations(&related);
    let deck = format!("<p:presentation {SPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>");
    let mut all = vec![
        ("[Content_Types].xml", kinds.as_str()),
        ("_rels/.rels", root.as_str()),
        ("ppt/presentation.xml", deck.as_str()),
        ("ppt/_rels/presentation.xml.rels", related.as_str()),
    ];
    all.extend(files.iter().map(|(path, content)| (path.as_str(), content.as_str())));
    package(&all)
}

fn deck() -> Vec<u8> {
    let first = shape("title", &[(0, "Lighthouses")]) + &shape("body", &[(0, "lamps"), (1, "red"), (0, "keepers")]);
    let last = shape("title", &[(0, "Spare")]);
    pptx(&[(first, "", "Greet the keepers."), (String::new(), "", ""), (last, "show=\"0\"", "")])
}

#[test]
fn a_slide_has_its_title_its_bullets_and_its_notes() {
    let made = all(Form::Pptx, deck()).unwrap();
    assert_eq!((made.parts, made.count, made.sections.len()), (Parts::Slides, 3, 3));
    let want = "# Lighthouses\n\n- lamps\n  - red\n- keepers\n\n### Notes\n\nGreet the keepers.";
    assert_eq!(made.sections[0].text, want);
}

#[test]
fn a_blank_slide_is_blank_and_a_hidden_one_is_marked() {
    let made = all(Form::Pptx, deck()).unwrap();
    assert_eq!((made.sections[1].text.as_str(), &made.sections[1].state), ("", &State::Blank));
    assert_eq!(made.sections[2].text, "(hidden slide)\n\n# Spare");
}

#[test]
fn slides_are_given_as_asked_for() {
    let made = convert(Form::Pptx, deck(), Wish { first: 3, last: 9, enough: 1 }, BOUNDS).unwrap();
    assert_eq!((made.first, made.count, made.sections.len()), (3, 3, 1));
    let none = convert(Form::Pptx, deck(), Wish { first: 4, last: 9, enough: 1 }, BOUNDS).unwrap();
    assert_eq!((none.count, none.sections.len()), (3, 0));
}

#[test]
fn a_presentation_without_anything_on_its_slides_is_empty() {
    assert_eq!(all(Form::Pptx, pptx(&[(String::new(), "", "")])), Err(Refusal::Empty));
}
