//! Paragraphs, headings, and how characters look.

use super::check;

#[test]
fn paragraphs_are_parted_by_an_empty_line_and_lines_by_a_line_end() {
    check("One\r\nand\\par Two\\line three\\par\\par\\pard Four\\sect Five\\page Six\\\nSeven", {
        "Oneand\n\nTwo\nthree\n\nFour\n\nFive\n\nSix\n\nSeven"
    });
}

#[test]
fn headings_are_known_by_level_by_name_and_by_what_they_are_made_from() {
    let styles = "{\\stylesheet{Normal;}{\\s1\\b\\outlinelevel0 whatever;}{\\s2 heading 2;}{\\s3\\sbasedon2 Mine;}\
        {\\s4\\sbasedon1\\outlinelevel9 TOC Heading;}{\\s5 Heading;}{\\s6 \\'dcberschrift 3;}{\\*\\cs1 heading 4;}\
        {\\s7 Title;}}";
    check(
        &format!(
            "{styles}\\pard\\s1\\b One\\par\\pard\\plain\\s2 Two\\par\\pard\\s3 Three\\par\\pard\\s4 Four\\par\
             \\pard\\s5 Five\\par\
             \\pard\\s6 Six\\par\\pard\\outlinelevel7 Eight\\par\\pard\\s7 Nine\\line ten\\par"
        ),
        "# One\n\n## Two\n\n## Three\n\nFour\n\nFive\n\n### Six\n\n###### Eight\n\n# Nine ten",
    );
}

#[test]
fn runs_of_the_same_look_are_one() {
    check("{\\b One}{\\b  two}{\\b\\i  three}{\\i  four} five\\par", "**One two *three*** *four* five");
    check("{\\b Name: }value {\\b\\b0 not}\\par", "**Name:** value not");
    check("a{\\b }b{\\b\\par}c\\par", "ab\n\nc");
    check("{\\strike old} new\\b\\plain  plain\\par", "~~old~~ new plain");
}

#[test]
fn raised_digits_are_marked_and_raised_letters_are_not() {
    check("10{\\super 6} H{\\sub 2}O 1{\\super st}\\par", "10<sup>6</sup> H<sub>2</sub>O 1st");
}

#[test]
fn a_group_ends_what_it_began_even_before_the_paragraph_ends() {
    check("{\\stylesheet{\\s1 heading 1;}}{\\pard\\s1 Head}\\par\\pard Text\\par", "# Head\n\nText");
}

#[test]
fn white_space_at_the_ends_of_paragraphs_is_dropped() {
    check("   \\tab indented\\tab text  \\par", "indented\ttext");
}
