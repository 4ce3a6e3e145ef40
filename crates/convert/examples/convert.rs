//! Prints the text of a document: `convert FORM FILE`.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program for trying out")]

use readstone_convert::{Bounds, Form, Wish, document};

const FORMS: [Form; 12] = [
    Form::Pdf,
    Form::Docx,
    Form::Pptx,
    Form::Xlsx,
    Form::Doc,
    Form::Ppt,
    Form::Xls,
    Form::Rtf,
    Form::Epub,
    Form::Odt,
    Form::Odp,
    Form::Ods,
];

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (Some(form), Some(file)) = (words.next(), words.next()) else { return Err("convert FORM FILE".to_owned()) };
    let form = FORMS.into_iter().find(|known| known.name() == form).ok_or("no such form")?;
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let bounds = Bounds { text_bytes: 64 << 20, parts_bytes: 256 << 20, depth: 256 };
    let made = document(form, &bytes, &Wish::ALL, &bounds).map_err(|refusal| format!("{refusal:?}"))?;
    for section in &made.sections {
        if let Some(name) = &section.name {
            println!("## {name}\n");
        }
        println!("{}\n", section.text);
        eprintln!("{:?}", section.state);
    }
    eprintln!("{:?} {} of {}, {:?}", made.parts, made.sections.len(), made.count, made.remarks);
    Ok(())
}
