//! Documents made to do harm, on the program: rows D01–D10 and D20 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use std::net::TcpListener;
use std::sync::OnceLock;

use readstone_testkit::{Confined, Fixture, Measured, Office, Pixels, Spoken, Trace, Trap, World};
use serde_json::{Value, json};

/// Megabytes that a run may take beyond one that reads next to nothing.
const M64: u64 = 64;
/// Megabytes that a process may write to: those, what it takes for itself, and the stack of a worker.
const WRITTEN: u64 = M64 + 64 + 48;
/// Megabytes of addresses that a process may have.
const ADDRESSES: u64 = 2048;
/// Seconds of a core that a run may use, unoptimised: about ten times as long as it takes when it is built to be used.
const CORE: u64 = 10;
/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 60;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn measured(world: &World, address: &str) -> Measured {
    let mut command = world.command();
    command.env("READSTONE_CALL_MS", "50000").args(["--ephemeral", "read", "--", address]);
    Confined::default().seconds(LATE).addresses(ADDRESSES).megabytes(WRITTEN).measure(&command)
}

/// What the program and its worker take for themselves.
fn usual() -> u64 {
    static USUAL: OnceLock<u64> = OnceLock::new();
    *USUAL.get_or_init(|| {
        let world = world();
        world.file("tiny.docx", Office::word(&Office::paragraph("tiny")));
        (0..3).map(|_| measured(&world, "tiny.docx").megabytes).max().unwrap()
    })
}

/// All that a run within bounds says to an address, behind its exit code where it is not 0. What goes wrong has a
/// code, a sentence and no crash behind it.
fn told(world: &World, address: &str) -> String {
    let before = Fixture::survey(world.path());
    let Measured { run, megabytes, centiseconds } = measured(world, address);
    let grown = megabytes.saturating_sub(usual());
    assert!(grown < M64, "{address} takes {grown} MB more than usual");
    assert!(centiseconds < CORE * 100, "{address} takes {centiseconds} hundredths of a second");
    assert!(run.stdout.len() < PAGE, "{address}: {} bytes", run.stdout.len());
    assert!(Fixture::survey(world.path()) == before, "{address} changed something");
    if run.code == Some(0) {
        return run.text() + &run.stderr;
    }
    let text = format!("{}: {}{}", run.code.unwrap_or(-1), run.text(), run.stderr);
    for word in ["crash", "panic", "overflow", "RUST_BACKTRACE", "no_worker"] {
        assert!(!text.contains(word), "{address}: {text:.500}");
    }
    assert!(run.stderr.len() < 1000, "{address}: {text:.500}");
    text
}

/// Checks all lines of an answer.
fn shows(world: &World, address: &str, lines: &[&str]) {
    let text = told(world, address);
    let numbered = |(number, line): (usize, &&str)| format!("{number}:{line}\n");
    let wanted: String = (1..).zip(lines).map(numbered).collect();
    assert_eq!(text, format!("¶{address}\n{wanted}"));
}

/// Checks an error and its next step.
fn fails(world: &World, address: &str, wanted: &str) {
    assert_eq!(told(world, address), format!("{wanted}\nnext: read {address}:hex\n"));
}

fn declared(extension: &str) -> String {
    format!(
        "7: document.unsupported: [Cannot read .{extension} file: it is not supported: a document type declaration]"
    )
}

#[test]
fn d01_entities_of_entities_are_refused() {
    let world = world();
    for extension in ["docx", "xlsx"] {
        let name = format!("billion_laughs.{extension}");
        world.file(&name, Trap::bytes(&format!("docs/{name}")));
        fails(&world, &name, &declared(extension));
    }
    assert_eq!(told(&world, "billion_laughs.xlsx:S"), told(&world, "billion_laughs.xlsx"));
}

