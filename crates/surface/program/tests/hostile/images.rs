//! Pictures made to do harm, on the program: rows I01–I07 of `docs/hostile.md`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too, and a broken one must stop them")]

use std::net::TcpListener;
use std::sync::OnceLock;

use readstone_testkit::{Archive, Confined, Fixture, Measured, Pixels, Trace, Trap, World, ZipItem};
use serde_json::Value;

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

fn measured(world: &World, arguments: &[&str]) -> Measured {
    let mut command = world.command();
    command.env("READSTONE_CALL_MS", "50000").args(["--ephemeral", "read"]).args(arguments);
    Confined::default().seconds(LATE).addresses(ADDRESSES).megabytes(WRITTEN).measure(&command)
}

/// What the program and its worker take for themselves.
fn usual() -> u64 {
    static USUAL: OnceLock<u64> = OnceLock::new();
    *USUAL.get_or_init(|| {
        let world = world();
        world.file("tiny.png", Pixels::sound(8, 8));
        (0..3).map(|_| measured(&world, &["tiny.png"]).megabytes).max().unwrap()
    })
}

/// All that a run within bounds says to an address, behind its exit code where it is not 0. What goes wrong has a
/// code, a sentence and no crash behind it.
fn told(world: &World, address: &str) -> String {
    let before = Fixture::survey(world.path());
    let Measured { run, megabytes, centiseconds } = measured(world, &[address]);
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

fn is_limited(world: &World, address: &str) {
    let text = told(world, address);
    let wanted = format!("5: image.limit: '{address}' is too large to be shown: ");
    assert!(text.starts_with(&wanted) && text.contains("pixels"), "{text}");
    assert!(text.ends_with(&format!("\nnext: read {address}:info\n")), "{text}");
}

fn is_damaged(world: &World, address: &str) {
    let text = told(world, address);
    let wanted = format!("7: image.corrupt: '{address}' is a damaged image/");
    assert!(text.starts_with(&wanted) && text.ends_with(&format!("\nnext: read {address}:hex\n")), "{text}");
}

fn is_refused(world: &World, address: &str) {
    let text = told(world, address);
    assert!(text.starts_with("5: image.limit: ") || text.starts_with("7: image.corrupt: "), "{text}");
}

/// The media types and the sizes of the pictures in an answer.
fn parts(world: &World, address: &str) -> Vec<(String, usize)> {
    let Measured { run, .. } = measured(world, &["--json", address]);
    let reply: Value = run.json();
    let parts = reply.get("parts").and_then(Value::as_array).unwrap();
    let field = |part: &Value, name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let pictures = parts.iter().filter(|part| field(part, "type") == "image");
    pictures.map(|part| (field(part, "mime"), field(part, "data").len())).collect()
}

#[test]
fn i01_a_size_is_told_from_the_header_and_too_many_pixels_are_refused_before_they_have_room() {
    let world = world();
    for (name, side) in [("50k.png", 50_000), ("max.png", 0x7FFF_FFFF_u32)] {
        world.file(name, Pixels::png(side, side, b"", &Pixels::zlib(&[0; 1000])));
        let text = told(&world, &format!("{name}:info"));
        assert!(text.starts_with(&format!("¶{name}:info\n[image/png, {side}x{side} pixels, ")), "{text}");
        is_limited(&world, name);
        let text = told(&world, &format!("{name}:crop=0,0,10,10"));
        assert!(text.starts_with("5: image.limit: "), "{text}");
        assert!(parts(&world, name).is_empty());
    }
    for (name, width, height) in [("zero.png", 0, 0), ("flat.png", 5, 0), ("thin.png", 0, 5), ("over.png", 1 << 31, 5)]
    {
        world.file(name, Pixels::png(width, height, b"", &Pixels::zlib(&[0; 100])));
        is_damaged(&world, name);
    }
}

#[test]
fn i02_texts_and_profiles_are_not_unpacked_nor_handed_on() {
    let world = world();
    for name in ["ztxt.png", "itxt.png", "iccp.png"] {
        world.file(name, Trap::bytes(&format!("img/{name}")));
        let page = told(&world, name);
        assert!(page.starts_with(&format!("¶{name}\n[image/png, 20x10 pixels, ")), "{page}");
        let page = told(&world, &format!("{name}:info"));
        assert!(page.starts_with(&format!("¶{name}:info\n[image/png, 20x10 pixels, ")), "{page}");
        let parts = parts(&world, name);
        assert!(matches!(&parts[..], [(mime, size)] if mime == "image/png" && *size < 2000), "{parts:?}");
    }
}

#[test]
fn i03_cut_and_broken_pictures_are_damaged() {
    let world = world();
    let sound = Pixels::sound(60, 40);
    world.file("sound.png", &sound);
    assert!(told(&world, "sound.png").contains("shown at full size"));
    world.file("truncated.png", &sound[..sound.len() / 2]);
    world.file("magic_only.png", &sound[..8]);
    let mut bad = sound.clone();
    bad[30] ^= 1;
    world.file("bad_crc.png", &bad);
    let mut bad = sound.clone();
    let end = bad.len() - 20;
    bad[end] ^= 1;
    world.file("bad_data.png", &bad);
    for address in ["truncated.png", "magic_only.png", "bad_crc.png", "bad_data.png"] {
        is_damaged(&world, address);
        assert!(parts(&world, address).is_empty());
    }
    for length in [u32::MAX, 0x7FFF_FFFF, 1 << 20] {
        world.file("chunk_len.png", [&sound[..33], &length.to_be_bytes(), &sound[37..]].concat());
        is_damaged(&world, "chunk_len.png");
        world.file("claim.png", [&sound[..33], &length.to_be_bytes(), b"tEXtabc", &sound[33..]].concat());
        is_damaged(&world, "claim.png");
    }
}

#[test]
fn i04_of_five_thousand_frames_the_first_is_shown_and_the_others_are_counted() {
    let world = world();
    world.file("huge.gif", Pixels::gif(100, 5000));
    let text = told(&world, "huge.gif");
    assert!(text.starts_with("¶huge.gif\n[image/gif, 100x100 pixels, "), "{text}");
    assert!(text.contains("; 4999 further frames not shown]"), "{text}");
    assert_eq!(parts(&world, "huge.gif").len(), 1);
    world.file("wide.gif", Pixels::gif(u16::MAX, 5000));
    is_limited(&world, "wide.gif");
    assert!(told(&world, "wide.gif:info").contains("65535x65535 pixels"));
}

/// Drawings that refer to what they must not have, and ones that cost more than they look.
fn drawings(world: &World, there: &str) -> [&'static str; 5] {
    let fifo = world.path().join("fifo");
    Fixture::fifo(&fifo);
    let svg = |inside: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"9\" \
             height=\"9\">\n{inside}\n</svg>\n"
        )
    };
    let image = |target: &str| format!("<image xlink:href=\"{target}\"/><image href=\"{target}\"/>");
    world.file("external.svg", svg(&(image("file:///etc/passwd") + &image("/etc/passwd") + &image(there))));
    world.file("fifo_ref.svg", svg(&image(&fifo.display().to_string())));
    let entity = format!("<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y SYSTEM \"{there}\">]>\n");
    world.file("xxe.svg", entity + &svg("<text>&x;&y;</text>"));
    for name in ["use_bomb.svg", "size.svg"] {
        world.file(name, Trap::bytes(&format!("img/{name}")));
    }
    ["external.svg", "fifo_ref.svg", "xxe.svg", "use_bomb.svg", "size.svg"]
}

