//! Documents made to do harm, on the program: rows D01–D10 and D20 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use std::net::TcpListener;
use std::sync::OnceLock;

use readstone_testkit::{Confined, Fixture, Measured, Office, Pixels, Spoken, Trace, World};
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

/// A declaration of entities of which the last is a billion times the first.
fn laughs() -> String {
    let level = |level: u8| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    format!("<!DOCTYPE z [<!ENTITY a0 \"ha\">{}]>", (1..10).map(level).collect::<String>())
}

const FIRST_TEXT: &str = r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row>"#;

fn declared(extension: &str) -> String {
    format!(
        "7: document.unsupported: [Cannot read .{extension} file: it is not supported: a document type declaration]"
    )
}

#[test]
fn d01_entities_of_entities_are_refused() {
    let world = world();
    world.file("billion_laughs.docx", Office::docx(&laughs(), "", &Office::paragraph("&a9;"), &[]));
    fails(&world, "billion_laughs.docx", &declared("docx"));
    let texts = format!("{}<sst><si><t>&a9;</t></si></sst>", laughs());
    world.file("billion_laughs.xlsx", Office::xlsx("", FIRST_TEXT, &texts));
    fails(&world, "billion_laughs.xlsx", &declared("xlsx"));
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
    let declaration = format!("<!DOCTYPE z [<!ENTITY a \"{}\">]>", "a".repeat(50_000));
    let often = Office::paragraph(&"&a;".repeat(50_000));
    world.file("quadratic.docx", Office::docx(&declaration, "", &often, &[]));
    fails(&world, "quadratic.docx", &declared("docx"));
}

