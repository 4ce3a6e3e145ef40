use super::*;

/// The names of a text with their lines, what lies in something behind its name.
fn names(text: &str) -> Vec<String> {
    let outline = outline(text, &mut || false).unwrap();
    let told =
        |item: &Item| format!("{}{} {}-{}", " ".repeat(item.depth), item.name, item.lines.first, item.lines.last);
    outline.items.iter().map(told).collect()
}

#[test]
fn a_text_in_a_value_has_no_keys() {
    let text = "a: |\n  b: 1\n\n  c: 2\nd: >-\n  e: 1\nf: \"g\n  h: 1\"\ni: [1,\n  j: 2\n]\nk: 1\n";
    assert_eq!(names(text), ["a 1-4", "d 5-6", "f 7-8", "i 9-11", "k 12-12"]);
}

#[test]
fn a_list_may_stand_right_under_its_key() {
    assert_eq!(names("a:\n- b: 1\n  c: 2\n- d\ne: 1\n"), ["a 1-4", "e 5-5"]);
}

#[test]
fn templates_between_the_lines_hide_nothing() {
    let text = "a:\n  {{- if .Values.b }}\n  c: {{ .Values.c }}\n  {{- end }}\n{{ .Values.d }}: 1\ne: 1\n";
    assert_eq!(names(text), ["a 1-4", " c 3-4", "{{ .Values.d }} 5-5", "e 6-6"]);
}

#[test]
fn what_is_never_closed_ends_before_the_next_key() {
    assert_eq!(names("a: [1,\n  2\nb: 1\nc: \"x\nd: 1\n"), ["a 1-2", "b 3-3", "c 4-4", "d 5-5"]);
}

#[test]
fn any_depth_and_any_line_can_be_read() {
    let deep: Vec<String> = (0..2_000).map(|depth| " ".repeat(depth) + "a:\n").collect();
    assert_eq!(names(&deep.concat()).len(), MOST_DEPTH);
    for text in ["- ".repeat(50_000), "? ".repeat(50_000), "a: ".repeat(50_000), "\"".repeat(50_000), ": ".repeat(9)] {
        assert!(names(&text).len() < 2);
    }
}

#[test]
fn a_comment_belongs_to_the_key_below_unless_it_stands_further_in() {
    let text = "a:\n  b: 1\n  # of a\n# of c\nc: 1\n\n# of none\n\nd: 1\n";
    assert_eq!(names(text), ["a 1-3", " b 2-2", "c 4-5", "d 9-9"]);
}
