//! Documents, web pages and pictures made into what a model can read.
//!
//! Everything here is a function of bytes: nothing is opened, nothing is remembered, no sentence is written for anybody.
//! The libraries behind it can abort, overflow the stack or run for ever on broken files, so whoever runs it on files
//! of strangers does so in a process that may die.

#[cfg(feature = "open")]
mod epub;
mod form;
#[cfg(any(feature = "pdf", feature = "open"))]
mod hex;
#[cfg(feature = "html")]
mod html;
mod made;
#[cfg(any(feature = "pdf", feature = "office", feature = "open", feature = "rtf"))]
mod markdown;
#[cfg(feature = "office")]
mod office;
#[cfg(feature = "open")]
mod open;
#[cfg(feature = "open")]
mod package;
#[cfg(feature = "pdf")]
mod pdf;
mod picture;
mod refusal;
#[cfg(feature = "rtf")]
mod rtf;

pub use form::Form;
#[cfg(feature = "html")]
pub use html::{Alternate, Article, PageFacts, Part, WebPage, article, page_facts, web_page};
pub use made::{Bounds, Made, Parts, Remark, Section, State, Wish};
#[cfg(feature = "pictures")]
pub use picture::picture;
pub use picture::{Copy, Facts, Frame, Look, Region, picture_type};
pub use refusal::Refusal;

/// Makes text of a document.
pub fn document(form: Form, bytes: &[u8], wish: &Wish, bounds: &Bounds) -> Result<Made, Refusal> {
    let _ = (bytes, wish, bounds);
    match form {
        #[cfg(feature = "pdf")]
        Form::Pdf => pdf::document(bytes, wish, bounds),
        #[cfg(feature = "office")]
        Form::Docx | Form::Pptx | Form::Xlsx | Form::Doc | Form::Ppt | Form::Xls => {
            office::document(form, bytes, wish, bounds)
        }
        #[cfg(feature = "rtf")]
        Form::Rtf => rtf::document(bytes, bounds),
        #[cfg(feature = "open")]
        Form::Epub => epub::book(bytes, wish, bounds),
        #[cfg(feature = "open")]
        Form::Odt => open::text(bytes, wish, bounds),
        #[cfg(feature = "open")]
        Form::Odp => open::deck(bytes, wish, bounds),
        #[cfg(feature = "open")]
        Form::Ods => open::workbook(bytes, wish, bounds),
        #[cfg(not(all(feature = "pdf", feature = "office", feature = "rtf", feature = "open")))]
        #[expect(clippy::wildcard_enum_match_arm, reason = "which forms are left depends on the features")]
        form => {
            let (feature, name) = (form.feature(), form.name());
            let what = format!("this program was built without the feature `{feature}`, which reads {name}");
            Err(Refusal::Unsupported { what })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_or_the_feature_that_brings_its_converter_is_named() {
        let bounds = Bounds { text_bytes: 1, parts_bytes: 1, depth: 1 };
        let built = [
            (Form::Pdf, cfg!(feature = "pdf")),
            (Form::Docx, cfg!(feature = "office")),
            (Form::Rtf, cfg!(feature = "rtf")),
            (Form::Odt, cfg!(feature = "open")),
        ];
        for (form, is_built) in built {
            let refused = document(form, b"", &Wish::ALL, &bounds);
            let names = |what: &str| what.contains(&format!("without the feature `{}`", form.feature()));
            let is_named = matches!(&refused, Err(Refusal::Unsupported { what }) if names(what));
            assert_eq!(is_named, !is_built, "{form:?}: {refused:?}");
        }
    }
}
