//! Which lines make a block in data, markup and the languages that fewer repositories hold.
#![expect(clippy::disallowed_methods, reason = "the samples stand in the source tree")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use readstone_base::Span;
use readstone_outline::{Language, NoBlock, block_at, outline};

/// The lines of the block that begins on a line of a sample.
fn block(sample: &str, line: u64) -> Result<(u64, u64), NoBlock> {
    let (language, text) = read(sample);
    block_at(language, &text, line, &mut || false).map(|span| (span.first, span.last))
}

/// The blocks around a line of a sample, the innermost first.
fn around(sample: &str, line: u64) -> Vec<(u64, u64)> {
    let (language, text) = read(sample);
    let outline = outline(language, &text, &mut || false).unwrap();
    outline.blocks_around(line).iter().map(|span| (span.first, span.last)).collect()
}

fn read(sample: &str) -> (Language, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(sample);
    (Language::of(sample, "").unwrap(), fs::read_to_string(path).unwrap())
}

fn check(sample: &str, blocks: &[(u64, u64)]) {
    for (first, last) in blocks {
        assert_eq!(block(sample, *first), Ok((*first, *last)), "{sample}");
    }
}

#[test]
fn a_statement_of_sql_and_what_lies_in_it_are_blocks() {
    let sample = "sql/sample.sql";
    check(sample, &[(2, 2), (7, 10), (13, 19), (38, 45), (40, 43), (62, 71), (65, 70), (66, 68), (84, 86), (122, 126)]);
    // A column, a comment, one statement of a body.
    check(sample, &[(15, 15), (1, 1), (67, 67), (69, 69), (116, 116), (124, 124)]);
    assert_eq!(block(sample, 3), Err(NoBlock::Blank));
    assert_eq!(block(sample, 19), Err(NoBlock::Closing { block: Some(Span::new(13, 19)) }));
    assert_eq!(block(sample, 70), Err(NoBlock::Closing { block: Some(Span::new(65, 70)) }));
    assert_eq!(block(sample, 39), Err(NoBlock::Nothing { around: Some(Span::new(38, 45)) }));
    assert_eq!(around(sample, 67)[..3], [(66, 68), (65, 70), (62, 71)]);
}

#[test]
#[cfg(feature = "html")]
fn an_element_of_html_is_a_block() {
    let sample = "html/sample.html";
    check(sample, &[(2, 88), (3, 12), (7, 10), (15, 20), (16, 19), (22, 22), (30, 37), (41, 50), (46, 48), (78, 83)]);
    assert_eq!(block(sample, 20), Err(NoBlock::Closing { block: Some(Span::new(15, 20)) }));
    assert_eq!(around(sample, 47)[..4], [(46, 48), (45, 49), (41, 50), (38, 51)]);
    assert_eq!(around(sample, 17)[..2], [(16, 19), (14, 20)]);
}

#[test]
#[cfg(feature = "css")]
fn a_rule_of_css_and_a_declaration_in_it_are_blocks() {
    let sample = "css/sample.css";
    check(
        sample,
        &[(6, 9), (7, 7), (16, 22), (20, 21), (24, 27), (29, 36), (31, 33), (51, 59), (52, 54), (72, 84), (76, 78)],
    );
    assert_eq!(block(sample, 9), Err(NoBlock::Closing { block: Some(Span::new(6, 9)) }));
    assert_eq!(around(sample, 32), [(30, 33), (29, 36)]);
    assert_eq!(around(sample, 53), [(52, 54), (51, 59)]);
}

#[test]
#[cfg(feature = "json")]
fn a_key_of_json_and_a_part_of_a_list_are_blocks() {
    let sample = "json/sample.json";
    check(sample, &[(1, 64), (2, 2), (7, 11), (12, 15), (13, 13), (19, 30), (20, 23), (21, 21), (26, 28), (32, 32)]);
    assert_eq!(block(sample, 11), Err(NoBlock::Closing { block: Some(Span::new(7, 11)) }));
    assert_eq!(around(sample, 27), [(26, 28), (24, 29), (19, 30), (1, 64)]);
    assert_eq!(around(sample, 40)[..3], [(38, 41), (37, 43), (36, 44)]);
}

