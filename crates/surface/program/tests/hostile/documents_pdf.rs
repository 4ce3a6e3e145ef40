//! PDF files made to do harm, on the program: rows D02 and D11–D15 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use std::net::TcpListener;
use std::sync::OnceLock;

use readstone_testkit::{Confined, Fixture, Measured, Pdf, Pixels, Trace, Trap, World};

/// Megabytes that a run may take beyond one that reads next to nothing.
const M256: u64 = 256;
/// Megabytes that a process may write to: those, what it takes for itself, and the stack of a worker.
const WRITTEN: u64 = M256 + 64 + 48;
/// Megabytes of addresses that a process may have.
const ADDRESSES: u64 = 2048;
/// Seconds of a core that a run may use, unoptimised: about ten times as long as it takes when it is built to be used.
const CORE: u64 = 10;
/// Seconds within which a run ends, on a machine that does other things too.
const LATE: u64 = 60;
/// The bytes that a reply of one page stays below.
const PAGE: usize = 52_000;
/// How an answer to a damaged file begins.
const DAMAGED: &str = "7: document.corrupt: [Cannot read .pdf file: it is damaged: ";

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
        world.file("tiny.pdf", Pdf::of("tiny").bytes());
        (0..3).map(|_| measured(&world, "tiny.pdf").megabytes).max().unwrap()
    })
}

/// All that a run within bounds says to a file of these bytes, behind its exit code where it is not 0. What goes wrong
/// has a code, a sentence, a next step and no crash behind it.
fn told(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let world = world();
    world.file(name, bytes);
    let before = Fixture::survey(world.path());
    let Measured { run, megabytes, centiseconds } = measured(&world, name);
    let grown = megabytes.saturating_sub(usual());
    assert!(grown < M256, "{name} takes {grown} MB more than usual");
    assert!(centiseconds < CORE * 100, "{name} takes {centiseconds} hundredths of a second");
    assert!(run.stdout.len() < PAGE, "{name}: {} bytes", run.stdout.len());
    assert!(Fixture::survey(world.path()) == before, "{name} changed something");
    if run.code == Some(0) {
        return run.text() + &run.stderr;
    }
    let text = format!("{}: {}{}", run.code.unwrap_or(-1), run.text(), run.stderr);
    for word in ["crash", "panic", "overflow", "RUST_BACKTRACE", "no_worker"] {
        assert!(!text.contains(word), "{name}: {text:.500}");
    }
    assert!(text.len() < 1000 && text.ends_with(&format!("\nnext: read {name}:hex\n")), "{name}: {text:.500}");
    text
}

/// Checks that the page that exists is shown, whatever is said of the file beside it.
fn shows(name: &str, bytes: impl AsRef<[u8]>, line: &str) -> String {
    let text = told(name, bytes);
    assert!(text.starts_with(&format!("¶{name}\n1:<!-- page 1 -->\n2:{line}\n")), "{text:.500}");
    assert_eq!(text.matches(line).count(), 1, "{text:.500}");
    text
}

/// Checks that a page without its text says so, and is not shown as one that has none.
fn lacks(name: &str, bytes: impl AsRef<[u8]>) {
    let text = told(name, bytes);
    let said = text.lines().last().is_some_and(|line| line.starts_with('[') && line.contains("page"));
    let refused = text.starts_with("5: document.limit: ") || text.starts_with(DAMAGED);
    assert!(refused || said, "{text:.500}");
}

fn is_damaged(name: &str, bytes: impl AsRef<[u8]>) {
    let text = told(name, bytes);
    assert!(text.starts_with(DAMAGED), "{text:.500}");
}

fn is_limited(name: &str, bytes: impl AsRef<[u8]>) {
    let text = told(name, bytes);
    assert!(text.starts_with("5: document.limit: [Cannot read .pdf file: it goes beyond "), "{text:.500}");
}

#[test]
fn d02_actions_are_not_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let there = format!("http://{}/", listener.local_addr().unwrap());
    let mut file = Pdf::of("Press the button");
    let script = format!("<</S/JavaScript/JS(app.launchURL\\('{there}'\\))>>");
    file.add(1, &format!("<</Type/Catalog/Pages 2 0 R/OpenAction{script}/AA<</WC 9 0 R>>>>"));
    file.add(9, &format!("<</S/Launch/F(/bin/sh)/Next<</S/URI/URI({there})>>>>"));
    let annotation = "/Annots[<</Subtype/Link/Rect[0 0 9 9]/A 9 0 R>><</Subtype/FileAttachment/FS(/etc/passwd)>>]";
    file.add(3, &Pdf::PAGE.replace("/Contents", &format!("{annotation}/AA<</O 9 0 R>>/Contents")));
    file.add(8, &format!("<</Type/XObject/Subtype/Image/F<</FS/URL/F({there})>>/Length 0>>"));
    shows("actions.pdf", file.bytes(), "Press the button");
    let world = world();
    world.file("actions.pdf", file.bytes());
    let mut command = world.command();
    if let Some((trace, _)) = Trace::of(command.args(["--ephemeral", "read", "--", "actions.pdf"])) {
        assert_eq!(trace.forbidden(&["/etc/passwd", "/bin/sh"]), [""; 0]);
    }
    assert!(listener.accept().is_err(), "somebody came");
}

