//! Office packages: zip archives of XML.

use std::error::Error;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

use crate::made::Document;

pub(crate) const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
pub(crate) const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

/// The kinds of the parts, by their names without ending.
pub(crate) fn types(family: &str, parts: &[(&str, &str)]) -> String {
    let kinds = parts
        .iter()
        .map(|(name, kind)| {
            let kind = format!("application/vnd.openxmlformats-officedocument.{family}.{kind}+xml");
            format!("<Override PartName=\"/{name}.xml\" ContentType=\"{kind}\"/>")
        })
        .collect::<Vec<_>>()
        .concat();
    format!(
        "{XML}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" \
         ContentType=\"application/xml\"/>{kinds}</Types>"
    )
}

/// What belongs to a part, by kind and name.
pub(crate) fn relations(targets: &[(&str, &str)]) -> String {
    let all = targets
        .iter()
        .enumerate()
        .map(|(at, (kind, target))| {
            format!("<Relationship Id=\"rId{}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>", at + 1)
        })
        .collect::<Vec<_>>()
        .concat();
    format!("{XML}<Relationships xmlns=\"{PACKAGE}/relationships\">{all}</Relationships>")
}

/// A zip archive whose last byte is its comment.
pub(crate) fn pack(parts: &[(&str, String)], text: usize) -> Result<Document, Box<dyn Error>> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default())?;
        writer.write_all(content.as_bytes())?;
    }
    writer.set_comment("-")?;
    let bytes = writer.finish()?.into_inner();
    let spare = bytes.len().saturating_sub(1);
    Ok(Document { bytes, spare, text })
}
