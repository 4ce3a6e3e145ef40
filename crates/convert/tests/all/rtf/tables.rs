//! Tables.

use super::check;

#[test]
fn rows_and_cells_become_a_table() {
    check(
        "\\trowd\\cellx1\\cellx2\\pard\\intbl a|b\\cell {\\b c}\\par d\\cell\\row\
         \\trowd\\cellx1\\cellx2\\pard\\intbl e\\cell\\cell\\row\\pard After\\par",
        "| a\\|b | **c**<br>d |\n| --- | --- |\n| e |  |\n\nAfter",
    );
}

#[test]
fn paragraphs_in_groups_inside_of_cells_are_their_text() {
    check(
        "{\\trowd\\cellx1\\cellx2\\trkeep\\intbl{{{\\pard\\intbl a\\par}\\cell}{{\\pard\\intbl b\\par}\\cell}}\
         \\intbl\\row}x\\par",
        "| a | b |\n| --- | --- |\n\nx",
    );
}

#[test]
fn cells_that_do_not_say_they_are_in_a_table_are() {
    check("\\trowd\\cellx1\\cellx2 a\\cell b\\par c\\cell\\row\\pard d\\par", "| a | b<br>c |\n| --- | --- |\n\nd");
}

#[test]
fn a_table_in_a_cell_becomes_lines() {
    check(
        "\\trowd\\cellx1\\cellx2\\pard\\intbl out\\par\\pard\\intbl\\itap2 n1\\nestcell{\\nonesttables\\par}n2\
         \\nestcell\
         {\\*\\nesttableprops\\trowd\\cellx1\\cellx2\\nestrow}{\\nonesttables\\par}\\pard\\intbl after\\cell x\
         \\cell\\row\\pard",
        "| out<br>n1 \\| n2<br>after | x |\n| --- | --- |",
    );
}

#[test]
fn tables_with_text_between_them_are_two() {
    let row = "\\trowd\\cellx1\\cellx2\\pard\\intbl a\\cell b\\cell\\row";
    let table = "| a | b |\n| --- | --- |";
    check(&format!("{row}\\pard\\par {row}\\pard"), &format!("{table}\n\n{table}"));
}

#[test]
fn a_frame_round_a_text_is_no_table() {
    check("\\trowd\\cellx1\\pard\\intbl One\\par two\\cell\\row\\pard", "One\n\ntwo");
}

#[test]
fn rows_of_different_lengths_are_filled() {
    check("\\pard\\intbl a\\cell\\row b\\cell c\\cell\\row\\pard", "| a |  |\n| --- | --- |\n| b | c |");
}

#[test]
fn lists_and_notes_in_cells_stay_there() {
    check(
        "\\trowd\\cellx1\\cellx2\\pard\\intbl{\\listtext\\bullet\\tab}a\\par{\\listtext\\bullet\\tab}b{\\footnote\
         \\pard n}\\cell c\\cell\
         \\row\\pard",
        "| - a<br>- b[^1] | c |\n| --- | --- |\n\n[^1]: n",
    );
}