#[test]
fn d04_a_part_of_130_megabytes_costs_what_is_read_or_is_refused_by_the_limit_that_it_meets() {
    let world = world();
    let paragraph = Office::paragraph("x");
    for (name, body) in [
        ("part_bomb.docx", paragraph.repeat((130 << 20) / paragraph.len())),
        ("blank.docx", Office::paragraph("head") + &Office::paragraph(&" ".repeat(130 << 20))),
    ] {
        let bytes = Office::word(&body);
        assert!(bytes.len() < 1 << 20, "the fixture is none: {} bytes", bytes.len());
        drop(body);
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
    let sdt = ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>");
    let closed = sdt.0.repeat(250_000) + &Office::paragraph("deep") + &sdt.1.repeat(250_000);
    world.file("deep.docx", Office::word(&closed));
    world.file("open.docx", Office::word(&"<w:tbl><w:tr><w:tc>".repeat(170_000)));
    let row = format!("<row r=\"1\">{}</row>", "<c r=\"A1\"><is>".repeat(250_000));
    world.file("deep.xlsx", Office::xlsx("", &row, "<sst/>"));
    world.file("deep.rtf", format!("{{\\rtf1 {}x{}}}", "{".repeat(500_000), "}".repeat(500_000)));
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
    world.file("deep.json", ["[".repeat(500_000), "]".repeat(500_000)].concat());
    world.file("deep_object.json", ["{\"a\":".repeat(500_000), "1".to_owned(), "}".repeat(500_000)].concat());
    world.file("deep_parens.rs", format!("fn f() {{ {}1{}; }}\n", "(".repeat(500_000), ")".repeat(500_000)));
    world.file("deep_blocks.js", "{".repeat(500_000) + &"}".repeat(500_000));
    world.file("deep.ipynb", format!("{{\"cells\":{}", "[".repeat(500_000)));
    for (address, start) in [
        ("deep.json", "[[["),
        ("deep_object.json", "{\"a\":{"),
        ("deep_parens.rs", "fn f() { ((("),
        ("deep_blocks.js", "{{{"),
        ("deep.ipynb", "{\"cells\":[[["),
    ] {
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
    let far = Office::row("1", &[("A1", "first")]) + &Office::row("1048576", &[("XFD1048576", "last")]);
    world.file("dimension.xlsx", Office::xlsx(r#"<dimension ref="A1:XFD1048576"/>"#, &far, "<sst/>"));
    shows(&world, "dimension.xlsx", &["## S", "", "| first |", "| --- |", "", "- XFD1048576: last"]);
    let two = Office::row("1", &[("A1", "first"), ("B1", "last")]);
    world.file("dimension_zero.xlsx", Office::xlsx(r#"<dimension ref="A0:ZZZZ99999999"/>"#, &two, "<sst/>"));
    shows(&world, "dimension_zero.xlsx", &["## S", "", "| first | last |", "| --- | --- |"]);
    let bad = Office::row("99999999999999999999", &[("A0", "first"), ("ZZZZZZ99999999999", "last")]);
    world.file("badref.xlsx", Office::xlsx("", &bad, "<sst/>"));
    let text = told(&world, "badref.xlsx");
    assert!(text.contains("first") && text.contains("last") && text.len() < 200, "{text:.300}");
}

#[test]
fn d07_what_a_workbook_says_of_the_number_of_its_texts_is_not_believed() {
    let world = world();
    let texts = r#"<sst count="4294967295" uniqueCount="4294967295"><si><t>only</t></si></sst>"#;
    world.file("unique_count.xlsx", Office::xlsx("", FIRST_TEXT, texts));
    shows(&world, "unique_count.xlsx", &["## S", "", "| only |", "| --- |"]);
}

#[test]
fn d08_very_many_attributes_cost_little() {
    let world = world();
    let many = (0..150_000).map(|number| format!(" a{number}=\"v\"")).collect::<Vec<_>>().concat();
    world.file("attrs.docx", Office::word(&format!("<w:p{many}><w:r><w:t>hello</w:t></w:r></w:p>")));
    let many = (0..150_000).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect::<Vec<_>>().concat();
    world.file("xmlns.docx", Office::docx("", &many, &Office::paragraph("hello"), &[]));
    for address in ["attrs.docx", "xmlns.docx"] {
        let text = told(&world, address);
        let damaged =
            "7: document.corrupt: [Cannot read .docx file: it is damaged: an element has too many attributes]";
        assert!(text.contains("\n1:hello\n") || text.starts_with(damaged), "{text}");
    }
}

#[test]
fn d09_no_part_is_looked_for_outside_the_package_and_a_missing_one_is_damage() {
    let world = world();
    let (types, office) = (Office::types("word/document.xml", "wordprocessingml.document.main"), "officeDocument");
    for (name, target) in [("missing_part.docx", "word/document.xml"), ("slip.docx", "../../../../../etc/passwd")] {
        let root = Office::relations(&[(office, target)]);
        let parts = [("[Content_Types].xml", &*types), ("_rels/.rels", &root), ("word/styles.xml", "<styles/>")];
        world.file(name, Office::package(&parts));
        let text = told(&world, name);
        assert!(text.starts_with("7: document.corrupt: [Cannot read .docx file: it is damaged: "), "{text}");
        assert!(text.ends_with(&format!("]\nnext: read {name}:hex\n")), "{text}");
    }
    let outside = ["../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "..%2f..%2f..%2fetc%2fpasswd"];
    for (number, target) in outside.into_iter().enumerate() {
        let name = format!("slip{number}.epub");
        let item = format!("<item id=\"a\" href=\"{target}\" media-type=\"application/xhtml+xml\"/>");
        let book = format!("<package><manifest>{item}</manifest><spine><itemref idref=\"a\"/></spine></package>");
        world.file(&name, epub("content.opf", &book));
        fails(&world, &name, "7: document.corrupt: [Cannot read .epub file: it is damaged: its chapters are missing]");
    }
    world.file("root.epub", epub("../../../../etc/passwd", "<package/>"));
    assert!(told(&world, "root.epub").starts_with("7: document.corrupt: "));
}

/// A book whose list of files is said to be at `path`.
fn epub(path: &str, book: &str) -> Vec<u8> {
    let container = format!("<container><rootfiles><rootfile full-path=\"{path}\"/></rootfiles></container>");
    let parts = [("mimetype", "application/epub+zip"), ("META-INF/container.xml", &*container), ("content.opf", book)];
    Office::package(&parts)
}

#[test]
fn d10_compound_files_whose_tables_lie_or_go_round_are_damaged() {
    let world = world();
    let whole = |name| Office::compound(name, &[0; 8192]);
    let with = |mut bytes: Vec<u8>, at: usize, value: u32| {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    // The head says how many sectors the tables have; the table that sector 2 is followed by sector 2.
    world.file("fat_count.xls", with(with(whole("Workbook"), 0x2C, 0x7FFF_FFFF), 0x48, 0x7FFF_FFFF));
    world.file("fat_loop.doc", with(whole("WordDocument"), 1024 + 8, 2));
    world.file("fat_loop.xls", with(whole("Workbook"), 1024 + 8, 2));
    world.file("fat_loop.ppt", with(whole("PowerPoint Document"), 1024 + 8, 2));
    for address in ["fat_count.xls", "fat_loop.doc", "fat_loop.xls", "fat_loop.ppt"] {
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
    let field = format!("a,b\n\"{}\",1\n=1+1,\"=HYPERLINK(\"\"http://127.0.0.1:9\"\")\"\n", "x".repeat(64 << 20));
    world.file("huge_field.csv", field);
    let text = told(&world, "huge_field.csv");
    assert!(text.contains("\n[cut: line 2 is 67108868 bytes; ") && text.contains("\n3:=1+1,"), "{text:.300}");
    let text = told(&world, "huge_field.csv?limit=5");
    assert!(text.contains("… (64.0 MB) | 1 |\n| =1+1 | =HYPERLINK(\"http://127.0.0.1:9\") |\n"), "{text:.300}");
    let text = told(&world, "huge_field.csv?row=1&column=a");
    assert!(text.contains("\n[cut: line 1 is 67108864 bytes; "), "{text:.300}");
    world.file("no_end.csv", format!("a,b\n\"{}", "x,\n".repeat(10 << 20)));
    let text = told(&world, "no_end.csv?limit=5");
    assert!(text.contains("\n[1 cell cut: read no_end.csv?row=1&column=a"), "{text:.300}");
}

fn text_of(answer: &Value) -> &str {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn after_a_hostile_file_the_same_server_answers_the_next_call() {
    let world = world();
    world.file("tiny.docx", Office::word(&Office::paragraph("still here")));
    world.file("laughs.docx", Office::docx(&laughs(), "", &Office::paragraph("&a9;"), &[]));
    world.file("deep.docx", Office::word(&"<w:tbl><w:tr><w:tc>".repeat(170_000)));
    world.file("bomb.docx", Office::word(&Office::paragraph(&" ".repeat(130 << 20))));
    world.file("deep.rtf", format!("{{\\rtf1 {}", "{".repeat(500_000)));
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