#[test]
fn a_key_of_yaml_and_a_part_of_a_list_are_blocks() {
    let sample = "yaml/sample.yaml";
    check(
        sample,
        &[(1, 1), (4, 4), (5, 8), (6, 7), (11, 14), (16, 50), (18, 33), (21, 33), (22, 25), (23, 23), (24, 25)],
    );
    check(
        sample,
        &[(26, 29), (27, 29), (31, 33), (38, 40), (39, 39), (44, 50), (58, 59), (60, 60), (61, 64), (63, 64)],
    );
    assert_eq!(block(sample, 15), Err(NoBlock::Blank));
    assert_eq!(block(sample, 28), Err(NoBlock::Nothing { around: Some(Span::new(27, 29)) }));
    assert_eq!(block(sample, 50), Err(NoBlock::Closing { block: Some(Span::new(44, 50)) }));
    assert_eq!(around(sample, 28)[..4], [(27, 29), (26, 29), (21, 33), (17, 33)]);
    assert_eq!(around(sample, 75), [(74, 75), (73, 75), (72, 77), (65, 77)]);
}

#[test]
#[cfg(feature = "toml")]
fn a_table_of_toml_and_a_key_in_it_are_blocks() {
    let sample = "toml/sample.toml";
    check(
        sample,
        &[
            (1, 1),
            (2, 2),
            (5, 8),
            (6, 6),
            (11, 20),
            (12, 12),
            (17, 20),
            (30, 33),
            (36, 38),
            (61, 64),
            (70, 71),
            (73, 74),
        ],
    );
    assert_eq!(block(sample, 8), Err(NoBlock::Closing { block: Some(Span::new(5, 8)) }));
    assert_eq!(around(sample, 31), [(30, 33), (28, 33)]);
    assert_eq!(around(sample, 18), [(17, 20), (10, 20)]);
}

#[test]
#[cfg(feature = "markdown")]
fn a_paragraph_a_list_and_code_are_blocks_of_markdown() {
    let sample = "markdown/sample.md";
    check(sample, &[(1, 3), (5, 5), (9, 10), (14, 17), (15, 17), (19, 22), (26, 28), (27, 27), (39, 41), (45, 47)]);
    assert_eq!(block(sample, 11), Err(NoBlock::Blank));
    assert_eq!(around(sample, 20), [(19, 22), (12, 28), (7, 28)]);
    assert_eq!(around(sample, 46), [(45, 47), (43, 56), (35, 56), (30, 66)]);
}

#[test]
#[cfg(feature = "rare")]
fn declarations_and_statements_of_rarer_languages_are_blocks() {
    // With a decorator the whole of it, or from the signature where the grammar makes that a node.
    check(
        "dart/sample.dart",
        &[(10, 10), (27, 38), (41, 45), (52, 116), (63, 65), (74, 96), (76, 82), (79, 81), (86, 87)],
    );
    check(
        "elixir/sample.ex",
        &[(1, 82), (2, 4), (16, 18), (20, 22), (27, 39), (28, 38), (32, 37), (44, 52), (106, 110)],
    );
    check(
        "hcl/sample.tf",
        &[(2, 8), (3, 3), (5, 7), (11, 14), (21, 26), (34, 59), (38, 40), (42, 47), (50, 52), (77, 83)],
    );
    check("powershell/sample.ps1", &[(15, 15), (16, 19), (28, 53), (37, 47), (38, 46), (55, 76), (69, 71), (79, 102)]);
    check("proto/sample.proto", &[(11, 15), (12, 12), (18, 43), (26, 34), (36, 39), (57, 74), (63, 67), (69, 73)]);
    check(
        "r/sample.r",
        &[(4, 4), (5, 8), (13, 15), (26, 54), (30, 32), (33, 39), (40, 44), (48, 52), (78, 91), (81, 83)],
    );
    check("zig/sample.zig", &[(6, 6), (10, 13), (16, 26), (20, 25), (39, 77), (51, 70), (55, 59), (60, 62), (83, 91)]);
    assert_eq!(block("zig/sample.zig", 59), Err(NoBlock::Closing { block: Some(Span::new(55, 59)) }));
    assert_eq!(block("elixir/sample.ex", 22), Err(NoBlock::Closing { block: Some(Span::new(20, 22)) }));
    assert_eq!(around("zig/sample.zig", 56)[..3], [(55, 59), (51, 70), (38, 77)]);
    assert_eq!(around("elixir/sample.ex", 34)[..3], [(33, 37), (32, 37), (28, 38)]);
    assert_eq!(around("r/sample.r", 42)[..3], [(41, 43), (40, 44), (26, 54)]);
}

