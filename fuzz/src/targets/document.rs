//! Any bytes as a document of any form: bounds are kept, and a section reads the same whichever others are asked for.
//!
//! What is a package may be given as its parts, `name NUL content NUL` for each: so it is the markup that changes, and not
//! what is compressed.

use std::io::{Cursor, Write as _};

use readstone_convert::{Bounds, Form, Made, Parts, Wish, document};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::deep;

/// The forms, by the letter that an input begins with.
const FORMS: [(u8, Form); 12] = [
    (b'r', Form::Rtf),
    (b't', Form::Odt),
    (b's', Form::Ods),
    (b'p', Form::Odp),
    (b'e', Form::Epub),
    (b'D', Form::Docx),
    (b'X', Form::Xlsx),
    (b'P', Form::Pptx),
    (b'd', Form::Doc),
    (b'x', Form::Xls),
    (b'q', Form::Ppt),
    (b'f', Form::Pdf),
];

const BOUNDS: Bounds = Bounds { text_bytes: 64 * 1024, parts_bytes: 1 << 20, depth: 100 };

pub(crate) fn run(input: &[u8]) {
    let Some((pick, bytes)) = input.split_first() else { return };
    let Some((_, form)) = FORMS.iter().find(|(letter, _)| letter == pick) else { return };
    let packed = matches!(form, Form::Rtf | Form::Doc | Form::Xls | Form::Ppt | Form::Pdf) || bytes.starts_with(b"PK");
    let (form, bytes) = (*form, if packed { bytes.to_vec() } else { package(bytes) });
    deep(move || check(form, &bytes));
}

/// A package of parts, as they stand in an input.
fn package(parts: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut fields = parts.split(|byte| *byte == 0);
    while let (Some(name), Some(content)) = (fields.next(), fields.next()) {
        // The same name twice is refused by whoever packs.
        if writer.start_file(String::from_utf8_lossy(name), stored).is_ok() {
            writer.write_all(content).expect("memory");
        }
    }
    writer.finish().expect("memory").into_inner()
}

fn check(form: Form, bytes: &[u8]) {
    let Ok(made) = document(form, bytes, &Wish::ALL, &BOUNDS) else { return };
    sound(&made);
    assert!(made.sections.len() as u64 <= made.count);
    if made.parts == Parts::Flow {
        assert_eq!(made.sections.len(), 1);
    }
    // One section alone, unless the bound cut what came before it.
    let last = made.sections.len() as u64;
    if last < 2 || !made.remarks.is_empty() {
        return;
    }
    let wish = Wish { first: last, last, enough: u64::MAX };
    let alone = document(form, bytes, &wish, &BOUNDS).expect("it was made before");
    assert_eq!((alone.first, alone.sections.len(), alone.count), (last, 1, made.count));
    assert_eq!(alone.sections.first(), made.sections.last());
}

fn sound(made: &Made) {
    let length: usize = made.sections.iter().map(|section| section.text.len()).sum();
    assert!(length as u64 <= BOUNDS.text_bytes, "{length} bytes of text");
    for section in &made.sections {
        let text = &section.text;
        assert!(!text.contains('\r') && !text.starts_with('\n') && !text.ends_with('\n'), "{text:?}");
    }
}
