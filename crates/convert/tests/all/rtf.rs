//! Rich text: what is read, what is left out, and what is said of broken files.
#![cfg(feature = "rtf")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod broken;
mod fields;
mod lists;
mod pages;
mod paragraphs;
mod tables;

use readstone_convert::{Bounds, Form, Made, Parts, Refusal, Remark, State, Wish, document};

const BOUNDS: Bounds = Bounds { text_bytes: 8 << 20, parts_bytes: 8 << 20, depth: 256 };

fn convert(bytes: &[u8]) -> Result<Made, Refusal> {
    document(Form::Rtf, bytes, &Wish::ALL, &BOUNDS)
}

/// The conversion of a document with this body.
fn made(body: &str) -> Made {
    convert(format!("{{\\rtf1\\ansi {body}}}").as_bytes()).unwrap()
}

/// Fails unless a document with this body becomes this text.
#[track_caller]
fn check(body: &str, expected: &str) {
    check_file(format!("{{\\rtf1\\ansi {body}}}").as_bytes(), expected);
}

/// Fails unless a file becomes this text.
#[track_caller]
fn check_file(bytes: &[u8], expected: &str) {
    let made = convert(bytes).unwrap();
    let [section] = made.sections.as_slice() else { panic!("{} sections", made.sections.len()) };
    assert_eq!(section.text, expected);
}

#[test]
fn a_document_is_one_section_without_a_name() {
    let made = made("Hello\\par");
    assert_eq!((made.parts, made.count, made.first), (Parts::Flow, 1, 1));
    let [section] = made.sections.as_slice() else { panic!("{} sections", made.sections.len()) };
    assert_eq!((section.name.as_deref(), section.text.as_str(), &section.state), (None, "Hello", &State::Whole));
    assert_eq!(made.remarks, []);
}

#[test]
fn a_text_that_flows_is_given_whole_whatever_is_asked_for() {
    let wish = Wish { first: 2, ..Wish::ALL };
    let made = document(Form::Rtf, b"{\\rtf1 Hello}", &wish, &BOUNDS).unwrap();
    assert_eq!((made.count, made.first, made.sections.len()), (1, 1, 1));
}

#[test]
fn what_has_no_text_is_left_out() {
    check(
        "{\\colortbl;\\red0;}{\\info{\\title T}{\\author A}}{\\*\\generator G;}{\\*\\themedata 504b}{\\*\\unheard of}\
         {\\*\\datastore 0102}{\\*\\xmlnstbl{\\xmlns1 http}}{\\*\\rsidtbl \\rsid1}{\\*\\latentstyles\
         {\\lsdlockedexcept N;}}\
         {\\*\\bkmkstart b}text{\\*\\bkmkend b}{\\xe{\\v index}}\\par",
        "text",
    );
}

#[test]
fn pictures_are_counted_and_their_bytes_never_read_as_text() {
    let made =
        made("a{\\pict\\pngblip 89504e47}{\\*\\shppict{\\pict\\bin8 }}{{\\\\ab}}{\\nonshppict{\\pict 00}}b\\par");
    assert_eq!(made.sections[0].text, "ab");
    assert_eq!(made.remarks, [Remark::LeftOut("2 pictures".to_owned())]);
}

#[test]
fn a_document_of_pictures_has_no_text_and_is_not_empty() {
    let made = made("{\\pict 00}\\par");
    assert_eq!((made.sections[0].text.as_str(), &made.sections[0].state), ("", &State::NoText));
}

#[test]
fn comments_headers_hidden_and_deleted_text_are_left_out_and_named() {
    let made = made(
        "{\\header Top\\par}{\\footerr Bottom}a{\\v hidden}{\\deleted gone}{\\revised b}\
         {\\*\\atnid X}{\\*\\atnauthor Y}\\chatn{\\*\\annotation{\\*\\atnref 1}A comment}c\\par",
    );
    assert_eq!(made.sections[0].text, "abc");
    let names = ["1 comment", "headers and footers", "hidden text", "deleted text"];
    assert_eq!(made.remarks, names.map(|name| Remark::LeftOut(name.to_owned())));
}

#[test]
fn a_letterhead_alone_is_shown() {
    check("{\\header The Company\\par}\\par", "The Company");
}