/// What is found on a line of a text in the language of a file called so.
fn found(name: &str, text: &str, line: u64) -> Result<Span, NoBlock> {
    block_at(Language::of(name, "").unwrap(), text, line, &mut || false)
}

#[test]
fn a_line_that_only_ends_a_text_of_several_lines_closes_its_block() {
    let ends = [
        ("a.md", "# A\n\n```sh\nls\n```\n\nb\n", 5, (3, 5)),
        ("b.md", "- a\n\n  ~~~\n  ls\n  ~~~\n", 5, (3, 5)),
        ("a.py", "x = \"\"\"\na\n\"\"\"\n", 3, (1, 3)),
        ("b.py", "def f():\n    '''A.\n    '''\n    return 1\n", 3, (2, 3)),
        ("a.sh", "cat <<EOF\na\nEOF\nls\n", 3, (1, 3)),
        ("a.php", "<?php\n$x = <<<EOT\na\nEOT;\nf();\n", 4, (2, 4)),
        ("a.cs", "class A {\n  string s = \"\"\"\n    a\n    \"\"\";\n}\n", 4, (2, 4)),
    ];
    for (name, text, line, (first, last)) in ends {
        let closing = NoBlock::Closing { block: Some(Span::new(first, last)) };
        assert_eq!(found(name, text, line), Err(closing), "{name}");
        assert_eq!(found(name, text, first), Ok(Span::new(first, last)), "{name}");
    }
    let others = [
        ("a.rb", "x = <<~EOT\n  a\nEOT\nputs x\n", 3),
        ("a.scala", "object A:\n  def f = 1\nend A\n", 3),
        ("a.swift", "let s = #\"\"\"\n  a\n  \"\"\"#\nlet t = 1\n", 3),
        ("a.js", "let s = `\na\n`;\n", 3),
        ("a.lua", "x = [[\na\n]]\n", 3),
        ("a.kt", "val s = \"\"\"\n  a\n\"\"\"\n", 3),
        ("a.java", "class A {\n  String s = \"\"\"\n    a\n    \"\"\";\n}\n", 4),
        ("a.toml", "a = \"\"\"\nb\n\"\"\"\n", 3),
        ("a.c", "/*\na\n*/\nint x;\n", 3),
        ("a.rs", "const A: &str = r#\"\na\n\"#;\n", 3),
    ];
    for (name, text, line) in others {
        assert!(found(name, text, line).is_err(), "{name}");
    }
}

#[test]
#[cfg(feature = "rare")]
fn a_line_that_only_ends_a_heredoc_of_a_rarer_language_closes_its_block() {
    let closing = NoBlock::Closing { block: Some(Span::new(1, 3)) };
    assert_eq!(found("a.tf", "a = <<EOT\nb\nEOT\nc = 1\n", 3), Err(closing));
}