#[test]
fn i05_drawings_are_text_and_nothing_that_they_refer_to_is_opened() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let world = world();
    let drawings = drawings(&world, &format!("http://{}/x.png", listener.local_addr().unwrap()));
    for address in drawings {
        let text = told(&world, address);
        assert!(text.starts_with(&format!("¶{address}#")) && text.contains("\n1:<"), "{text:.300}");
        assert!(text.contains("<svg xmlns=") && !text.contains("root:"), "{text:.300}");
        assert!(parts(&world, address).is_empty(), "{address}");
        let mut command = world.command();
        if let Some((trace, run)) = Trace::of(command.args(["--ephemeral", "read", "--", address])) {
            assert_eq!(run.code, Some(0), "{address}");
            assert_eq!(trace.forbidden(&["/etc/passwd", "/fifo\""]), [""; 0], "{address}");
        }
    }
    assert!(listener.accept().is_err(), "somebody came");
}

#[test]
fn i06_directories_of_tiff_that_lie_or_go_round_are_refused() {
    let world = world();
    world.file("ifd_loop.tiff", Trap::bytes("img/ifd_loop.tiff"));
    is_refused(&world, "ifd_loop.tiff");
    is_refused(&world, "ifd_loop.tiff:info");
    for strips in [u32::MAX, 10_000_000] {
        let many = [
            (256, 4, 1, 7_000),
            (257, 4, 1, 7_000),
            (258, 3, 1, 8),
            (262, 3, 1, 1),
            (273, 4, strips, 8),
            (277, 3, 1, 1),
            (278, 4, 1, 1),
            (279, 4, strips, 8),
        ];
        world.file("strips.tiff", Pixels::tiff(&many, 0));
        is_refused(&world, "strips.tiff");
    }
}

