//! Links, signs, forms, footnotes, text boxes, formulas.

use super::check;

fn link(instruction: &str) -> String {
    format!("{{\\field{{\\*\\fldinst{{{instruction}}}}}{{\\fldrslt{{\\ul text}}}}}}\\par")
}

#[test]
fn hyperlinks_become_links() {
    check(&link("HYPERLINK \"http://a.b/c?d=e\""), "[text](http://a.b/c?d=e)");
    check(&link("HYPERLINK http://a.b"), "[text](http://a.b)");
    check(&link("HYPERLINK \"http://a.b\" \\\\l \"part\" \\\\o \"tip\" \\\\t \"_blank\""), "[text](http://a.b#part)");
    check(&link("HYPERLINK \"http://a.b/c (d)\""), "[text](<http://a.b/c (d)>)");
    check(&link("HYPERLINK \"C:\\\\\\\\x\\\\\\\\y.doc\""), "[text](C:\\x\\y.doc)");
}

#[test]
fn links_inside_the_document_and_other_fields_show_their_text() {
    check(&link("HYPERLINK \\\\l \"_Toc1\""), "text");
    check(&link("REF _Ref1 \\\\h"), "text");
    check(&link("PAGE"), "text");
}

#[test]
fn an_address_that_is_its_own_text_is_written_once() {
    check("{\\field{\\*\\fldinst HYPERLINK \"http://a.b\"}{\\fldrslt http://a.b}}.\\par", "http://a.b.");
    check("{\\field{\\*\\fldinst HYPERLINK \"mailto:x@a.b\"}{\\fldrslt x@a.b}}.\\par", "x@a.b.");
}

#[test]
fn a_link_over_two_paragraphs_is_closed_in_each() {
    check(
        "{\\field{\\*\\fldinst HYPERLINK \"http://a.b\"}{\\fldrslt {\\b one}\\par two}}\\par",
        "[**one**](http://a.b)\n\n[two](http://a.b)",
    );
}

#[test]
fn a_field_inside_an_instruction_is_part_of_it() {
    check(
        "{\\field{\\*\\fldinst HYPERLINK \"http://a.b/{\\field{\\*\\fldinst REF x}{\\fldrslt id}}\"}{\\fldrslt t}}\
         \\par",
        "[t](http://a.b/id)",
    );
}

#[test]
fn signs_of_fonts_become_characters() {
    check("{\\field{\\*\\fldinst SYMBOL 97 \\\\f \"Symbol\" \\\\s 10}{\\fldrslt\\f3 a}}\\par", "α");
    check("{\\fonttbl{\\f1\\fcharset2 Wingdings;}{\\f2\\fcharset2 Symbol;}}{\\f1 \\'fc} {\\f2 \\'ae}\\par", "✓ →");
    check("{\\fonttbl{\\f2\\fcharset2 Symbol;}}x{\\f2\\u-3913\\'b7}\\u-3913 ?\\par", "x••");
}

#[test]
fn fields_of_forms_show_their_state() {
    let form = |kind: &str, state: &str| {
        format!("{{\\field{{\\*\\fldinst{{{kind} {{\\*\\formfield{{{state}}}}}}}}}{{\\fldrslt }}}}\\par")
    };
    check(&form("FORMCHECKBOX", "\\fftype1\\ffres1\\ffdefres0{\\*\\ffname C}"), "☒");
    check(&form("FORMCHECKBOX", "\\fftype1\\ffres25\\ffdefres0"), "☐");
    check(&form("FORMDROPDOWN", "\\fftype2\\ffres1{\\*\\ffl Red}{\\*\\ffl Blue}"), "Blue");
}

#[test]
fn footnotes_and_endnotes_stand_at_the_end() {
    check(
        "One{\\super\\chftn}{\\footnote\\pard\\plain{\\super\\chftn} First {\\i note}.\\par Its end.} two\
         {\\super\\chftn{\\*\\footnote\\ftnalt Second.}}.\\par Last\\par",
        "One[^1] two[^2].\n\nLast\n\n[^1]: First *note*.\n\n    Its end.\n\n[^2]: Second.",
    );
}

#[test]
fn a_text_box_follows_its_paragraph() {
    check(
        "Before {\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn x}{\\sv 1}}{\\shptxt\\pard In the box\\par}}\
         {\\shprslt{\\*\\do{\\dptxbxtext In the box}}}}after\\par Next\\par",
        "Before after\n\nIn the box\n\nNext",
    );
    check("{\\*\\do\\dobxpage{\\dptxbxtext\\pard Old box\\par}}\\par", "Old box");
}

#[test]
fn an_object_shows_its_result() {
    check("{\\object\\objemb{\\*\\objclass X}{\\*\\objdata 0102}{\\result{\\pict 00}shown}}\\par", "shown");
}

#[test]
fn formulas_keep_their_signs() {
    check(
        "{\\mmath{\\*\\moMath{\\mf{\\mfPr{\\mctrlPr}}{\\mnum{\\mr a}}{\\mden{\\mr b}}}{\\msSup{\\me x}{\\msup 2}}}\
         {\\*\\mmathPict{\\pict 00}}}\\par",
        "$(a)/(b)x^(2)$",
    );
}

#[test]
fn mail_that_was_a_web_page_is_read_as_text() {
    check(
        "\\fromhtml1{\\*\\htmltag64 <p>}\\htmlrtf{\\htmlrtf0 Hello {\\*\\htmltag84 <b>}\\htmlrtf{\\b\\htmlrtf0 you\
         {\\*\\htmltag92 </b>}\\htmlrtf}\\htmlrtf0{\\*\\htmltag72 </p>}\\htmlrtf\\par}\\htmlrtf0 next",
        "Hello **you**\n\nnext",
    );
}
