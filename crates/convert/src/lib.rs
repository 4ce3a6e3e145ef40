//! Documents, web pages and pictures made into what a model can read.
//!
//! Everything here is a function of bytes: nothing is opened, nothing is remembered, no sentence is written for anybody.
//! The libraries behind it can abort, overflow the stack or run for ever on broken files, so whoever runs it on files of
//! strangers does so in a process that may die.

mod form;
mod made;
mod markdown;
mod picture;
mod refusal;

pub use form::Form;
pub use made::{Bounds, Made, Parts, Remark, Section, State, Wish};
pub use picture::{Copy, Facts, Frame, Look, Region};
pub use refusal::Refusal;

/// Makes text of a document.
pub fn document(form: Form, bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    match form {
        Form::Pdf
        | Form::Docx
        | Form::Pptx
        | Form::Xlsx
        | Form::Doc
        | Form::Ppt
        | Form::Xls
        | Form::Rtf
        | Form::Epub
        | Form::Odt
        | Form::Odp
        | Form::Ods => {
            let _ = (bytes, wish, bounds);
            Err(Refusal::Unsupported { what: form.name().to_owned() })
        }
    }
}

/// Makes Markdown of a web page.
#[cfg(feature = "html")]
pub fn web_page(html: &str, bounds: &Bounds) -> Result<String, Refusal> {
    let _ = (html, bounds);
    Err(Refusal::Unsupported { what: "web pages".to_owned() })
}

/// What a picture is, and a copy of what is asked for.
#[cfg(feature = "pictures")]
pub fn picture(bytes: &[u8], look: &Look, frame: &Frame) -> Result<(Facts, Option<Copy>), Refusal> {
    let _ = (bytes, look, frame);
    Err(Refusal::Unsupported { what: "pictures".to_owned() })
}

/// The media type of a picture, by its first bytes.
#[cfg(feature = "pictures")]
pub fn picture_type(head: &[u8]) -> Option<&'static str> {
    let _ = head;
    None
}
