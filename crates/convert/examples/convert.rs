//! Prints what a document is converted to: `convert FORM FILE [FIRST LAST]`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program for people who try conversions by hand"
)]

use readstone_convert::{Bounds, Form, Made, Wish, document};

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

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (Some(form), Some(file)) = (words.get(1), words.get(2)) else {
        eprintln!("usage: convert FORM FILE [FIRST LAST]");
        std::process::exit(2);
    };
    #[cfg(feature = "html")]
    if form == "html" {
        return web(file);
    }
    let form = if form == "xlsm" { "xlsx" } else { form };
    let Some(form) = FORMS.into_iter().find(|known| known.name() == form) else {
        eprintln!("no such form: {form}");
        std::process::exit(2);
    };
    let number = |at: usize, none: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(none);
    let wish = Wish { first: number(3, 1), last: number(4, u64::MAX), enough: u64::MAX };
    let bounds = Bounds { text_bytes: 64 << 20, parts_bytes: 256 << 20, depth: 256 };
    let Ok(bytes) = std::fs::read(file) else {
        eprintln!("cannot read {file}");
        std::process::exit(2);
    };
    let run = move || document(form, &bytes, &wish, &bounds);
    let Ok(thread) = std::thread::Builder::new().stack_size(64 << 20).spawn(run) else {
        std::process::exit(70);
    };
    match thread.join() {
        Ok(Ok(made)) => show(&made),
        Ok(Err(refusal)) => {
            println!("{refusal:?}");
            std::process::exit(1);
        }
        Err(_) => std::process::exit(70),
    }
}

#[cfg(feature = "html")]
fn web(file: &str) {
    let bounds = Bounds { text_bytes: 64 << 20, parts_bytes: 256 << 20, depth: 256 };
    let text = std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    match readstone_convert::web_page(&text, None, &bounds) {
        Ok(page) => {
            println!("{}", page.text);
            page.remarks.iter().for_each(|remark| eprintln!("{remark:?}"));
        }
        Err(refusal) => println!("{refusal:?}"),
    }
}

fn show(made: &Made) {
    for (index, section) in made.sections.iter().enumerate() {
        let name = section.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        println!(
            "<!-- {:?} {}{name} {:?} -->\n\n{}\n",
            made.parts,
            made.first + index as u64,
            section.state,
            section.text
        );
    }
    for remark in &made.remarks {
        eprintln!("{remark:?}");
    }
}
