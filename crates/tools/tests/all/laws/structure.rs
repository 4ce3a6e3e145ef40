//! Summaries and outlines tell the truth: what is kept is the file's, what is folded is the rest, and every address opens.

#![expect(clippy::disallowed_methods, reason = "the sources that are read lie in the source tree")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use readstone_base::{Budget, Limits, Spoiled, Task, Workshop};
use readstone_outline::{Item, Sort};
use serde_json::json;

use super::stand::{Seen, Stand};

/// A row of a summary, read as a model reads it.
#[derive(Debug)]
enum Row<'a> {
    Kept(u64, &'a str),
    Folded(u64, u64, &'a str),
}

/// The samples of all languages and the sources of these tests, by their names.
fn sources() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let languages = std::fs::read_dir(here.join("../outline/languages")).expect("the languages");
    let folders = languages.flatten().map(|entry| entry.path());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a language").flatten());
    let samples = files.map(|entry| entry.path()).filter(|path| path.file_stem().is_some_and(|stem| stem == "sample"));
    let own = std::fs::read_dir(here.join("tests/all/laws")).expect("this folder").flatten().map(|entry| entry.path());
    let known = |path: &PathBuf| readstone_outline::Language::of(&path.to_string_lossy(), "").is_some();
    // A web page is read as Markdown, whatever its elements are called.
    let page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "html");
    let mut all: Vec<PathBuf> = samples.chain(own).filter(|path| known(path) && !page(path)).collect();
    all.sort();
    assert!(all.len() > 20, "there are samples");
    all
}

/// The names that a text declares, without those inside functions.
fn declared(name: &str, text: &str) -> Vec<String> {
    let language = readstone_outline::Language::of(name, "").expect("a language");
    let outline = readstone_outline::outline(language, text, &mut || false).expect("an outline");
    let inside = |at: usize| outline.chain(at).iter().rev().skip(1).any(|item| item.sort == Sort::Leaf);
    let names = outline.items.iter().enumerate().filter(|(at, _)| !inside(*at));
    // Something can be called by what stands inside it, as a table by one of its keys.
    let lines: Vec<&str> = text.lines().collect();
    let head =
        |item: &Item| lines[usize::try_from(item.start - 1).unwrap()..usize::try_from(item.head).unwrap()].join(" ");
    names.filter(|(_, item)| head(item).contains(&item.name)).map(|(_, item)| item.name.clone()).collect()
}

fn limits(page_bytes: u64, page_lines: u64, summary_bytes: u64) -> Limits {
    Limits { page_bytes, page_lines, summary_bytes, ..Limits::default() }
}

fn rows(page: &Seen) -> Vec<Row<'_>> {
    let lines = page.text.split_terminator('\n').skip(1).filter(|line| !line.starts_with('['));
    lines
        .map(|line| {
            let (label, text) = line.split_once(':').expect("a row has a label");
            let number = |digits: &str| digits.parse().unwrap_or_else(|_| panic!("{line:?} in {}", page.text));
            match label.split_once('-') {
                Some((first, last)) => Row::Folded(number(first), number(last), text),
                None => Row::Kept(number(label), text),
            }
        })
        .collect()
}

/// The addresses that a page offers: its own next, and those of what is folded.
fn offered(page: &Seen) -> Vec<String> {
    let marks = page.text.lines().filter(|line| line.starts_with('['));
    let next = marks.filter_map(|line| line.strip_suffix(']')?.rsplit_once("next: read "));
    next.map(|(_, address)| address.to_owned()).collect()
}

