//! Lists: by the tables of lists, by what stands before the items, by looks.

use super::check;

const TABLES: &str = "{\\fonttbl{\\f2 Courier New;}{\\f3\\fcharset2 Symbol;}}{\\*\\listtable\
    {\\list{\\listlevel\\levelnfc23\\levelstartat1{\\leveltext\\'01\\u-3913 ?;}{\\levelnumbers;}\\f3}\
    {\\listlevel\\levelnfc23{\\leveltext\\'01o;}{\\levelnumbers;}}\\listid100}\
    {\\list{\\listlevel\\levelnfc0\\levelstartat3{\\leveltext\\'02\\'00.;}{\\levelnumbers\\'01;}}\
    {\\listlevel\\levelnfc4\\levelstartat1}\\listid200}}\
    {\\*\\listoverridetable{\\listoverride\\listid100\\ls1}{\\listoverride\\listid200\\ls2}}";

#[test]
fn bullets_of_a_word_processor_are_nested() {
    let body = "{\\listtext\\pard\\plain\\f3 \\'b7\\tab}\\pard\\fi-360\\li720\\ls1 First\\par\
        {\\listtext\\f2 o\\tab}\\pard\\fi-360\\li1440\\ls1\\ilvl1 Inner\\line more\\par\
        {\\listtext\\f3 \\'b7\\tab}\\pard\\fi-360\\li720\\ls1 Second\\par\\pard Text\\par";
    check(&format!("{TABLES}{body}"), "- First\n  - Inner\n    more\n- Second\n\nText");
}

#[test]
fn numbers_are_those_that_are_written() {
    let body = "{\\listtext 7.\\tab}\\pard\\ls2 Seven\\par{\\listtext (b)\\tab}\\pard\\ls2\\ilvl1 Inner\\par\
        {\\listtext 8.\\tab}\\pard\\ls2 Eight\\par";
    check(&format!("{TABLES}{body}"), "7. Seven\n   - (b) Inner\n8. Eight");
}

#[test]
fn numbers_that_are_not_written_are_counted() {
    let body = "\\pard\\ls2 a\\par\\pard\\ls2\\ilvl1 b\\par\\pard\\ls2\\ilvl1 c\\par\\pard\\ls2\\ilvl0 d\\par\
        \\pard\\ls1 e\\par\\pard\\ls99 f\\par";
    check(&format!("{TABLES}{body}"), "3. a\n   - a. b\n   - b. c\n4. d\n- e\n\nf");
}

#[test]
fn lists_of_simple_editors_need_no_table() {
    check(
        "{\\fonttbl{\\f1\\fcharset2 Symbol;}}Intro\\par\\pard{\\pntext\\f1\\'B7\\tab}{\\*\\pn\\pnlvlblt\\pnf1\
         {\\pntxtb\\'B7}}\
         \\fi-360\\li720 one\\par{\\pntext\\f1\\'B7\\tab}two\\par\\pard{\\pntext 1.\\tab}\\fi-360\\li1440 inner\
         \\par\\pard end\\par",
        "Intro\n\n- one\n- two\n  1. inner\n\nend",
    );
}

#[test]
fn a_hanging_bullet_or_number_before_a_tab_is_an_item() {
    check(
        "{\\pard\\li360\\fi-360 \\bullet\\tx360\\tab a\\par}{\\pard\\li720\\fi-360 \\endash\\tab b\\par}\
         {\\pard\\li1080\\fi-360 1.\\tab c\\par}{\\pard\\li1080\\fi0 more of c\\par}{\\pard\\li360\\fi-360 \\bullet\
         \\tab d\\par}\
         {\\pard\\li0\\fi0 1.\\tab no item\\par}{\\pard\\li720\\fi-720 Term\\tab meaning\\par}",
        "- a\n  - b\n    1. c\n\n       more of c\n\n- d\n\n1.\tno item\n\nTerm\tmeaning",
    );
}

#[test]
fn a_heading_keeps_its_number() {
    check("{\\stylesheet{\\s1 heading 1;}}{\\listtext 1.2\\tab}\\pard\\s1\\ls1 Title\\par", "# 1.2 Title");
}

#[test]
fn an_empty_label_makes_no_item() {
    check("{\\listtext\\tab}\\pard\\ls1 Text\\par{\\listtext 1.\\tab}\\pard\\ls1\\par", "Text");
}