#[test]
fn d02_nothing_that_a_document_refers_to_is_opened_fetched_or_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let there = format!("http://{}/x", listener.local_addr().unwrap());
    let world = world();
    let entities = format!(
        "<!DOCTYPE z SYSTEM \"{there}\" [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY % p SYSTEM \"{there}\">%p;]>"
    );
    world.file("xxe.docx", Office::docx(&entities, "", &Office::paragraph("&x;"), &[]));
    let blip = "<w:p><w:r><w:drawing><a:blip xmlns:a=\"urn:a\" r:link=\"rId1\"/></w:drawing></w:r></w:p>";
    let field =
        "<w:p><w:fldSimple w:instr=\" INCLUDETEXT /etc/passwd \"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>";
    let body = [&Office::paragraph("text"), blip, field].concat();
    let related = [("image", &*there), ("attachedTemplate", &there), ("image", "file:///etc/passwd")];
    world.file("external.docx", Office::docx("", "", &body, &related));
    let html = format!(
        "<!doctype html><html><body><p>text</p><img src=\"{there}\"><iframe src=\"file:///etc/passwd\"></iframe>\
         <script src=\"{there}\"></script><link rel=stylesheet href=\"{there}\"></body></html>"
    );
    world.file("external.html", html);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"file:///etc/passwd\"/><image href=\"{there}\"/></svg>"
    );
    world.file("external.svg", svg);
    fails(&world, "xxe.docx", &declared("docx"));
    for address in ["external.docx", "external.html"] {
        let text = told(&world, address);
        assert!(text.starts_with(&format!("¶{address}\n1:text\n")) && !text.contains("root:"), "{text}");
    }
    assert!(told(&world, "external.svg").contains("\n1:<svg xmlns="));
    for address in ["xxe.docx", "external.docx", "external.html", "external.svg"] {
        let mut command = world.command();
        if let Some((trace, _)) = Trace::of(command.args(["--ephemeral", "read", "--", address])) {
            assert_eq!(trace.forbidden(&["/etc/passwd"]), [""; 0], "{address}");
        }
    }
    assert!(listener.accept().is_err(), "somebody came");
}

#[test]
fn d03_a_long_entity_used_often_is_refused() {
    let world = world();
    world.file("quadratic.docx", Trap::bytes("docs/quadratic.docx"));
    fails(&world, "quadratic.docx", &declared("docx"));
}

#[test]
fn d04_a_part_of_130_megabytes_costs_what_is_read_or_is_refused_by_the_limit_that_it_meets() {
    let world = world();
    for name in ["part_bomb.docx", "blank.docx"] {
        let bytes = Trap::bytes(&format!("docs/{name}"));
        assert!(bytes.len() < 1 << 20, "the fixture is none: {} bytes", bytes.len());
        world.file(name, bytes);
        let text = told(&world, name);
        let refused = text.starts_with("5: document.limit: [Cannot read .docx file: it would unpack to more than 150 ");
        assert!(text.starts_with(&format!("¶{name}\n1:")) || refused, "{text:.300}");
        assert!(!text.contains("268435456"), "the limit that is named was not met: {text}");
    }
}

/// Checks that something is refused by its depth.
fn is_too_deep(world: &World, address: &str) {
    let extension = address.rsplit_once('.').unwrap().1;
    let what = format!("[Cannot read .{extension} file: it goes beyond document_depth 1000]");
    fails(world, address, &format!("5: document.limit: {what}"));
}

#[test]
fn d05_markup_of_half_a_million_levels_is_refused_by_its_depth() {
    let world = world();
    for name in ["deep.docx", "open.docx", "deep.xlsx", "deep.rtf"] {
        world.file(name, Trap::bytes(&format!("docs/{name}")));
    }
    for address in ["deep.docx", "open.docx", "deep.rtf"] {
        is_too_deep(&world, address);
    }
    let text = told(&world, "deep.xlsx");
    assert!(text.starts_with("5: document.limit: ") || text.starts_with("7: document.corrupt: "), "{text}");
}

#[test]
fn d05_a_page_of_half_a_million_levels_keeps_its_text_or_is_refused_by_its_depth() {
    let world = world();
    for (name, open) in
        [("deep.html", "<div>"), ("bold.html", "<b>"), ("list.html", "<ul><li>"), ("table.html", "<table><tr><td>")]
    {
        let levels = 500_000 / open.matches('<').count();
        world.file(name, format!("<!doctype html><html><body>{}deep", open.repeat(levels)));
        let text = told(&world, name);
        let kept = text.starts_with(&format!("¶{name}\n1:")) && text.lines().nth(1).unwrap().ends_with("deep");
        assert!(kept || text.starts_with("5: document.limit: "), "{text:.300}");
    }
}

