use readstone_convert::{Form, Refusal, Remark, State};

use super::{content, convert, only, package};

fn check(styles: &str, body: &str, expected: &str) {
    let made = convert(Form::Odt, &package(&[("content.xml", &content("text", styles, body))])).unwrap();
    assert_eq!(only(&made), expected);
}

#[test]
fn headings_have_their_level_also_in_sections() {
    let body = "<text:h text:outline-level=\"1\">One</text:h><text:section>\
                <text:h text:outline-level=\"2\">Two</text:h>\
                <text:p>Words  and\n words</text:p></text:section>";
    check("", body, "# One\n\n## Two\n\nWords and words");
}

#[test]
fn lists_are_numbered_and_nested() {
    let styles = "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" \
                  style:num-format=\"1\" text:start-value=\"3\"/><text:list-level-style-bullet text:level=\"2\"/>\
                  </text:list-style>";
    let body = "<text:list text:style-name=\"L\"><text:list-item><text:p>a</text:p><text:list><text:list-item>\
                <text:p>b</text:p></text:list-item></text:list>\
                <text:p>more of a</text:p></text:list-item><text:list-item><text:p>c</text:p>\
                </text:list-item></text:list><text:p>between</text:p><text:list text:style-name=\"L\" \
                text:continue-numbering=\"true\"><text:list-item><text:p>d</text:p></text:list-item></text:list>";
    check(styles, body, "3. a\n   - b\n\n   more of a\n\n4. c\n\nbetween\n\n5. d");
}

#[test]
fn emphasis_hugs_the_words() {
    let styles = "<style:style style:name=\"B\" style:family=\"text\"><style:text-properties fo:font-weight=\"bold\"/>\
                  </style:style><style:style style:name=\"I\" style:family=\"text\" style:parent-style-name=\"B\">\
                  <style:text-properties fo:font-style=\"italic\"/></style:style>";
    let body = "<text:p>a <text:span text:style-name=\"B\">bold </text:span><text:span text:style-name=\"I\">both\
                </text:span> end</text:p>";
    check(styles, body, "a **bold *both*** end");
}

#[test]
fn notes_are_at_the_end_and_comments_are_told_of() {
    let body = "<text:p>See<text:note text:note-class=\"footnote\"><text:note-citation>1</text:note-citation>\
                <text:note-body><text:p>The note.</text:p></text:note-body></text:note> here<office:annotation>\
                <text:p>psst</text:p></office:annotation>.</text:p><text:p>Last</text:p>";
    let made = convert(Form::Odt, &package(&[("content.xml", &content("text", "", body))])).unwrap();
    assert_eq!(only(&made), "See[^1] here.\n\nLast\n\n[^1]: The note.");
    assert_eq!(made.remarks, [Remark::LeftOut("1 comment".to_owned())]);
}

#[test]
fn deleted_text_is_left_out() {
    let body = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>\
                </text:changed-region></text:tracked-changes><text:p>kept<text:change text:change-id=\"c\"/></text:p>";
    check("", body, "kept");
}

#[test]
fn tables_keep_bars_breaks_and_merged_cells() {
    let body = "<table:table><table:table-header-rows><table:table-row><table:table-cell \
                table:number-columns-spanned=\"2\"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/>\
                <table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table-header-rows>\
                <table:table-row><table:table-cell><text:p>a|b</text:p><text:p>two</text:p></table:table-cell>\
                <table:table-cell table:number-columns-repeated=\"2\"><text:p>x</text:p></table:table-cell>\
                <table:table-cell table:number-columns-repeated=\"9000000000\"/></table:table-row></table:table>";
    check("", body, "| wide |  | c |\n| --- | --- | --- |\n| a\\|b<br>two | x | x |");
}

#[test]
fn text_boxes_links_pictures_and_blanks_are_kept() {
    let body = "<text:p>a<text:s text:c=\"2\"/>b<text:line-break/>c \
                <text:a xlink:href=\"https://x.org/a b\">link</text:a>\
                <draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>\
                <text:p><draw:frame><draw:image xlink:href=\"Pictures/1.png\"/>\
                <svg:title>A ship</svg:title></draw:frame>\
                </text:p><draw:custom-shape><text:p>in a shape</text:p></draw:custom-shape>";
    let expected = "a  b\nc [link](<https://x.org/a b>)\n\nboxed\n\n![A ship](Pictures/1.png)\n\nin a shape";
    check("", body, expected);
}

