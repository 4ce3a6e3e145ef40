//! The data: what is read, where it is, and how large it was made.

use std::error::Error;
use std::fs::{File, create_dir, create_dir_all};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use readstone_bench::made::{inside, log, pdf, sheet, source, tree, word};
use serde_json::{Value, json};

/// Sizes of the logs on which growth is seen, in megabytes.
const GROWTH: [u64; 4] = [1, 10, 100, LARGE];
/// Megabytes of the large log.
const LARGE: u64 = 1_000;
/// Entries of one directory.
const ENTRIES: u64 = 10_000;

/// Where the data is, and by how much it is smaller than it should be.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) place: PathBuf,
    /// One, or ten where only a try is wanted.
    pub(crate) scale: u64,
    /// Lines of the large log.
    pub(crate) lines: u64,
    /// Files of the tree.
    pub(crate) files: u64,
}

impl Data {
    /// Makes what is not there from an earlier run.
    pub(crate) fn make(place: &Path, scale: u64) -> Result<Self, Box<dyn Error>> {
        create_dir_all(place)?;
        // The 4,501st file holds what is searched for, so the tree is never much smaller.
        let breadth = [13, 10, 5];
        let files = breadth.iter().product::<usize>() * 10;
        let lines = lines_of(LARGE / scale * 1_000_000);
        let data = Self { place: place.to_owned(), scale, lines, files: files as u64 };
        let done = place.join(format!("made-{scale}"));
        if done.exists() {
            return Ok(data);
        }
        data.texts()?;
        data.directory()?;
        tree::many(&place.join("tree"), tree::Size { breadth, most: 19_800 })?;
        let part = |whole: usize| whole / usize::try_from(scale).unwrap_or(1);
        let inside::Size { entries, members, rows } = inside::FULL;
        let rows = rows / u32::try_from(scale).unwrap_or(1);
        inside::make(place, inside::Size { entries: part(entries), members: part(members), rows })?;
        data.write("report.docx", &word::docx(60_000)?.bytes)?;
        data.write("book.xlsx", &sheet::xlsx(10_000)?.bytes)?;
        data.write("report.pdf", &pdf::by_pages(50)?.bytes)?;
        File::create(done)?;
        Ok(data)
    }

    /// The name of the large log.
    pub(crate) fn large(&self) -> String {
        grown(LARGE / self.scale)
    }

    /// The size of something, as it is said.
    pub(crate) fn megabytes(&self, whole: u64) -> String {
        match whole / self.scale {
            1_000 => "1 GB".to_owned(),
            megabytes => format!("{megabytes} MB"),
        }
    }

    /// Sizes of the logs on which growth is seen, in megabytes.
    pub(crate) fn growth(&self) -> impl Iterator<Item = u64> + use<> {
        let most = LARGE / self.scale;
        GROWTH.into_iter().filter(move |megabytes| *megabytes <= most)
    }

    /// The path of a file, for those who want it whole.
    pub(crate) fn at(&self, name: &str) -> Value {
        json!(self.place.join(name))
    }

    fn texts(&self) -> Result<(), Box<dyn Error>> {
        for megabytes in self.growth() {
            log::write(&self.place.join(grown(megabytes)), megabytes * 1_000_000)?;
        }
        log::write(&self.place.join("medium.log"), 20_000_000)?;
        log::write(&self.place.join("small.log"), 2_000)?;
        self.write("source.rs", source::rust(200_000)?.as_bytes())
    }

    fn directory(&self) -> Result<(), Box<dyn Error>> {
        let place = self.place.join("entries");
        create_dir(&place)?;
        for number in 0..ENTRIES {
            File::create(place.join(format!("entry-{number:05}.txt")))?;
        }
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        Ok(File::create(self.place.join(name))?.write_all(bytes)?)
    }
}

/// The name of a log by its size.
pub(crate) fn grown(megabytes: u64) -> String {
    format!("log-{megabytes}.log")
}

/// The lines of a log of this size: all are equally long.
pub(crate) fn lines_of(bytes: u64) -> u64 {
    bytes.div_ceil(LINE)
}

/// Bytes of a line of a log.
const LINE: u64 = 56;

/// How the line with this number begins.
pub(crate) fn line(number: u64) -> String {
    format!("{:08} INFO", number - 1)
}

/// A number with commas.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
