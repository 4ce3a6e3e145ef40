use readstone_convert::{Form, Made, Parts, Refusal, Remark, State};

use super::{convert, package};

const CONTAINER: &str = "<container><rootfiles><rootfile full-path=\"OEBPS/a%20b.opf\" \
    media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
const LIST: &str = "<package><metadata><dc:title>The Book</dc:title><dc:creator>A. Writer</dc:creator></metadata>\
    <manifest><item id=\"n\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>\
    <item id=\"c1\" href=\"text/one%201.xhtml\"/><item id=\"c2\" href=\"./text/two.xhtml\"/>\
    <item id=\"slip\" href=\"../../../etc/passwd\"/></manifest>\
    <spine><itemref idref=\"c1\"/><itemref idref=\"c2\" linear=\"no\"/></spine></package>";
const NAV: &str = "<html xmlns:epub=\"e\"><body><nav epub:type=\"toc\"><ol><li>\
    <a href=\"text/one%201.xhtml#s\">Chapter \
    <b>One</b></a></li></ol></nav>\
    <nav epub:type=\"landmarks\"><a href=\"text/two.xhtml\">Cover</a></nav></body></html>";
const ONE: &str = "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head><body>\
    <a id=\"s\"/><h2>One</h2><p>First &#8212; words.</p></body></html>";
const TWO: &str = "<html><head><title>x</title></head><body><p>Second.</p></body></html>";

fn book(parts: &[(&str, &str)]) -> Result<Made, Refusal> {
    convert(Form::Epub, &package(parts))
}

#[test]
fn chapters_are_in_reading_order_with_their_names() {
    let parts = [
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/a b.opf", LIST),
        ("OEBPS/nav.xhtml", NAV),
        ("OEBPS/text/two.xhtml", TWO),
        ("OEBPS/text/one 1.xhtml", ONE),
    ];
    let made = book(&parts).unwrap();
    assert_eq!((made.parts, made.count), (Parts::Chapters, 2));
    let shown: Vec<(Option<&str>, &str)> =
        made.sections.iter().map(|section| (section.name.as_deref(), section.text.as_str())).collect();
    let first = "# The Book\n\nA. Writer\n\n## One\n\nFirst — words.";
    assert_eq!(shown, [(Some("Chapter One"), first), (None, "Second.")]);
    assert!(made.remarks.is_empty());
}

#[test]
fn a_missing_chapter_is_told_of_and_the_rest_is_given() {
    let parts = [("META-INF/container.xml", CONTAINER), ("OEBPS/a b.opf", LIST), ("OEBPS/text/two.xhtml", TWO)];
    let made = book(&parts).unwrap();
    assert_eq!(made.remarks, [Remark::Damaged("OEBPS/text/one 1.xhtml is missing".to_owned())]);
    assert!(matches!(made.sections.first().unwrap().state, State::Lacking(_)));
    assert_eq!(made.sections.last().unwrap().text, "Second.");
}

#[test]
fn a_way_out_of_the_package_leads_nowhere() {
    let list = LIST.replace("idref=\"c1\"", "idref=\"slip\"");
    let parts = [("META-INF/container.xml", CONTAINER), ("OEBPS/a b.opf", &list), ("OEBPS/text/two.xhtml", TWO)];
    let made = book(&parts).unwrap();
    assert_eq!(made.sections.last().unwrap().text, "Second.");
    assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_)]), "{:?}", made.remarks);
    let out = CONTAINER.replace("OEBPS/a%20b.opf", "../../etc/passwd");
    assert!(matches!(book(&[("META-INF/container.xml", &out)]), Err(Refusal::Damaged(_))));
}

#[test]
fn locked_books_and_books_with_locked_fonts_differ() {
    let lock = |method: &str| {
        format!(
            "<encryption>\
             <enc:EncryptedData><enc:EncryptionMethod Algorithm=\"{method}\"/></enc:EncryptedData></encryption>"
        )
    };
    let parts = [
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/a b.opf", LIST),
        ("OEBPS/text/two.xhtml", TWO),
        ("OEBPS/text/one 1.xhtml", ONE),
    ];
    let with = |method: &str| {
        let text = lock(method);
        let mut all = parts.to_vec();
        all.push(("META-INF/encryption.xml", &text));
        book(&all)
    };
    assert!(with("http://www.idpf.org/2008/embedding").is_ok());
    assert_eq!(with("http://www.w3.org/2001/04/xmlenc#aes256-cbc"), Err(Refusal::Encrypted));
}

#[test]
fn a_book_without_a_reading_order_is_damaged() {
    let list = "<package><manifest/><spine/></package>";
    let refused = book(&[("META-INF/container.xml", CONTAINER), ("OEBPS/a b.opf", list)]);
    assert_eq!(refused, Err(Refusal::Damaged("it has no reading order".to_owned())));
}

#[test]
fn a_chapter_that_breaks_off_lacks_something() {
    let whole = "<html><body><h1>Head</h1><p>text</p></body></html>";
    for cut in
        ["<html><body><h1>Head</h1><p id=\"x", "<html><body><h1>Head</h1><p>te", "<html><body><h1>Head</h1><!-- "]
    {
        let parts = [
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/a b.opf", LIST),
            ("OEBPS/text/one 1.xhtml", whole),
            ("OEBPS/text/two.xhtml", cut),
        ];
        let made = book(&parts).unwrap();
        assert_eq!(made.sections.first().unwrap().state, State::Whole);
        let last = made.sections.last().unwrap();
        assert!(last.text.starts_with("# Head"), "{}", last.text);
        assert_eq!(last.state, State::Lacking("its markup is damaged".to_owned()));
    }
}
