use super::*;

/// What is created in a text, with its lines.
fn names(text: &str) -> Vec<String> {
    let outline = outline(text, &mut || false).unwrap();
    outline.items.iter().map(|item| format!("{} {}-{}", item.label(), item.lines.first, item.lines.last)).collect()
}

#[test]
fn what_stands_in_texts_and_comments_creates_nothing() {
    let text = "SELECT 'it''s;\nCREATE TABLE a (b int);';\n/* CREATE TABLE c (d int); */\nCREATE TABLE e (f int);\n";
    assert_eq!(names(text), ["table e 3-4"]);
    assert_eq!(
        names("DO $x$\nCREATE TABLE a (b int);\n$x$;\nCREATE VIEW \"c d\".\"e\" AS SELECT 1;"),
        ["view c d.e 4-4"]
    );
}

#[test]
fn rows_that_are_copied_are_no_statements() {
    let text = "COPY a.b (c) FROM stdin;\nit's; CREATE TABLE x (y);\n\\.\n\nCREATE INDEX d ON a.b (c);\n";
    assert_eq!(names(text), ["copy a.b 1-3", "index d 5-5"]);
}

#[test]
fn a_routine_ends_with_its_last_end() {
    let text = "CREATE TRIGGER a AFTER INSERT ON b BEGIN\n  SELECT CASE WHEN 1 THEN 2 END;\n  SELECT 3;\nEND;\n\
                BEGIN;\nCREATE TABLE c (d);\nCOMMIT;\n";
    assert_eq!(names(text), ["trigger a 1-4", "table c 6-6"]);
    let text = "CREATE PROCEDURE a() BEGIN\n  IF 1 THEN\n    SELECT 2;\n  END IF;\nEND;\nCREATE TABLE c (d);\n";
    assert_eq!(names(text), ["procedure a 1-5", "table c 6-6"]);
}

#[test]
fn a_routine_that_never_ends_does_not_take_the_next_one() {
    let text = "CREATE FUNCTION a() BEGIN\n  SELECT 1;\nCREATE TABLE b (c int);\n";
    assert_eq!(names(text), ["function a 1-2", "table b 3-3"]);
}

#[test]
fn the_signs_of_a_dump_are_read_as_its_program_does() {
    let text = "/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER `c` BEFORE INSERT ON `d`\n\
                FOR EACH ROW BEGIN\n  SET @x = 'it\\'s';\nEND */;;\n";
    assert_eq!(
        names(&format!("DELIMITER ;;\n{text}DELIMITER ;\nCREATE TABLE `e` (f int);\n")),
        ["trigger c 2-5", "table e 7-7"]
    );
    let text = "CREATE PROC [dbo].[a b] AS\nSELECT 1;\nSELECT 2;\nGO\nCREATE TABLE [dbo].[c] ([d] int)\nGO\n";
    assert_eq!(names(text), ["procedure dbo.a b 1-3", "table dbo.c 5-5"]);
}

#[test]
fn what_is_created_without_a_name_of_its_own_is_no_item() {
    assert!(
        names("CREATE OPERATOR CLASS a DEFAULT FOR TYPE b USING c AS STORAGE d;\nCREATE INDEX ON e (f);").is_empty()
    );
}
