//! The forms of documents.

use serde::{Deserialize, Serialize};

/// What kind of document some bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// Portable Document Format.
    Pdf,
    /// Word.
    Docx,
    /// PowerPoint.
    Pptx,
    /// Excel, with or without macros.
    Xlsx,
    /// Word before 2007.
    Doc,
    /// PowerPoint before 2007.
    Ppt,
    /// Excel before 2007.
    Xls,
    /// Rich Text Format.
    Rtf,
    /// A book of web pages.
    Epub,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation.
    Odp,
    /// OpenDocument spreadsheet.
    Ods,
}

impl Form {
    /// Its usual extension, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Pptx => "pptx",
            Self::Xlsx => "xlsx",
            Self::Doc => "doc",
            Self::Ppt => "ppt",
            Self::Xls => "xls",
            Self::Rtf => "rtf",
            Self::Epub => "epub",
            Self::Odt => "odt",
            Self::Odp => "odp",
            Self::Ods => "ods",
        }
    }

    /// The feature of the program that brings what reads it.
    pub fn feature(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx | Self::Pptx | Self::Xlsx | Self::Doc | Self::Ppt | Self::Xls => "office",
            Self::Rtf => "rtf",
            Self::Epub | Self::Odt | Self::Odp | Self::Ods => "open",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn every_form_is_read_by_a_feature_of_this_crate_and_of_the_program() {
        let manifests = [include_str!("../Cargo.toml"), include_str!("../../surface/program/Cargo.toml")];
        let forms = [Form::Pdf, Form::Docx, Form::Pptx, Form::Xlsx, Form::Doc, Form::Ppt, Form::Xls, Form::Rtf];
        for form in forms.into_iter().chain([Form::Epub, Form::Odt, Form::Odp, Form::Ods]) {
            for manifest in manifests {
                assert!(manifest.contains(&format!("\n{} = [", form.feature())), "{form:?}");
            }
        }
    }
}
