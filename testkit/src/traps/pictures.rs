//! Pictures whose headers claim too much, that are damaged, or that refer to others: the rows I.

use super::Trap;
use crate::archives::{Archive, Bomb, ZipItem};
use crate::pictures::Pixels;

const OK: &[&str] = &["ok"];
const DAMAGED: &[&str] = &["image.corrupt"];
const LIMIT: &[&str] = &["image.limit"];
const REFUSED: &[&str] = &["image.limit", "image.corrupt"];

pub(super) const TRAPS: &[Trap] = &[
    picture("img/50k.png", || blank(50_000, 50_000)).wants(LIMIT).asks(&[":info", ":crop=0,0,10,10"]),
    picture("img/max.png", || blank(0x7FFF_FFFF, 0x7FFF_FFFF)).wants(LIMIT),
    picture("img/zero.png", || blank(0, 0)).wants(DAMAGED),
    picture("img/ztxt.png", || chunked("zTXt", b"Comment\0\0")).wants(OK),
    picture("img/itxt.png", || chunked("iTXt", b"Comment\0\x01\0\0\0")).wants(OK),
    picture("img/iccp.png", || chunked("iCCP", b"Profile\0\0")).wants(OK),
    picture("img/sound.png", sound).wants(OK),
    picture("img/truncated.png", || {
        let half = sound().len() / 2;
        sound().into_iter().take(half).collect()
    })
    .wants(DAMAGED),
    picture("img/bad_crc.png", || {
        let mut bytes = sound();
        bytes.iter_mut().skip(30).take(1).for_each(|byte| *byte ^= 1);
        bytes
    })
    .wants(DAMAGED),
    picture("img/magic_only.png", || sound().into_iter().take(8).collect()).wants(DAMAGED),
    picture("img/chunk_len.png", || {
        let mut bytes = sound();
        bytes.iter_mut().skip(33).zip([0xFF; 4]).for_each(|(place, byte)| *place = byte);
        bytes
    })
    .wants(DAMAGED),
    picture("img/huge.gif", || Pixels::gif(100, 5000)).wants(OK),
    picture("img/wide.gif", || Pixels::gif(u16::MAX, 5000)).wants(LIMIT),
    Trap::of("img/external.svg", || {
        let image = |target: &str| format!("<image xlink:href=\"{target}\"/><image href=\"{target}\"/>");
        svg("", &["file:///etc/passwd", "/etc/passwd", "http://127.0.0.1:9/x.png"].map(image).concat())
    })
    .wants(OK),
    Trap::of("img/fifo_ref.svg", || svg("", "<image href=\"../special/fifo.png\"/>")).wants(OK),
    Trap::of("img/xxe.svg", || svg("<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n", "<text>&x;</text>"))
        .wants(OK),
    Trap::of("img/use_bomb.svg", || {
        let level = |level: usize| {
            let uses = format!("<use href=\"#g{}\"/>", level - 1).repeat(10);
            format!("<g id=\"g{level}\">{uses}</g>\n")
        };
        let levels: String = (1..12).map(level).collect();
        svg("", &format!("<g id=\"g0\"><path d=\"M0 0\"/></g>\n{levels}<use href=\"#g11\"/>"))
    })
    .wants(OK),
    Trap::of("img/size.svg", || {
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\"><rect/></svg>\n".to_vec()
    })
    .wants(OK),
    picture("img/ifd_loop.tiff", || {
        let one = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8), (262, 3, 1, 1), (273, 4, 1, 100), (279, 4, 1, 16)];
        Pixels::tiff(&one, 8)
    })
    .wants(REFUSED),
    picture("img/strips.tiff", || {
        let (size, strips) = ([(256, 4, 1, 7_000), (257, 4, 1, 7_000), (258, 3, 1, 8), (262, 3, 1, 1)], u32::MAX);
        let parts = [(273, 4, strips, 8), (277, 3, 1, 1), (278, 4, 1, 1), (279, 4, strips, 8)];
        Pixels::tiff(&[size, parts].concat(), 0)
    })
    .wants(REFUSED),
    picture("img/huge.jpg", || {
        b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\
          \xff\xda\0\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0\0"
            .to_vec()
    })
    .wants(LIMIT),
    picture("img/huge.bmp", || {
        let side = 0x7FFF_FFFF_u32.to_le_bytes();
        let head = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0";
        [&head[..], &side, &side, b"\x01\0\x18\0", &[0; 28]].concat()
    })
    .wants(LIMIT),
    picture("img/huge.webp", || {
        b"RIFF\x20\0\0\0WEBPVP8 \x10\0\0\0\x10\0\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0\0\0\0\0".to_vec()
    })
    .wants(LIMIT),
    picture("img/lies.ico", || Pixels::icon(u32::MAX, 22, &Pixels::sound(64, 32))).wants(DAMAGED),
    Trap::of("img/html.png", || b"<!doctype html><p>no picture</p>\n".to_vec()).wants(OK),
    picture("img/png.txt", sound).wants(OK),
    picture("img/polyglot.png", || {
        [Pixels::sound(30, 20), Archive::zip(&[ZipItem::stored("inner.txt", b"inner\n")])].concat()
    })
    .wants(OK)
    .asks(&[":info", ":inner.txt"]),
];

/// A picture, of which it is asked what it is too.
const fn picture(name: &'static str, bytes: fn() -> Vec<u8>) -> Trap {
    Trap::of(name, bytes).asks(&[":info"])
}

fn sound() -> Vec<u8> {
    Pixels::sound(60, 40)
}

/// A picture that claims this size and has next to no pixels.
fn blank(width: u32, height: u32) -> Vec<u8> {
    Pixels::png(width, height, b"", &Pixels::zlib(&[0; 1000]))
}

/// A picture with 200 MB of blanks in a chunk of this kind, behind these bytes, with a checksum that is none.
fn chunked(kind: &str, head: &[u8]) -> Vec<u8> {
    let bomb = Bomb::default().then(&vec![b' '; 1 << 20], 200);
    let chunk = Pixels::chunk(kind, &[head, b"\x78\x9c", &bomb.deflated(), &[0; 4]].concat());
    Pixels::png(20, 10, &chunk, &Pixels::zlib(&[0; 210]))
}

fn svg(before: &str, inside: &str) -> Vec<u8> {
    let spaces = "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    format!("{before}<svg {spaces} width=\"9\" height=\"9\">\n{inside}\n</svg>\n").into_bytes()
}
