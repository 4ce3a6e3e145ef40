//! What the library's errors mean.

use office_oxide::core::Error as Core;
use office_oxide::doc::DocError;
use office_oxide::docx::DocxError;
use office_oxide::ppt::PptError;
use office_oxide::pptx::PptxError;
use office_oxide::xls::XlsError;
use office_oxide::xlsx::XlsxError;
use office_oxide::{DocumentIR, OfficeError};

use crate::Refusal;
use crate::made::{Bounds, Remark};

/// Damages that are named one by one.
const TOLD: usize = 8;

/// The answer for an error of the library.
pub(super) fn refusal(error: &OfficeError, bounds: &Bounds) -> Refusal {
    if let Some(core) = core(error) {
        return package(core, bounds);
    }
    match error {
        OfficeError::Doc(DocError::Encrypted)
        | OfficeError::Xls(XlsError::Encrypted)
        | OfficeError::Ppt(PptError::Encrypted) => Refusal::Encrypted,
        OfficeError::Doc(DocError::UnsupportedVersion(what)) | OfficeError::Xls(XlsError::UnsupportedVersion(what)) => {
            Refusal::Unsupported { what: short(what) }
        }
        error @ (OfficeError::Doc(_)
        | OfficeError::Xls(_)
        | OfficeError::Ppt(_)
        | OfficeError::Core(_)
        | OfficeError::Docx(_)
        | OfficeError::Xlsx(_)
        | OfficeError::Pptx(_)
        | OfficeError::Panic(_)
        | OfficeError::Incomplete(_)
        | OfficeError::UnsupportedFormat(_)
        | _) => damaged(&error.to_string()),
    }
}

/// The error of the package below an error of a format.
fn core(error: &OfficeError) -> Option<&Core> {
    if let OfficeError::Core(core)
    | OfficeError::Docx(DocxError::Core(core))
    | OfficeError::Xlsx(XlsxError::Core(core))
    | OfficeError::Pptx(PptxError::Core(core)) = error
    {
        Some(core)
    } else {
        None
    }
}

fn package(core: &Core, bounds: &Bounds) -> Refusal {
    if matches!(core, Core::DecompressionLimit { .. } | Core::PackageLimit(_)) {
        too_large(bounds)
    } else if matches!(core, Core::Unsupported(what) if what.contains("encrypted")) {
        Refusal::Encrypted
    } else {
        damaged(&core.to_string())
    }
}

/// The answer where the parts of a package are too large together.
pub(super) fn too_large(bounds: &Bounds) -> Refusal {
    Refusal::TooLarge { limit: "parts_bytes".to_owned(), value: bounds.parts_bytes }
}

/// The answer for damage, with its reason in a few words.
pub(super) fn damaged(reason: &str) -> Refusal {
    Refusal::Damaged(short(reason))
}

fn short(reason: &str) -> String {
    let line = super::notes::one_line(reason);
    let mut words: String = line.chars().take(160).collect();
    if words.len() < line.len() {
        words.push('…');
    }
    words
}

/// What the library says it could not read.
pub(super) fn losses(ir: &DocumentIR) -> Vec<Remark> {
    if !ir.metadata.text_truncated {
        return Vec::new();
    }
    let warnings = ir.metadata.warnings.iter().filter(|warning| !warning.contains("picture"));
    let told = damages(warnings.map(|warning| short(warning)), 0);
    let only_pictures = told.is_empty() && !ir.metadata.warnings.is_empty();
    if told.is_empty() && !only_pictures {
        vec![Remark::Damaged("some of its text is missing".to_owned())]
    } else {
        told
    }
}

/// Remarks of what is damaged: the first few, and how many more there are with those that nobody named.
pub(super) fn damages(what: impl Iterator<Item = String>, unnamed: usize) -> Vec<Remark> {
    let mut what = what;
    let mut told: Vec<Remark> = what.by_ref().take(TOLD).map(Remark::Damaged).collect();
    let more = what.count().saturating_add(unnamed);
    if more > 0 {
        told.push(Remark::Damaged(format!("{more} more parts")));
    }
    told
}

/// A package that unpacks to far more than a document does.
pub(super) fn too_dense() -> Refusal {
    Refusal::TooLarge { limit: "ratio".to_owned(), value: super::guard::RATIO }
}