#[test]
fn a_table_of_contents_is_a_list() {
    let body = "<text:table-of-content><text:table-of-content-source><text:index-title-template>no\
                </text:index-title-template></text:table-of-content-source><text:index-body><text:index-title><text:p>\
                Contents</text:p></text:index-title><text:p><text:a xlink:href=\"#a\">One</text:a></text:p><text:p>Two\
                </text:p></text:index-body></text:table-of-content>";
    check("", body, "Contents\n\n- One\n- Two");
}

#[test]
fn code_and_quotes_are_blocks() {
    let body = "<text:p text:style-name=\"Preformatted_20_Text\">if x:</text:p><text:p \
                text:style-name=\"Preformatted_20_Text\"><text:s text:c=\"4\"/>y</text:p><text:p \
                text:style-name=\"Quotations\">said</text:p>";
    check("", body, "```\nif x:\n    y\n```\n\n> said");
}

#[test]
fn formulas_and_charts_are_written_out() {
    let math = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow><mi>c</mi><msup><mi>x</mi><mrow><mn>2</mn>\
                <mi>n</mi></mrow></msup></mrow></math>";
    let chart = content(
        "chart",
        "",
        "<text:p>Sales</text:p><table:table><table:table-row><table:table-cell><text:p>May\
                </text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row>\
                </table:table>",
    );
    let body = "<text:p>so <draw:frame><draw:object xlink:href=\"./F\"/></draw:frame></text:p><draw:frame><draw:object \
                xlink:href=\"./C\"/><draw:image xlink:href=\"./ObjectReplacements/C\"/></draw:frame>";
    let parts =
        [("content.xml", content("text", "", body)), ("F/content.xml", math.to_owned()), ("C/content.xml", chart)];
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let made = convert(Form::Odt, &package(&parts)).unwrap();
    assert_eq!(only(&made), "so `c x^{2 n}`\n\nSales\n\n| May | 7 |\n| --- | --- |");
}

#[test]
fn empty_encrypted_and_damaged_are_three_answers() {
    let empty = content("text", "", "<text:p/>");
    assert_eq!(convert(Form::Odt, &package(&[("content.xml", &empty)])), Err(Refusal::Empty));
    let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>";
    let locked = package(&[("META-INF/manifest.xml", manifest), ("content.xml", "\u{1}\u{2}")]);
    assert_eq!(convert(Form::Odt, &locked), Err(Refusal::Encrypted));
    let refused = convert(Form::Odt, &package(&[("styles.xml", "")]));
    assert_eq!(refused, Err(Refusal::Damaged("content.xml is missing".to_owned())));
    assert!(matches!(convert(Form::Odt, b"PK no zip"), Err(Refusal::Damaged(_))));
}

#[test]
fn what_could_be_read_of_a_broken_part_is_given_with_a_remark() {
    let whole = content("text", "", "<text:p>first</text:p><text:p>second</text:p>");
    let at = whole.find("second").unwrap();
    let made = convert(Form::Odt, &package(&[("content.xml", whole.get(..at).unwrap())])).unwrap();
    assert_eq!(only(&made), "first");
    assert!(matches!(made.remarks.as_slice(), [Remark::Damaged(_)]), "{:?}", made.remarks);
}

#[test]
fn a_document_of_pictures_only_has_no_text() {
    let body = "<text:p><draw:frame><draw:image xlink:href=\"Pictures/1.png\"/></draw:frame></text:p>";
    let made = convert(Form::Odt, &package(&[("content.xml", &content("text", "", body))])).unwrap();
    assert_eq!(made.sections.first().unwrap().state, State::NoText);
}

#[test]
fn headings_by_style_are_headings_and_page_margins_are_told_of() {
    let styles = "<style:style style:name=\"P1\" style:family=\"paragraph\" style:parent-style-name=\"Heading_20_2\"/>";
    let body = "<text:p text:style-name=\"Title\">Name</text:p><text:p text:style-name=\"P1\">Part</text:p>";
    let margins = format!(
        "<office:document-styles {}><office:master-styles><style:master-page><style:header><text:p>Secret</text:p>\
         </style:header></style:master-page></office:master-styles></office:document-styles>",
        super::SPACES
    );
    let named = styles.to_owned() + "<style:style style:name=\"Heading_20_2\" style:family=\"paragraph\"/>";
    let parts = [("content.xml", content("text", &named, body)), ("styles.xml", margins)];
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let made = convert(Form::Odt, &package(&parts)).unwrap();
    assert_eq!(only(&made), "# Name\n\n## Part");
    assert_eq!(made.remarks, [Remark::LeftOut("page headers and footers".to_owned())]);
}