#[test]
fn d05_json_and_source_of_half_a_million_levels_are_text_and_no_pointer_leads_into_them() {
    let world = world();
    for (address, start) in [
        ("deep.json", "[[["),
        ("deep_object.json", "{\"a\":{"),
        ("deep_parens.rs", "fn f() { ((("),
        ("deep_blocks.js", "{{{"),
        ("deep.ipynb", "{\"nbformat\":4,\"cells\":[[["),
    ] {
        world.file(address, Trap::bytes(&format!("docs/{address}")));
        let text = told(&world, address);
        assert!(text.lines().nth(1).unwrap().starts_with(&format!("1:{start}")), "{text:.300}");
        assert!(text.contains("\n[cut: line 1 is "), "{text:.300}");
    }
    for (address, pointer) in [("deep.json", "/0/0/0"), ("deep_object.json", "/a/a/a"), ("deep.json", "/1")] {
        let text = told(&world, &format!("{address}:{pointer}"));
        let wanted = format!("5: json.limit: '{address}' is nested more than 1000 levels deep in line 1\n");
        assert_eq!(text, format!("{wanted}next: read {address}\n"));
    }
}

#[test]
fn d06_what_a_sheet_says_of_its_size_is_not_believed() {
    let world = world();
    for name in ["dimension.xlsx", "dimension_zero.xlsx", "badref.xlsx"] {
        world.file(name, Trap::bytes(&format!("docs/{name}")));
    }
    shows(&world, "dimension.xlsx", &["## S", "", "| first |", "| --- |", "", "- XFD1048576: last"]);
    shows(&world, "dimension_zero.xlsx", &["## S", "", "| first | last |", "| --- | --- |"]);
    let text = told(&world, "badref.xlsx");
    assert!(text.contains("first") && text.contains("last") && text.len() < 200, "{text:.300}");
}

#[test]
fn d07_what_a_workbook_says_of_the_number_of_its_texts_is_not_believed() {
    let world = world();
    world.file("unique_count.xlsx", Trap::bytes("docs/unique_count.xlsx"));
    shows(&world, "unique_count.xlsx", &["## S", "", "| only |", "| --- |"]);
}

#[test]
fn d08_very_many_attributes_cost_little() {
    let world = world();
    for address in ["attrs.docx", "xmlns.docx"] {
        world.file(address, Trap::bytes(&format!("docs/{address}")));
        let text = told(&world, address);
        let damaged =
            "7: document.corrupt: [Cannot read .docx file: it is damaged: an element has too many attributes]";
        assert!(text.contains("\n1:hello\n") || text.starts_with(damaged), "{text}");
    }
}

