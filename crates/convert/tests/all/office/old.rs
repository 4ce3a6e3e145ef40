//! Documents before 2007.

use readstone_convert::{Form, Parts, Refusal};

use super::recipes::{all, compound};

fn record(out: &mut Vec<u8>, kind: u16, data: &[u8]) {
    out.extend(kind.to_le_bytes());
    out.extend((data.len() as u16).to_le_bytes());
    out.extend(data);
}

/// A workbook with one sheet: a text in A1, a number in B1, a date in A2; encrypted if it has a password record.
fn xls(pass: &[u8]) -> Vec<u8> {
    let bof =
        |kind: u16| [0x0600_u16, kind, 0, 0x07CC, 0, 0, 0, 0].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let mut head = Vec::new();
    record(&mut head, 0x0809, &bof(5));
    if !pass.is_empty() {
        record(&mut head, 0x002F, pass);
    }
    for format in [0_u16, 14] {
        let mut style = vec![0_u8; 20];
        style[2..4].copy_from_slice(&format.to_le_bytes());
        record(&mut head, 0x00E0, &style);
    }
    let mut sheet = Vec::new();
    let mut name = ((head.len() + 16 + 4) as u32).to_le_bytes().to_vec();
    name.extend([0, 0, 4, 0]);
    name.extend(b"Crew");
    record(&mut head, 0x0085, &name);
    record(&mut head, 0x000A, &[]);
    record(&mut sheet, 0x0809, &bof(0x10));
    let mut label = vec![0, 0, 0, 0, 0, 0, 5, 0, 0];
    label.extend(b"pilot");
    record(&mut sheet, 0x0204, &label);
    let number = |row: u8, column: u8, style: u8, value: f64| {
        let mut data = vec![row, 0, column, 0, style, 0];
        data.extend(value.to_le_bytes());
        data
    };
    record(&mut sheet, 0x0203, &number(0, 1, 0, 7.5));
    record(&mut sheet, 0x0203, &number(1, 0, 1, 45300.0));
    record(&mut sheet, 0x000A, &[]);
    head.extend(sheet);
    compound("Workbook", &head)
}

#[test]
fn an_old_workbook_is_read_with_its_dates() {
    let made = all(Form::Xls, xls(&[])).unwrap();
    assert_eq!(made.parts, Parts::Sheets);
    assert_eq!(made.sections[0].name.as_deref(), Some("Crew"));
    assert_eq!(made.sections[0].text, "| pilot | 7.5 |\n| --- | --- |\n| 2024-01-09 |  |");
}

#[test]
fn encrypted_documents_say_so() {
    assert_eq!(all(Form::Xls, xls(&[1, 0, 1, 0, 1, 0])), Err(Refusal::Encrypted));
    for form in [Form::Docx, Form::Xlsx, Form::Pptx, Form::Doc, Form::Xls, Form::Ppt] {
        assert_eq!(all(form, compound("EncryptedPackage", &[7; 4096])), Err(Refusal::Encrypted));
    }
    let mut word = vec![0_u8; 4096];
    word[..4].copy_from_slice(&[0xEC, 0xA5, 0xC1, 0x00]);
    word[0x0B] = 0x01;
    assert_eq!(all(Form::Doc, compound("WordDocument", &word)), Err(Refusal::Encrypted));
}

#[test]
fn what_is_no_document_at_all_is_damaged() {
    for form in [Form::Docx, Form::Xlsx, Form::Pptx, Form::Doc, Form::Xls, Form::Ppt] {
        for bytes in [Vec::new(), b"hello, world".to_vec(), b"PK\x03\x04".to_vec(), compound("Other", &[0; 4096])] {
            assert!(matches!(all(form, bytes), Err(Refusal::Damaged(_))), "{form:?}");
        }
    }
}
