use readstone_convert::{Form, Parts, State};

use super::{content, convert, package};

#[test]
fn slides_have_a_title_their_text_and_notes() {
    let body = "<draw:page draw:name=\"page1\"><draw:frame presentation:class=\"outline\"><draw:text-box><text:list>\
        <text:list-item><text:p>a</text:p></text:list-item></text:list><text:list><text:list-item><text:list>\
        <text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list></draw:text-box>\
        </draw:frame><draw:frame presentation:class=\"title\"><draw:text-box>\
        <text:p>The<text:line-break/>title</text:p>\
        </draw:text-box></draw:frame>\
        <presentation:notes><draw:page-thumbnail/><draw:frame presentation:class=\"notes\">\
        <draw:text-box><text:p>Say it</text:p></draw:text-box></draw:frame><draw:frame \
        presentation:class=\"page-number\"><draw:text-box><text:p>9</text:p></draw:text-box></draw:frame>\
        </presentation:notes></draw:page>\
        <draw:page draw:name=\"Named\"><draw:g><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:g>\
        <draw:frame><table:table><table:table-row><table:table-cell><text:p>k</text:p></table:table-cell>\
        <table:table-cell><text:p>v</text:p></table:table-cell></table:table-row></table:table><draw:image \
        xlink:href=\"Pictures/preview.svm\"/></draw:frame></draw:page>\
        <draw:page draw:name=\"page3\"><draw:frame><draw:image xlink:href=\"Pictures/scan.png\"/></draw:frame>\
        </draw:page><draw:page draw:name=\"page4\"/>";
    let made = convert(Form::Odp, &package(&[("content.xml", &content("presentation", "", body))])).unwrap();
    assert_eq!((made.parts, made.count), (Parts::Slides, 4));
    let texts: Vec<&str> = made.sections.iter().map(|section| section.text.as_str()).collect();
    let first = "## The title\n\n- a\n  - b\n\n### Notes\n\nSay it";
    assert_eq!(texts, [first, "## Named\n\nshape\n\n| k | v |\n| --- | --- |", "", ""]);
    let states: Vec<&State> = made.sections.iter().map(|section| &section.state).collect();
    assert_eq!(states, [&State::Whole, &State::Whole, &State::NoText, &State::Blank]);
}