#[test]
fn d11_kids_loop_shows_every_page_once() {
    shows("kids_loop.pdf", Trap::bytes("docs/kids_loop.pdf"), "Only once");
    is_damaged("kids_only.pdf", Trap::bytes("docs/kids_only.pdf"));
}

#[test]
fn d11_parent_loop_ends() {
    shows("parent_loop.pdf", Trap::bytes("docs/parent_loop.pdf"), "Round and round");
}

#[test]
fn d11_outline_loop_ends() {
    shows("outline_loop.pdf", Trap::bytes("docs/outline_loop.pdf"), "Chapter");
}

#[test]
fn d11_form_loop_ends() {
    shows("form_loop.pdf", Trap::bytes("docs/form_loop.pdf"), "Before the form");
}

#[test]
fn d11_forms_that_multiply_are_told() {
    lacks("forms.pdf", Trap::bytes("docs/forms.pdf"));
}

#[test]
fn d11_count_lie_is_not_believed() {
    for count in [2_000_000_000, -5, 0] {
        let mut file = Pdf::of("One page");
        file.add(2, &format!("<</Type/Pages/Kids[3 0 R]/Count {count}/MediaBox[0 0 595 842]>>"));
        let text = shows("count_lie.pdf", file.bytes(), "One page");
        assert_eq!(count > 1, text.contains("damaged"), "{count}: {text}");
    }
}

#[test]
fn d12_objstm_loop_ends() {
    shows("objstm_loop.pdf", Trap::bytes("docs/objstm_loop.pdf"), "Packed in a circle");
    let mut file = Pdf::of("Many inside");
    file.stream(50, "/Type/ObjStm/N 9000000000000/First 9000000000000", b"900 0 (x)");
    shows("objstm_count.pdf", file.packed(&[(50, 0)]), "Many inside");
}

#[test]
fn d12_length_loop_ends() {
    shows("length_loop.pdf", Trap::bytes("docs/length_loop.pdf"), "How long");
}

#[test]
fn d12_prev_loop_ends() {
    let mut file = Pdf::of("Before that");
    let size = file.bytes().len();
    let body: usize = file.bytes().windows(9).rposition(|window| window == b"xref\n0 1\n").unwrap();
    for prev in [body, 0, size, 9_999_999_999] {
        file.trailer = format!("/Root 1 0 R/Prev {prev}");
        shows("prev_loop.pdf", file.bytes(), "Before that");
    }
}

#[test]
fn d13_deep_arrays_and_dictionaries_are_refused_by_their_depth() {
    for (open, close) in [("[", "]"), ("<</A ", ">>"), ("[", ""), ("<</A[", "")] {
        let mut file = Pdf::of("Deep");
        file.add(9, &format!("{}{}", open.repeat(500_000), close.repeat(500_000)));
        is_limited("deep.pdf", file.bytes());
    }
    let mut file = Pdf::of("Deep");
    let inside = Pixels::zlib(format!("900 0 {}", "[".repeat(2_000_000)).as_bytes());
    file.stream(50, "/Type/ObjStm/N 1/First 6/Filter/FlateDecode", &inside);
    is_limited("deep_inside.pdf", file.packed(&[(50, 0)]));
    lacks("deep_operators.pdf", Pdf::page(&"[".repeat(2_000_000)).bytes());
}

#[test]
fn d14_filters_have_one_budget() {
    let bomb = Pixels::zlib(&Pixels::zlib(&Pixels::zlib(&vec![b' '; 100 << 20])));
    let chain = "/Filter[/FlateDecode/FlateDecode/FlateDecode]";
    let mut file = Pdf::page("");
    file.stream(4, chain, &bomb);
    assert!(file.bytes().len() < 64 << 10, "the fixture is none: {} bytes", file.bytes().len());
    lacks("filters.pdf", file.bytes());
    let mut file = Pdf::page(&format!("{} /X1 Do", Pdf::shown("Before the form")));
    file.add(3, &Pdf::PAGE.replace("/Font", "/XObject<</X1 6 0 R>>/Font"));
    file.stream(6, &format!("/Type/XObject/Subtype/Form/BBox[0 0 595 842]{chain}"), &bomb);
    lacks("filters_form.pdf", file.bytes());
    let mut file = Pdf::of("Packed");
    file.stream(50, &format!("/Type/ObjStm/N 1/First 6{chain}"), &bomb);
    lacks("filters_inside.pdf", file.packed(&[(50, 0)]));
}

