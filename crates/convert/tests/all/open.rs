//! `OpenDocument` and books, made here part by part.
#![cfg(feature = "open")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::format_collect,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

mod book;
mod deck;
mod hostile;
mod sheets;
mod text;

use std::io::{Cursor, Write};

use readstone_convert::{Bounds, Form, Made, Refusal, Wish, document};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const BOUNDS: Bounds = Bounds { text_bytes: 1 << 20, parts_bytes: 64 << 20, depth: 256 };

const SPACES: &str = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
    xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
    xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
    xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" \
    xmlns:presentation=\"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0\" \
    xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" \
    xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" \
    xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" \
    xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

/// A package of parts.
fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The content of a document with styles and a body of this kind.
fn content(kind: &str, styles: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content {SPACES}>\
         <office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
}

fn convert(form: Form, bytes: &[u8]) -> Result<Made, Refusal> {
    document(form, bytes, &Wish::ALL, &BOUNDS)
}

/// The only section of a document.
fn only(made: &Made) -> &str {
    match made.sections.as_slice() {
        [section] => &section.text,
        sections => panic!("{} sections", sections.len()),
    }
}
