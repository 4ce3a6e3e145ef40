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
}