#[test]
fn d15_size_lies_are_not_believed() {
    let mut file = Pdf::of("How many");
    for size in ["0", "2147483647", "-1", "99999999999999999999"] {
        size.clone_into(&mut file.size);
        shows("size_lie.pdf", file.bytes(), "How many");
    }
}

#[test]
fn d15_length_lies_are_not_believed() {
    for length in ["0", "3", "2147483647", "-1", "null", "9 0 R"] {
        let mut file = Pdf::of("How long");
        file.add(4, &format!("<</Length {length}>>\nstream\n{}\nendstream", Pdf::shown("How long")));
        shows("length_lie.pdf", file.bytes(), "How long");
    }
    // A number beyond all numbers makes the object unreadable, and the page says that it lacks it.
    let mut file = Pdf::of("How long");
    file.add(4, &format!("<</Length 99999999999999999999>>\nstream\n{}\nendstream", Pdf::shown("How long")));
    assert!(told("length_lie.pdf", file.bytes()).contains("some text could not be read"));
}

#[test]
fn d15_a_page_whose_content_cannot_be_got_is_not_called_blank() {
    let shown = Pdf::shown("Not to be had").repeat(20);
    let packed = Pixels::zlib(shown.as_bytes());
    let head = format!("<</Filter/FlateDecode/Length {}>>\nstream\n", packed.len() / 2);
    let cut = [head.as_bytes(), &packed[..packed.len() / 2], b"\nendstream"].concat();
    let broken = [
        ("not there", None),
        ("no stream", Some(b"<</Length 39>>".to_vec())),
        ("another thing", Some(b"(a string)".to_vec())),
        ("a broken dictionary", Some(format!("<</Length 39 stream\n{shown}\nendstream").into_bytes())),
        ("no end", Some(format!("<</Length 39>>\nstream\n{shown}").into_bytes())),
        ("an unknown filter", Some(format!("<</Filter/X/Length 39>>\nstream\n{shown}\nendstream").into_bytes())),
        ("cut", Some(cut)),
    ];
    let blank = |(what, object): (&'static str, Option<Vec<u8>>)| {
        let mut file = Pdf::of("");
        file.objects.retain(|(number, _)| *number != 4);
        file.objects.extend(object.map(|object| (4, object)));
        told("lost.pdf", file.bytes()).contains("is blank").then_some(what)
    };
    assert_eq!(broken.into_iter().filter_map(blank).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn d15_startxref_lies_are_not_believed() {
    let bytes = Pdf::of("Where is it").bytes();
    let at = bytes.windows(9).rposition(|window| window == b"startxref").unwrap();
    for start in ["0", "7", "99999999999999999999", "4000000000", "-1", "x"] {
        let bytes = [&bytes[..at], format!("startxref\n{start}\n%%EOF\n").as_bytes()].concat();
        shows("startxref_lie.pdf", bytes, "Where is it");
    }
}

#[test]
fn d15_what_is_cut_or_has_nothing_behind_its_header_is_never_shown_as_empty() {
    is_damaged("header_only.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n");
    is_damaged("no_pages.pdf", b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n");
    let whole = Pdf::of("Cut short").bytes();
    for part in 1..10 {
        let text = told("truncated.pdf", &whole[..whole.len() * part / 10]);
        assert!(text.starts_with(DAMAGED) || text.contains("Cut short") || text.contains("damaged"), "{part}: {text}");
    }
}

#[test]
fn d15_encrypted_is_told_as_such() {
    let mut file = Pdf::of("Secret");
    let locked = "/V 1/R 2/P -44/O<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f>\
                  /U<7878787878787878787878787878787878787878787878787878787878787878>";
    file.trailer = format!("/Root 1 0 R/Encrypt 9 0 R/ID[<{0}><{0}>]", "686172626f75722d");
    for entries in [&format!("/Filter/Standard{locked}"), "/Filter/Adobe.PubSec/V 4/SubFilter/adbe.pkcs7.s5"] {
        file.add(9, &format!("<<{entries}>>"));
        let text = told("encrypted.pdf", file.bytes());
        let wanted = "7: document.encrypted: [Cannot read .pdf file: it is encrypted, and needs a password]";
        assert_eq!(text, format!("{wanted}\nnext: read encrypted.pdf:hex\n"));
    }
}
