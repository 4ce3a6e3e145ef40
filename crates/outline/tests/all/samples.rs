//! Every language has a sample with its constructs, and an outline that the sample must have.
#![expect(clippy::disallowed_methods, reason = "the samples stand in the source tree")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use readstone_outline::{Language, Outline, languages, outline};

#[test]
fn the_sample_of_every_language_has_the_outline_beside_it() {
    let mut wrong = Vec::new();
    for language in languages() {
        let folder = folder(language);
        let sample = sample(&folder).unwrap_or_else(|| panic!("{} has no sample", language.name()));
        let text = fs::read_to_string(&sample).unwrap();
        let told = tell(&outline(language, &text, &mut || false).unwrap());
        let expected = folder.join("outline.txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &told).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != told {
            wrong.push(format!("{}:\n{told}", language.name()));
        }
    }
    assert!(wrong.is_empty(), "these outlines differ; look at them and BLESS=1:\n{}", wrong.join("\n"));
}

#[test]
fn a_sample_is_told_to_be_in_its_language() {
    for language in languages() {
        let sample = sample(&folder(language)).unwrap();
        let name = sample.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(Language::of(&name, ""), Some(language), "{name}");
    }
}

#[test]
fn the_lines_of_an_item_hold_those_of_what_lies_in_it() {
    for language in languages() {
        let text = fs::read_to_string(sample(&folder(language)).unwrap()).unwrap();
        let outline = outline(language, &text, &mut || false).unwrap();
        assert!(!outline.items.is_empty(), "{}", language.name());
        assert_eq!(outline.lines, text.lines().count() as u64, "{}", language.name());
        for item in &outline.items {
            let (name, lines) = (&item.name, item.lines);
            assert!(lines.first <= item.start && item.start <= item.head && item.head <= lines.last, "{item:?}");
            assert!(lines.last <= outline.lines, "{name}");
            if let Some(parent) = item.parent.map(|at| &outline.items[at]) {
                assert!(parent.lines.first <= lines.first && lines.last <= parent.lines.last, "{name}");
            }
            assert_eq!(item.fold.is_some(), item.head < lines.last, "{item:?}");
        }
    }
}

fn folder(language: Language) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(language.name())
}

fn sample(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == "sample"))
}

/// An outline as text: lines, what it is, and the row that stands for its inside.
fn tell(outline: &Outline) -> String {
    let mut text = String::new();
    for item in &outline.items {
        let indent = "  ".repeat(item.depth);
        let lines = format!("{}-{}", item.lines.first, item.lines.last);
        let _ = write!(text, "{indent}{lines} {} [{}", item.label(), item.start);
        let _ = if item.head == item.start { write!(text, "]") } else { write!(text, "-{}]", item.head) };
        let _ = match item.doc {
            Some(doc) => write!(text, " doc {}-{}", doc.first, doc.last),
            None => Ok(()),
        };
        let _ = match item.inner_doc {
            Some(line) => write!(text, " doc inside {line}"),
            None => Ok(()),
        };
        let _ = writeln!(text, "{}", item.fold.as_ref().map(|row| format!(" | {row}")).unwrap_or_default());
    }
    let blocks: Vec<String> = outline.blocks.iter().map(|span| format!("{}-{}", span.first, span.last)).collect();
    let _ = writeln!(text, "blocks {}", blocks.join(" "));
    if let Some(line) = outline.broken {
        let _ = writeln!(text, "broken at {line}");
    }
    text
}