#[test]
fn d09_no_part_is_looked_for_outside_the_package_and_a_missing_one_is_damage() {
    let world = world();
    for name in ["missing_part.docx", "slip.docx"] {
        world.file(name, Trap::bytes(&format!("docs/{name}")));
        let text = told(&world, name);
        assert!(text.starts_with("7: document.corrupt: [Cannot read .docx file: it is damaged: "), "{text}");
        assert!(text.ends_with(&format!("]\nnext: read {name}:hex\n")), "{text}");
    }
    let outside = ["../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "..%2f..%2f..%2fetc%2fpasswd"];
    for (number, target) in outside.into_iter().enumerate() {
        let name = format!("slip{number}.epub");
        let item = format!("<item id=\"a\" href=\"{target}\" media-type=\"application/xhtml+xml\"/>");
        let book = format!("<package><manifest>{item}</manifest><spine><itemref idref=\"a\"/></spine></package>");
        let container = "<container><rootfiles><rootfile full-path=\"content.opf\"/></rootfiles></container>";
        let parts =
            [("mimetype", "application/epub+zip"), ("META-INF/container.xml", container), ("content.opf", &book)];
        world.file(&name, Office::package(&parts));
        fails(&world, &name, "7: document.corrupt: [Cannot read .epub file: it is damaged: its chapters are missing]");
    }
    world.file("root.epub", Trap::bytes("docs/root.epub"));
    assert!(told(&world, "root.epub").starts_with("7: document.corrupt: "));
}

#[test]
fn d10_compound_files_whose_tables_lie_or_go_round_are_damaged() {
    let world = world();
    for address in ["fat_count.xls", "fat_loop.doc", "fat_loop.xls", "fat_loop.ppt"] {
        world.file(address, Trap::bytes(&format!("docs/{address}")));
        let (text, extension) = (told(&world, address), address.rsplit_once('.').unwrap().1);
        let wanted = format!("7: document.corrupt: [Cannot read .{extension} file: it is damaged: ");
        assert!(text.starts_with(&wanted), "{address}: {text:.300}");
    }
}

#[test]
fn d20_pages_of_nothing_but_references_and_tags_end_soon() {
    let world = world();
    let pages = [
        ("entities.html", "&amp;".repeat(1_000_000)),
        ("marks.html", "&".repeat(2_000_000)),
        ("unknown.html", "&#99999999999;&nosuch;&CounterClockwiseContourIntegral".repeat(20_000)),
        ("href.html", format!("<a href=\"{}\">x</a>", "&".repeat(2_000_000))),
        ("raised.html", "<sup>1</sup>".to_owned() + &"&lt;sup&gt;".repeat(500_000)),
        ("pre.html", "<pre></pre>".repeat(50_000) + "end"),
        ("less.html", "<".repeat(1_000_000)),
        ("comments.html", "<!--".repeat(250_000)),
        ("script.html", "<script>".repeat(120_000)),
    ];
    let wrong = |(name, body): (&str, String)| {
        world.file(name, format!("<!doctype html><html><body><p>{body}"));
        let Measured { run, megabytes, centiseconds } = measured(&world, name);
        let (said, grown) = (run.text() + &run.stderr, megabytes.saturating_sub(usual()));
        let answered = said.starts_with(&format!("¶{name}")) || said.starts_with("document.empty: ");
        let fine = answered && centiseconds < CORE * 100 && grown < M64 && said.len() < PAGE;
        (!fine).then(|| format!("{name}: {centiseconds} hundredths of a second, {grown} MB, {said:.100}"))
    };
    assert_eq!(pages.into_iter().filter_map(wrong).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn d20_a_field_of_64_megabytes_is_cut_and_a_formula_is_text() {
    let world = world();
    world.file("huge_field.csv", Trap::bytes("docs/huge_field.csv"));
    let text = told(&world, "huge_field.csv");
    assert!(text.contains("\n[cut: line 2 is 67108868 bytes; ") && text.contains("\n3:=1+1,"), "{text:.300}");
    let text = told(&world, "huge_field.csv?limit=5");
    assert!(text.contains("… (64.0 MB) | 1 |\n| =1+1 | =HYPERLINK(\"http://127.0.0.1:9\") |\n"), "{text:.300}");
    let text = told(&world, "huge_field.csv?row=1&column=a");
    assert!(text.contains("\n[cut: line 1 is 67108864 bytes; "), "{text:.300}");
    world.file("no_end.csv", Trap::bytes("docs/no_end.csv"));
    let text = told(&world, "no_end.csv?limit=5");
    assert!(
        text.contains("never closed") && text.contains("; 1 cell cut: read no_end.csv?row=1&column=a"),
        "{text:.300}"
    );
}

fn text_of(answer: &Value) -> &str {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn after_a_hostile_file_the_same_server_answers_the_next_call() {
    let world = world();
    world.file("tiny.docx", Office::word(&Office::paragraph("still here")));
    world.file("laughs.docx", Trap::bytes("docs/billion_laughs.docx"));
    world.file("deep.docx", Trap::bytes("docs/open.docx"));
    world.file("bomb.docx", Trap::bytes("docs/blank.docx"));
    world.file("deep.rtf", Trap::bytes("docs/deep.rtf"));
    world.file("cut.pdf", "%PDF-1.7\n");
    world.file("huge.png", Pixels::png(50_000, 50_000, b"", &Pixels::zlib(&[0; 100])));
    let mut client = Spoken::start::<&str>(&world, [], "2025-11-25");
    for (path, code) in [
        ("laughs.docx", "document.unsupported: "),
        ("deep.docx", "document.limit: "),
        ("bomb.docx", "document.limit: "),
        ("deep.rtf", "document.limit: "),
        ("cut.pdf", "document.corrupt: "),
        ("huge.png", "image.limit: "),
    ] {
        let answer = client.call("read", &json!({ "path": path }));
        assert_eq!(answer["result"]["isError"], json!(true), "{path}: {answer}");
        assert!(text_of(&answer).starts_with(code), "{path}: {answer}");
        let answer = client.call("read", &json!({ "path": "tiny.docx" }));
        assert_eq!(text_of(&answer), "¶tiny.docx\n1:still here\n", "after {path}");
    }
    assert_eq!(client.end().0, Some(0));
}
