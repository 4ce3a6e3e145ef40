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
#[cfg(feature = "rtf")]
mod rtf;

pub use form::Form;
pub use made::{Bounds, Made, Parts, Remark, Section, State, Wish};
#[cfg(feature = "pictures")]
pub use picture::picture;
pub use picture::{Copy, Facts, Frame, Look, Region, picture_type};
pub use refusal::Refusal;

/// Makes text of a document.
pub fn document(form: Form, bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let _ = (bytes, wish, bounds);
    match form {
        #[cfg(feature = "rtf")]
        Form::Rtf => rtf::read(bytes, wish, bounds),
        #[expect(clippy::wildcard_enum_match_arm, reason = "which forms are left depends on the features")]
        form => Err(Refusal::Unsupported { what: form.name().to_owned() }),
    }
}

/// Makes Markdown of a web page.
#[cfg(feature = "html")]
pub fn web_page(html: &str, bounds: &Bounds) -> Result<String, Refusal> {
    let _ = (html, bounds);
    Err(Refusal::Unsupported { what: "web pages".to_owned() })
}