#[test]
fn i06_headers_that_claim_too_much_are_refused() {
    let world = world();
    for address in ["huge.jpg", "huge.bmp", "huge.webp"] {
        world.file(address, Trap::bytes(&format!("img/{address}")));
        is_limited(&world, address);
        let text = told(&world, &format!("{address}:info"));
        assert!(text.starts_with(&format!("¶{address}:info\n[image/")), "{text}");
    }
    let inside = Pixels::sound(64, 32);
    let length = u32::try_from(inside.len()).unwrap();
    world.file("told.ico", Pixels::icon(length, 22, &inside));
    assert!(told(&world, "told.ico").contains("64x32 pixels"));
    world.file("lies.ico", Pixels::icon(u32::MAX, 22, &inside));
    world.file("far.ico", Pixels::icon(length, u32::MAX - 5, &inside));
    is_damaged(&world, "lies.ico");
    is_damaged(&world, "far.ico");
    let huge = Pixels::png(60_000, 60_000, b"", &Pixels::zlib(&[0; 100]));
    world.file("huge.ico", Pixels::icon(u32::try_from(huge.len()).unwrap(), 22, &huge));
    is_limited(&world, "huge.ico");
}

#[test]
fn i07_a_picture_is_what_its_content_says_and_another_name_is_noted() {
    let world = world();
    world.file("png.txt", Pixels::sound(30, 20));
    let text = told(&world, "png.txt");
    assert!(text.starts_with("¶png.txt\n[image/png, 30x20 pixels, "), "{text}");
    assert!(text.contains("; called .txt and is image/png]\n"), "{text}");
    let zip = Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")]);
    world.file("polyglot.png", [Pixels::sound(30, 20), zip].concat());
    let text = told(&world, "polyglot.png");
    assert!(text.starts_with("¶polyglot.png\n[image/png, 30x20 pixels, "), "{text}");
}

#[test]
fn i07_what_is_packed_behind_a_picture_can_be_asked_for() {
    let world = world();
    let zip = Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")]);
    world.file("polyglot.png", [Pixels::sound(30, 20), zip].concat());
    assert_eq!(told(&world, "polyglot.png:inner.txt"), "¶polyglot.png:inner.txt\n1:inner\n");
}

#[test]
fn i07_a_page_called_like_a_picture_is_text_and_the_name_is_noted() {
    let world = world();
    world.file("html.png", "<!doctype html><p>no picture</p>\n");
    let text = told(&world, "html.png");
    assert!(text.contains("\n1:<!doctype html><p>no picture</p>\n"), "{text}");
    assert!(text.contains("called .png"), "the other type is not noted: {text}");
}