fn check_summary(stand: &Stand, name: &str, text: &str, page: &Seen) {
    let lines: Vec<&str> = text.lines().collect();
    let summary = page.target.summary.expect("a summary");
    let mut at = 1;
    let (mut kept, mut folded) = (0, 0);
    for row in rows(page) {
        match row {
            Row::Kept(number, shown) => {
                assert_eq!(number, at, "{name}: a line is missing or doubled\n{}", page.text);
                assert_eq!(shown, lines[usize::try_from(number - 1).unwrap()], "{name}: line {number}");
                (at, kept) = (at + 1, kept + 1);
            }
            Row::Folded(first, last, shown) => {
                assert_eq!(first, at, "{name}: a line is missing or doubled\n{}", page.text);
                assert!(last > first && !shown.trim().is_empty(), "{name}: {first}-{last}:{shown}");
                (at, folded) = (last + 1, folded + (last + 1 - first));
            }
        }
    }
    assert_eq!((kept, folded), (summary.lines, summary.elided_lines), "{name}\n{}", page.text);
    if page.target.cut_by.is_none() {
        assert_eq!(at - 1, lines.len() as u64, "{name}: the summary does not reach the end\n{}", page.text);
    }
    check_offers(stand, page);
}

fn check_offers(stand: &Stand, page: &Seen) {
    for address in offered(page) {
        let opened = stand.read(&address);
        assert!(opened.text.lines().count() > 1, "{address} shows nothing:\n{}", opened.text);
    }
}

#[test]
fn a_summary_keeps_lines_as_they_are_and_folds_all_others() {
    let mut summaries = 0;
    for source in sources() {
        let text = std::fs::read_to_string(&source).expect("a source");
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        for (bytes, lines, small) in [(900, 40, 600), (1_400, 30, 1_400), (400, 12, 200), (2_500, 2_000, 2_000)] {
            let stand = Stand::new(&limits(bytes, lines, small));
            stand.write(&name, text.as_bytes());
            let page = stand.read(&name);
            if page.target.summary.is_some() {
                summaries += 1;
                check_summary(&stand, &name, &text, &page);
            }
        }
    }
    assert!(summaries > 60, "only {summaries} summaries");
}

#[test]
fn an_outline_goes_on_until_every_name_was_shown() {
    for source in sources() {
        let text = std::fs::read_to_string(&source).expect("a source");
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        let small = Stand::new(&limits(500, 12, 400));
        small.write(&name, text.as_bytes());
        let mut seen = String::new();
        let mut open = vec![format!("{name}:outline")];
        let mut met = std::collections::HashSet::new();
        while let Some(address) = open.pop() {
            if !met.insert(address.clone()) {
                continue;
            }
            assert!(met.len() < 400, "{name}: no end of outlines");
            let page = small.read(&address);
            seen.push_str(&page.text);
            open.extend(offered(&page));
            open.extend(page.target.next.clone().filter(|_| page.target.cut_by.is_some()));
        }
        for item in declared(&name, &text) {
            assert!(seen.contains(&item), "{name}: {item} is shown nowhere");
        }
    }
}

#[test]
fn every_symbol_is_found_by_the_address_that_the_outline_suggests() {
    for source in sources() {
        let text = std::fs::read_to_string(&source).expect("a source");
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        let language = readstone_outline::Language::of(&name, "").expect("a language");
        let outline = readstone_outline::outline(language, &text, &mut || false).expect("an outline");
        let stand = Stand::new(&Limits::default());
        stand.write(&name, text.as_bytes());
        for (at, item) in outline.items.iter().enumerate() {
            let Some(symbol) = outline.symbol(at) else {
                continue;
            };
            let page = stand.read(&format!("{name}:@{symbol}"));
            let lines: Vec<&str> = text.lines().collect();
            let (first, last) = (item.lines.first, item.lines.last);
            let own = lines[usize::try_from(first - 1).unwrap()..usize::try_from(last).unwrap()].join("\n");
            let shown = rows(&page)
                .iter()
                .map(|row| match row {
                    Row::Kept(_, text) => *text,
                    Row::Folded(..) => panic!("{name}:@{symbol} is folded"),
                })
                .collect::<Vec<_>>()
                .join("\n");
            assert_eq!(shown, own, "{name}:@{symbol}");
            assert_eq!(page.target.shown.as_ref().unwrap().ranges, [item.lines], "{name}:@{symbol}");
        }
    }
}

#[test]
fn names_that_many_share_are_told_apart_by_their_lines() {
    let mut text = "1".to_owned();
    for _ in 0..6 {
        text = format!("{{\n\"a\": {text},\n\"b\": {text},\n\"c\": {text}\n}}");
    }
    let stand = Stand::new(&Limits::default());
    stand.write("same.json", format!("{text}\n").as_bytes());
    let page = stand.read("same.json:outline");
    assert!(page.text.len() < 60_000, "{} bytes", page.text.len());
    check_offers(&stand, &page);
}

