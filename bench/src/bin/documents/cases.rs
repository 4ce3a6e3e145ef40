//! What is read, and what was promised for it.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use readstone_bench::made::{Document, pdf, sheet, word};

use crate::picture;

/// The limits of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// As they are for everybody.
    Usual,
    /// So wide that one reply shows a document of a few hundred kilobytes.
    Whole,
}

impl Limits {
    /// What the program finds in its environment.
    pub(crate) fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Usual => &[],
            Self::Whole => &[
                ("READSTONE_PAGE_BYTES", "1048576"),
                ("READSTONE_PAGE_LINES", "3000"),
                ("READSTONE_REPLY_BYTES", "4194304"),
            ],
        }
    }
}

/// One thing to measure.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    make: fn() -> Result<Document, Box<dyn Error>>,
    ending: &'static str,
    /// What is written behind the name of the file.
    pub(crate) selector: &'static str,
    /// What the reply must show.
    pub(crate) shows: &'static str,
    pub(crate) limits: Limits,
    /// Milliseconds, or ten times what `pdftotext` takes.
    pub(crate) target: Option<f64>,
    pub(crate) beside_pdftotext: bool,
    /// Megabytes of the worker.
    pub(crate) most_memory: Option<f64>,
}

/// All of them, in the order in which they were promised.
pub(crate) fn all() -> Vec<Case> {
    let plain = |name, ending, make, shows, target| Case {
        name,
        make,
        ending,
        selector: "",
        shows,
        limits: Limits::Usual,
        target: Some(target),
        beside_pdftotext: false,
        most_memory: None,
    };
    let docx: fn() -> _ = || word::docx(130_000);
    let report: fn() -> _ = || pdf::by_text(125_000);
    let table: fn() -> _ = || sheet::xlsx(10_000);
    let image = "\"type\":\"image\"";
    vec![
        plain("docx, 130 KB of text, first page", "docx", docx, "## Section 2 ", 40.0),
        Case { limits: Limits::Whole, ..plain("docx, 130 KB of text, whole", "docx", docx, word::LAST_WORDS, 40.0) },
        plain("xlsx, 10,000 rows, first page", "xlsx", table, "| 1001 |", 150.0),
        Case {
            limits: Limits::Whole,
            target: None,
            beside_pdftotext: true,
            ..plain("PDF, 125 KB of text, whole", "pdf", report, pdf::LAST_WORDS, 0.0)
        },
        plain("JPEG, 4000×3000", "jpg", || picture::jpeg(4_000, 3_000), image, 300.0),
        Case {
            selector: ":p230-234",
            ..plain("PDF, 5 pages of 464", "pdf", || pdf::by_pages(464), "<!-- page 234 -->", 500.0)
        },
        Case {
            most_memory: Some(200.0),
            ..plain("xlsx, 50,000 rows, first page", "xlsx", || sheet::xlsx(50_000), "| 1001 |", 1_000.0)
        },
        plain("JPEG, 6000×4000", "jpg", || picture::jpeg(6_000, 4_000), image, 600.0),
    ]
}

/// A document and its copies.
#[derive(Debug)]
pub(crate) struct Fixture {
    document: Document,
    place: PathBuf,
    ending: &'static str,
    copies: u8,
}

impl Fixture {
    pub(crate) fn make(case: &Case, place: &Path) -> Result<Self, Box<dyn Error>> {
        let place = place.join("copies");
        std::fs::create_dir(&place)?;
        Ok(Self { document: (case.make)()?, place, ending: case.ending, copies: 0 })
    }

    /// A copy that nobody has read.
    pub(crate) fn fresh(&mut self) -> Result<PathBuf, Box<dyn Error>> {
        self.copies = self.copies.checked_add(1).ok_or("there are no more copies")?;
        let spare = self.document.bytes.get_mut(self.document.spare).ok_or("there is no byte to spare")?;
        *spare = self.copies;
        let path = self.place.join(format!("copy-{}.{}", self.copies, self.ending));
        File::create(&path)?.write_all(&self.document.bytes)?;
        Ok(path)
    }

    /// Where the copies are.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    pub(crate) fn about(&self) -> String {
        let kilobytes = |bytes: usize| bytes / 1_000;
        match self.document.text {
            0 => format!("{} KB", kilobytes(self.document.bytes.len())),
            text => format!("{} KB with {} KB of text", kilobytes(self.document.bytes.len()), kilobytes(text)),
        }
    }

    pub(crate) fn remove(self) -> std::io::Result<()> {
        std::fs::remove_dir_all(self.place)
    }
}
