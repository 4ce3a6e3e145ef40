//! PDF files with loops, depth, chains of filters and lies: the rows D02 and D11 to D15.

use super::Trap;
use crate::documents::Pdf;
use crate::pictures::Pixels;

const OK: &[&str] = &["ok"];
const DAMAGED: &[&str] = &["document.corrupt"];
const LIMIT: &[&str] = &["document.limit"];
/// What cannot be got is refused or told of.
const TOLD: &[&str] = &["ok", "document.limit", "document.corrupt", "document.empty"];
const TREE: &str = "/MediaBox[0 0 595 842]";

pub(super) const TRAPS: &[Trap] = &[
    pdf("docs/actions.pdf", actions).wants(OK),
    pdf("docs/kids_loop.pdf", || {
        let mut file = Pdf::of("Only once");
        file.add(2, &format!("<</Type/Pages/Kids[2 0 R 3 0 R 6 0 R]/Count 3{TREE}>>"));
        file.add(6, "<</Type/Pages/Kids[2 0 R 6 0 R]/Count 2>>");
        file.bytes()
    })
    .wants(OK),
    pdf("docs/kids_only.pdf", || {
        let mut file = Pdf::of("");
        file.add(2, "<</Type/Pages/Kids[2 0 R]/Count 1>>").add(3, "<<>>");
        file.bytes()
    })
    .wants(DAMAGED),
    pdf("docs/parent_loop.pdf", || {
        let mut file = Pdf::of("Round and round");
        file.add(2, "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>");
        file.add(3, &Pdf::PAGE.replace("2 0 R", "3 0 R"));
        file.bytes()
    })
    .wants(OK),
    pdf("docs/outline_loop.pdf", || {
        let mut file = Pdf::of("Chapter");
        file.add(1, "<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R>>");
        file.add(7, "<</First 8 0 R/Last 8 0 R>>");
        file.add(8, "<</Title(A)/Next 8 0 R/First 7 0 R/Parent 8 0 R/Dest[3 0 R/Fit]>>");
        file.bytes()
    })
    .wants(OK),
    pdf("docs/form_loop.pdf", || {
        let mut file = Pdf::page(&format!("{} /X1 Do", Pdf::shown("Before the form")));
        file.add(3, &Pdf::PAGE.replace("/Font", "/XObject<</X1 6 0 R>>/Font"));
        let entries = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X1 6 0 R/X2 7 0 R>>>>";
        file.stream(6, entries, b"/X1 Do /X2 Do").stream(7, entries, b"/X2 Do /X1 Do /X1 Do");
        file.bytes()
    })
    .wants(OK),
    pdf("docs/forms.pdf", forms).wants(TOLD),
    pdf("docs/count_lie.pdf", || {
        let mut file = Pdf::of("One page");
        file.add(2, &format!("<</Type/Pages/Kids[3 0 R]/Count 2000000000{TREE}>>"));
        file.bytes()
    })
    .wants(OK),
    pdf("docs/objstm_loop.pdf", || {
        let mut file = Pdf::of("Packed in a circle");
        file.stream(50, "/Type/ObjStm/N 1/First 6/Extends 51 0 R", b"900 0 (x)");
        file.stream(51, "/Type/ObjStm/N 1/First 6/Extends 50 0 R", b"51 0 (x)");
        file.packed(&[(50, 0), (901, 0), (999, 1)])
    })
    .wants(OK),
    pdf("docs/length_loop.pdf", || of_length("4 0 R")).wants(OK),
    pdf("docs/prev_loop.pdf", || {
        let mut file = Pdf::of("Before that");
        let table = file.bytes().windows(9).rposition(|window| window == b"xref\n0 1\n").unwrap_or(0);
        file.trailer = format!("/Root 1 0 R/Prev {table}");
        file.bytes()
    })
    .wants(OK),
    pdf("docs/deep_array.pdf", || deep("[", "]")).wants(LIMIT),
    pdf("docs/deep_dict.pdf", || deep("<</A ", ">>")).wants(LIMIT),
    pdf("docs/filters.pdf", || {
        let bomb = Pixels::zlib(&Pixels::zlib(&Pixels::zlib(&vec![b' '; 100 << 20])));
        let mut file = Pdf::page("");
        file.stream(4, "/Filter[/FlateDecode/FlateDecode/FlateDecode]", &bomb);
        file.bytes()
    })
    .wants(TOLD),
    pdf("docs/size_lie.pdf", || {
        let mut file = Pdf::of("How many");
        "2147483647".clone_into(&mut file.size);
        file.bytes()
    })
    .wants(OK),
    pdf("docs/length_lie.pdf", || of_length("2147483647")).wants(OK),
    pdf("docs/startxref_lie.pdf", || {
        let bytes = Pdf::of("Where is it").bytes();
        let at = bytes.windows(9).rposition(|window| window == b"startxref").unwrap_or(0);
        bytes.into_iter().take(at).chain(*b"startxref\n4000000000\n%%EOF\n").collect()
    })
    .wants(OK),
    pdf("docs/truncated.pdf", || {
        let whole = Pdf::of("Cut short").bytes();
        let half = whole.len() / 2;
        whole.into_iter().take(half).collect()
    })
    .wants(TOLD),
    pdf("docs/header_only.pdf", || b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec()).wants(DAMAGED),
    pdf("docs/encrypted.pdf", || {
        let mut file = Pdf::of("Secret");
        "/Root 1 0 R/Encrypt 9 0 R/ID[<686172626f75722d><686172626f75722d>]".clone_into(&mut file.trailer);
        file.add(9, "<</Filter/Adobe.PubSec/V 4/SubFilter/adbe.pkcs7.s5>>");
        file.bytes()
    })
    .wants(&["document.encrypted"]),
];