#[test]
fn long_names_inside_what_is_closed_do_not_make_a_page_longer() {
    let key =
        |number: usize, sign: &str| format!("\"{sign}{number:04}{}\": {{\n\"x\": 1,\n\"y\": 2\n}}", sign.repeat(190));
    let object = |number: usize| {
        let keys = ["p", "q", "r"].map(|sign| key(number, sign)).join(",\n");
        format!("\"o{number}\": {{\n{keys}\n}}")
    };
    let text = format!("{{\n{}\n}}\n", (0..560).map(object).collect::<Vec<_>>().join(",\n"));
    let stand = Stand::new(&Limits::default());
    stand.write("long.json", text.as_bytes());
    for address in ["long.json", "long.json:outline"] {
        let page = stand.read(address);
        assert!(page.text.len() < 54_000, "{address}: {} bytes", page.text.len());
        check_offers(&stand, &page);
    }
}

#[test]
fn more_names_than_an_outline_holds_are_not_denied() {
    let text = (0..120_000).map(|number| format!("k{number} = 1")).collect::<Vec<_>>().join("\n");
    let stand = Stand::new(&Limits::default());
    stand.write("many.toml", text.as_bytes());
    let reply = stand.call(&json!({ "path": "many.toml:@k119999" }));
    assert!(reply.text().contains("what stands from line 100001 on is not in its outline"), "{}", reply.text());
    let page = stand.read("many.toml:outline");
    assert!(page.target.notes.iter().any(|(code, _)| *code == "outline.cut"), "{:?}", page.target.notes);
}

#[test]
fn one_long_function_is_shown_and_not_summed_up() {
    let text = format!("def one():\n{}", "    print(1)\n".repeat(5_000));
    let stand = Stand::new(&Limits::default());
    stand.write("one.py", text.as_bytes());
    let page = stand.read("one.py");
    assert!(page.target.summary.is_none() && page.text.contains("\n1999:    print(1)\n"), "{:.200}", page.text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_summary_of_anything_is_sound(
        pick in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
        (bytes, rows, small) in (200_u64..3_000, 6_u64..200, 100_u64..2_000),
    ) {
        let sources = sources();
        let source = pick.get(&sources);
        let text = std::fs::read_to_string(source).expect("a source");
        let mut lines: Vec<&str> = text.lines().collect();
        // Lines in another order are no program any more; the summary must hold all the same.
        for (from, to) in cuts {
            if !lines.is_empty() {
                let line = lines.remove(from.index(lines.len()));
                let to = to.index(lines.len() + 1);
                lines.insert(to, line);
            }
        }
        let text = format!("{}\n", lines.join("\n"));
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        let stand = Stand::new(&limits(bytes, rows, small));
        stand.write(&name, text.as_bytes());
        let page = stand.read_with(&json!({ "path": name }));
        if page.target.summary.is_some() {
            check_summary(&stand, &name, &text, &page);
        }
    }
}

/// A worker to which everything is too much.
#[derive(Debug, Default)]
struct Overcome(AtomicUsize);

impl Workshop for Overcome {
    fn work(&self, _: &Task<'_>, _: &Budget) -> Result<Vec<u8>, Spoiled> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(Spoiled::Limit { name: "worker_memory", value: 1 })
    }
}

#[test]
fn what_is_too_much_for_a_parser_is_tried_once() {
    let works = Arc::<Overcome>::default();
    let stand = Stand::new(&Limits::default()).with_workshop(Arc::clone(&works) as Arc<dyn Workshop>);
    stand.write("a.rs", "fn one() {\n    two();\n}\n".repeat(2_000).as_bytes());
    for _ in 0..3 {
        let seen = stand.read("a.rs:outline").text;
        assert!(
            seen.contains("no outline: parsing it needs too much (worker_memory)"),
            "{}",
            &seen[seen.len() - 300..]
        );
        assert_eq!(works.0.load(Ordering::Relaxed), 1);
    }
}
