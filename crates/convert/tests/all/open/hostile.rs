use readstone_convert::{Form, Refusal};

use super::{SPACES, content, convert, only, package};

#[test]
fn d01_entities_are_refused() {
    let text = format!(
        "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>{}",
        content("text", "", "<text:p>&b;</text:p>").replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "")
    );
    let refused = convert(Form::Odt, &package(&[("content.xml", &text)]));
    assert!(matches!(refused, Err(Refusal::Unsupported { .. })), "{refused:?}");
}

#[test]
fn d04_a_part_that_unpacks_to_far_more_is_refused() {
    let text = content("text", "", &format!("<text:p>{}</text:p>", " ".repeat(40 << 20)));
    let refused = convert(Form::Odt, &package(&[("content.xml", &text)]));
    assert_eq!(refused, Err(Refusal::TooLarge { limit: "ratio".to_owned(), value: 200 }));
}

#[test]
fn d05_depth_is_bounded_and_does_not_end_the_stack() {
    for (open, close) in [("<text:span>", "</text:span>"), ("<text:section>", "</text:section>")] {
        let deep = format!("<text:p>{}x{}</text:p>", open.repeat(100_000), close.repeat(100_000));
        let refused = convert(Form::Odt, &package(&[("content.xml", &content("text", "", &deep))]));
        assert_eq!(refused, Err(Refusal::TooLarge { limit: "depth".to_owned(), value: 256 }));
    }
}

#[test]
fn d08_many_attributes_and_namespaces_cost_little() {
    let many: String = (0..150_000).map(|at| format!(" a{at}=\"\" xmlns:n{at}=\"u{at}\"")).collect();
    let text = format!(
        "<office:document-content {SPACES}{many}><office:body><office:text><text:p{many}>here</text:p></office:text>\
         </office:body></office:document-content>"
    );
    let made = convert(Form::Odt, &package(&[("content.xml", &text)])).unwrap();
    assert_eq!(only(&made), "here");
}