/// A PDF file, of which the first page is asked for too; its filters may take more memory.
const fn pdf(name: &'static str, bytes: fn() -> Vec<u8>) -> Trap {
    Trap::of(name, bytes).asks(&[":p1"]).megabytes(256)
}

fn actions() -> Vec<u8> {
    let mut file = Pdf::of("Press the button");
    let script = "<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1:9/'\\))>>";
    file.add(1, &format!("<</Type/Catalog/Pages 2 0 R/OpenAction{script}/AA<</WC 9 0 R>>>>"));
    file.add(9, "<</S/Launch/F(/bin/sh)/Next<</S/URI/URI(http://127.0.0.1:9/)>>>>");
    let annotation = "/Annots[<</Subtype/Link/Rect[0 0 9 9]/A 9 0 R>><</Subtype/FileAttachment/FS(/etc/passwd)>>]";
    file.add(3, &Pdf::PAGE.replace("/Contents", &format!("{annotation}/AA<</O 9 0 R>>/Contents")));
    file.bytes()
}

/// Forms of which each shows the next nine times.
fn forms() -> Vec<u8> {
    let mut file = Pdf::page(&format!("{} /X10 Do", Pdf::shown("Before the form")));
    file.add(3, &Pdf::PAGE.replace("/Font", "/XObject<</X10 10 0 R>>/Font"));
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]";
    for number in 10..38 {
        let next = number + 1;
        let entries = format!("{form}/Resources<</XObject<</X{next} {next} 0 R>>>>");
        file.stream(number, &entries, format!("/X{next} Do ").repeat(9).as_bytes());
    }
    file.stream(38, form, b"0 0 m 1 1 l S");
    file.bytes()
}

fn of_length(length: &str) -> Vec<u8> {
    let mut file = Pdf::of("How long");
    file.add(4, &format!("<</Length {length}>>\nstream\n{}\nendstream", Pdf::shown("How long")));
    file.bytes()
}

fn deep(open: &str, close: &str) -> Vec<u8> {
    let mut file = Pdf::of("Deep");
    file.add(9, &format!("{}{}", open.repeat(500_000), close.repeat(500_000)));
    file.bytes()
}
