//! Word documents.

use readstone_convert::{Form, Parts, Refusal, Remark, State, Wish};

use super::recipes::{BOUNDS, all, convert, docx, p, text};

const NUMBERS: &str = concat!(
    r#"<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">"#,
    r#"<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>"#,
    r#"<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>"#,
    r#"<w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>"#,
    r#"<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>"#,
    r#"<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>"#,
    r#"<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>"#,
    r#"<w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#
);

fn item(list: u32, level: u32, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr>\
         <w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

fn table(rows: &[&[&str]]) -> String {
    let rows: String = rows
        .iter()
        .map(|row| {
            let cells: String = row.iter().map(|cell| format!("<w:tc>{cell}</w:tc>")).collect();
            format!("<w:tr>{cells}</w:tr>")
        })
        .collect();
    format!("<w:tbl>{rows}</w:tbl>")
}

#[test]
fn a_heading_a_paragraph_and_looks_of_letters_become_markdown() {
    let body = concat!(
        r#"<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Tides</w:t></w:r></w:p>"#,
        r#"<w:p><w:r><w:t xml:space="preserve">High </w:t></w:r><w:r><w:rPr><w:b/></w:rPr>"#,
        r#"<w:t xml:space="preserve">water </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>mark</w:t></w:r>"#,
        r#"<w:r><w:t xml:space="preserve"> and </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>low</w:t></w:r></w:p>"#
    );
    assert_eq!(text(Form::Docx, docx(body, &[])), "## Tides\n\nHigh **water mark** and *low*");
}

#[test]
fn lists_are_nested_even_where_each_level_has_its_own_numbering() {
    let body = [item(1, 0, "one"), item(1, 1, "inner"), item(1, 0, "two"), item(3, 1, "apart"), item(1, 0, "three")];
    let got = text(Form::Docx, docx(&body.concat(), &[("numbering", "numbering.xml", NUMBERS)]));
    assert_eq!(got, "1. one\n   a) inner\n2. two\n   a) apart\n3. three");
    let body = [item(2, 0, "red"), item(2, 0, "green")].concat();
    assert_eq!(text(Form::Docx, docx(&body, &[("numbering", "numbering.xml", NUMBERS)])), "- red\n- green");
}

#[test]
fn a_text_box_that_hangs_on_an_item_of_a_list_is_not_lost() {
    let boxed = format!("<w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>", p("boxed"));
    let body = item(2, 0, "red").replace("</w:p>", &boxed);
    let got = text(Form::Docx, docx(&body, &[("numbering", "numbering.xml", NUMBERS)]));
    assert_eq!(got, "- red\n  boxed");
}

#[test]
fn tables_escape_bars_keep_merged_cells_in_their_columns_and_flatten_tables_inside() {
    let wide = format!("<w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>{}", p("wide"));
    let inner = table(&[&[&p("x"), &p("y")]]) + &p("");
    let body = table(&[
        &[&p("a|b"), &p("c"), &p("d")],
        &[&wide, &p("e")],
        &[&p("f"), &inner, &format!("{}{}", p("up"), p("down"))],
    ]);
    let want = "| a\\|b | c | d |\n| --- | --- | --- |\n| wide |  | e |\n| f | x \\| y | up<br>down |";
    assert_eq!(text(Form::Docx, docx(&body, &[])), want);
}

#[test]
fn footnotes_are_marked_where_they_stand_and_told_at_the_end() {
    let space = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
    let notes =
        format!("<w:footnotes {space}><w:footnote w:id=\"7\">{}</w:footnote></w:footnotes>", p("the old bridge"));
    let body =
        r#"<w:p><w:r><w:t>basin</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r><w:r><w:t>.</w:t></w:r></w:p>"#;
    let got = text(Form::Docx, docx(body, &[("footnotes", "footnotes.xml", &notes)]));
    assert_eq!(got, "basin[^1].\n\n[^1]: the old bridge");
}

#[test]
fn comments_quote_what_they_are_about() {
    let space = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
    let comments = format!(
        "<w:comments {space}><w:comment w:id=\"0\" w:author=\"Ann\">{}</w:comment></w:comments>",
        p("who says?")
    );
    let body = concat!(
        r#"<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><w:commentRangeStart w:id="0"/>"#,
        r#"<w:r><w:t>safe</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>"#
    );
    let got = text(Form::Docx, docx(body, &[("comments", "comments.xml", &comments)]));
    assert_eq!(got, "It is safe\n\n### Comments\n\n- Ann on “safe”: who says?");
}

#[test]
fn links_are_links_and_tracked_deletions_are_gone() {
    let body = concat!(
        r#"<w:p><w:hyperlink r:id="rId1"><w:r><w:t>the map</w:t></w:r></w:hyperlink></w:p>"#,
        r#"<w:p><w:del w:id="1"><w:r><w:delText>never</w:delText></w:r></w:del>"#,
        r#"<w:ins w:id="2"><w:r><w:t>always</w:t></w:r></w:ins></w:p>"#
    );
    let got = text(Form::Docx, docx(body, &[("hyperlink", "https://map.example/a", "")]));
    assert_eq!(got, "[the map](https://map.example/a)\n\nalways");
}

#[test]
fn text_boxes_are_read_once_and_equations_stay_as_letters() {
    let body = concat!(
        r#"<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">"#,
        r#"<mc:Choice Requires="wps"><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"#,
        r#"</w:pict></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p>"#,
        r#"</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"#,
        r#"<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">"#,
        r#"<m:r><m:t>E=mc</m:t></m:r></m:oMath></w:p>"#
    );
    let got = text(Form::Docx, docx(body, &[]));
    assert_eq!(got.matches("boxed").count(), 1, "{got}");
    assert!(got.contains("E=mc"), "{got}");
}

#[test]
fn headers_stand_first_and_footers_last_and_each_only_once() {
    let space = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
    let head = format!("<w:hdr {space}>{}</w:hdr>", p("Survey Office"));
    let foot = format!("<w:ftr {space}>{}</w:ftr>", p("Register 7"));
    let references = concat!(
        r#"<w:sectPr><w:headerReference w:type="default" r:id="rId1"/>"#,
        r#"<w:headerReference w:type="even" r:id="rId1"/><w:footerReference w:type="default" r:id="rId2"/></w:sectPr>"#
    );
    let body = format!("{}{references}", p("Depths"));
    let got = text(Form::Docx, docx(&body, &[("header", "header1.xml", &head), ("footer", "footer1.xml", &foot)]));
    assert_eq!(got, "Survey Office\n\nDepths\n\nRegister 7");
}

#[test]
fn a_document_flows_whatever_is_wished_for_and_is_cut_at_a_line() {
    let body: String = (0..100).map(|number| p(&format!("line {number}"))).collect();
    let wish = Wish { first: 1, last: 1, enough: 10 };
    let made = convert(Form::Docx, docx(&body, &[]), wish, BOUNDS).unwrap();
    assert_eq!((made.parts, made.count, made.sections.len()), (Parts::Flow, 1, 1));
    assert_eq!(made.sections[0].state, State::Whole);
    let few = readstone_convert::Bounds { text_bytes: 50, ..BOUNDS };
    let made = convert(Form::Docx, docx(&body, &[]), Wish::ALL, few).unwrap();
    assert!(made.sections[0].text.len() <= 50 && made.sections[0].text.ends_with(char::is_numeric));
    assert_eq!(made.remarks, [Remark::Cut { limit: "text_bytes".to_owned() }]);
}

#[test]
fn a_document_without_a_character_is_empty() {
    assert_eq!(all(Form::Docx, docx("<w:p/>", &[])), Err(Refusal::Empty));
}

#[test]
fn a_package_by_an_old_name_is_read_as_what_it_is() {
    assert_eq!(text(Form::Doc, docx(&p("new"), &[])), "new");
}

fn run(look: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{look}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn raised_and_lowered_letters_are_marked() {
    let (up, down) = (r#"<w:vertAlign w:val="superscript"/>"#, r#"<w:vertAlign w:val="subscript"/>"#);
    let bold = format!("<w:b/>{up}");
    let body = [
        format!("<w:p>{}{}{}{}</w:p>", run("", "x"), run(up, "2"), run(up, "3"), run("", " high")),
        format!("<w:p>{}{}{}</w:p>", run("", "H"), run(down, "2"), run("", "O")),
        format!("<w:p>{}{}</w:p>", run("<w:b/>", "y"), run(&bold, "n")),
    ];
    let want = "x<sup>23</sup> high\n\nH<sub>2</sub>O\n\n**y<sup>n</sup>**";
    assert_eq!(text(Form::Docx, docx(&body.concat(), &[])), want);
}

#[test]
fn equations_keep_their_fractions_powers_roots_and_brackets() {
    let t = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let math = [
        format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", t("1"), t("2")),
        t(" + "),
        format!("<m:f><m:fPr/><m:num>{}{}</m:num><m:den>{}</m:den></m:f>", t("a"), t("+b"), t("x-1")),
        t(" + "),
        format!("<m:sSup><m:e><m:d><m:e>{}</m:e></m:d></m:e><m:sup>{}</m:sup></m:sSup>", t("a+b"), t("2")),
        t(" + "),
        format!("<m:rad><m:deg/><m:e>{}</m:e></m:rad>", t("y")),
        t(" + "),
        format!(
            "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary>",
            t("i=1"),
            t("n"),
            t(" i")
        ),
    ];
    let space = "http://schemas.openxmlformats.org/officeDocument/2006/math";
    let body = format!("<w:p><m:oMath xmlns:m=\"{space}\">{}</m:oMath></w:p>{}", math.concat(), p("12 stays"));
    let want = "1/2 + (a+b)/(x-1) + (a+b)^2 + √(y) + ∑_(i=1)^n i\n\n12 stays";
    assert_eq!(text(Form::Docx, docx(&body, &[])), want);
}

#[test]
fn hidden_and_deleted_text_is_left_out_and_that_is_said() {
    let hidden = format!("<w:p>{}{}</w:p>", run("", "seen"), run("<w:vanish/>", "secret"));
    let deleted =
        r#"<w:p><w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>here</w:t></w:r></w:p>"#;
    let inside = table(&[&[&hidden]]);
    let left = |what: &str| Remark::LeftOut(what.to_owned());
    for (body, want) in [
        (p("plain"), vec![]),
        (hidden.clone(), vec![left("hidden text")]),
        (inside, vec![left("hidden text")]),
        (deleted.to_owned(), vec![left("deleted text")]),
        (format!("{hidden}{deleted}"), vec![left("hidden text"), left("deleted text")]),
    ] {
        let made = all(Form::Docx, docx(&body, &[])).unwrap();
        assert_eq!((made.remarks, &made.sections[0].state), (want, &State::Whole));
        assert!(!made.sections[0].text.contains("secret") && !made.sections[0].text.contains("gone"));
    }
}
