//! Blocks in the samples of C, C++, C#, Ruby, PHP, Swift, Lua and Bash, and what is left of broken code.
#![expect(clippy::disallowed_methods, reason = "the samples stand in the source tree")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use readstone_base::Span;
use readstone_outline::{Language, NoBlock, block_at, outline};

/// The lines of a block and the line that it is asked for by.
type Lines = (u64, u64);

fn sample(file: &str) -> (Language, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(file);
    (Language::of(file, "").unwrap(), fs::read_to_string(path).unwrap())
}

/// Each block begins on its first line and has exactly its lines.
fn begin(file: &str, blocks: &[Lines]) {
    let (language, text) = sample(file);
    for (first, last) in blocks.iter().copied() {
        let found = block_at(language, &text, first, &mut || false);
        assert_eq!(found, Ok(Span::new(first, last)), "{file}:{first}");
    }
}

/// Around a line lie these blocks, the innermost first.
fn around(file: &str, line: u64, blocks: &[Lines]) {
    let (language, text) = sample(file);
    let found = outline(language, &text, &mut || false).unwrap().blocks_around(line);
    let found: Vec<Lines> = found.iter().map(|span| (span.first, span.last)).collect();
    assert_eq!(found, blocks, "{file}:{line}");
}

fn none(file: &str, line: u64, expected: &NoBlock) {
    let (language, text) = sample(file);
    assert_eq!(block_at(language, &text, line, &mut || false).as_ref(), Err(expected), "{file}:{line}");
}

fn closes(file: &str, line: u64, (first, last): Lines) {
    none(file, line, &NoBlock::Closing { block: Some(Span::new(first, last)) });
}

/// Kinds, names and lines of what a text declares at the top.
fn top(file: &str, text: &str) -> Vec<String> {
    let language = Language::of(file, "").unwrap();
    let outline = outline(language, text, &mut || false).unwrap();
    let tell = |(_, item): (usize, &readstone_outline::Item)| {
        format!("{} {}-{}", item.label(), item.lines.first, item.lines.last)
    };
    outline.items.iter().enumerate().filter(|(_, item)| item.parent.is_none()).map(tell).collect()
}

#[test]
fn blocks_of_c_begin_where_they_are_written() {
    let file = "c/sample.c";
    begin(file, &[(5, 5), (8, 10), (16, 16), (24, 31), (26, 29), (37, 41), (54, 57), (59, 64), (71, 72), (76, 99)]);
    begin(file, &[(80, 80), (83, 97), (85, 96), (89, 96), (93, 96), (101, 105), (103, 104), (107, 122), (108, 121)]);
    begin(file, &[(109, 110), (111, 120), (113, 115), (116, 118), (124, 133), (125, 133), (127, 128), (129, 132)]);
    none(file, 4, &NoBlock::Blank);
    closes(file, 122, (107, 122));
    closes(file, 118, (116, 118));
    none(file, 142, &NoBlock::NoLine { lines: 141 });
    around(file, 91, &[(89, 96), (85, 96), (83, 97), (75, 99)]);
    around(file, 114, &[(113, 115), (111, 120), (108, 121), (107, 122)]);
}

#[test]
fn a_block_of_c_that_tears_a_condition_is_broken() {
    let (first, last) = (13, 140);
    none("c/sample.c", first, &NoBlock::Broken { block: Span::new(first, last), line: 14 });
}

#[test]
fn blocks_of_cpp_begin_where_they_are_written() {
    let file = "cpp/sample.cpp";
    begin(file, &[(13, 144), (15, 17), (24, 27), (29, 30), (35, 75), (36, 75), (38, 38), (46, 50), (47, 50), (52, 53)]);
    begin(file, &[(59, 61), (63, 65), (77, 80), (93, 102), (94, 102), (98, 100), (117, 136), (120, 126), (121, 125)]);
    begin(file, &[(127, 131), (132, 134), (138, 138), (148, 148), (150, 152), (154, 156)]);
    none(file, 12, &NoBlock::Blank);
    closes(file, 75, (36, 75));
    closes(file, 134, (132, 134));
    around(file, 122, &[(121, 125), (120, 126), (116, 136), (13, 144)]);
    around(file, 133, &[(132, 134), (116, 136), (13, 144)]);
}

#[test]
fn blocks_of_csharp_begin_where_they_are_written() {
    let file = "csharp/sample.cs";
    begin(
        file,
        &[(7, 176), (10, 10), (15, 22), (16, 22), (20, 21), (21, 21), (24, 24), (31, 38), (45, 175), (47, 175)],
    );
    begin(file, &[(51, 54), (59, 62), (75, 79), (81, 82), (82, 82), (84, 94), (87, 93), (89, 92), (109, 157)]);
    begin(file, &[(110, 157), (114, 118), (119, 125), (126, 133), (128, 130), (134, 145), (146, 149), (150, 153)]);
    begin(file, &[(154, 156), (161, 161), (163, 169), (164, 166)]);
    none(file, 4, &NoBlock::Blank);
    closes(file, 118, (114, 118));
    around(file, 91, &[(89, 92), (87, 93), (84, 94), (42, 175), (7, 176)]);
    around(file, 129, &[(128, 130), (126, 133), (108, 157), (42, 175), (7, 176)]);
}

#[test]
fn blocks_of_ruby_begin_where_they_are_written() {
    let file = "ruby/sample.rb";
    begin(file, &[(6, 6), (8, 11), (14, 117), (17, 21), (28, 116), (31, 31), (32, 33), (38, 42), (45, 49), (57, 89)]);
    begin(file, &[(58, 58), (60, 66), (62, 65), (64, 65), (67, 73), (68, 69), (74, 80), (76, 77), (78, 79), (81, 83)]);
    begin(file, &[(84, 86), (91, 91), (106, 111), (107, 110), (113, 115), (125, 132), (129, 131), (134, 139)]);
    none(file, 2, &NoBlock::Blank);
    closes(file, 89, (57, 89));
    closes(file, 86, (84, 86));
    around(file, 61, &[(60, 66), (57, 89), (25, 116), (13, 117)]);
    around(file, 85, &[(84, 86), (57, 89), (25, 116), (13, 117)]);
}

#[test]
fn blocks_of_php_begin_where_they_are_written() {
    let file = "php/sample.php";
    begin(file, &[(7, 7), (12, 12), (16, 22), (21, 21), (24, 31), (34, 48), (53, 121), (55, 121), (62, 64), (66, 71)]);
    begin(file, &[(73, 78), (83, 112), (84, 112), (86, 92), (93, 97), (94, 96), (98, 103), (99, 100), (104, 110)]);
    begin(file, &[(124, 135), (126, 129), (130, 130), (131, 133), (137, 139), (141, 143), (145, 145), (147, 151)]);
    none(file, 6, &NoBlock::Blank);
    closes(file, 92, (86, 92));
    around(file, 95, &[(94, 96), (93, 97), (80, 112), (50, 121)]);
    around(file, 132, &[(131, 133), (123, 135)]);
}

#[test]
fn blocks_of_swift_begin_where_they_are_written() {
    let file = "swift/sample.swift";
    begin(file, &[(5, 5), (9, 9), (13, 15), (18, 26), (29, 42), (34, 41), (35, 40), (36, 37), (44, 44), (49, 148)]);
    begin(file, &[(51, 148), (54, 55), (55, 55), (56, 59), (61, 65), (62, 64), (69, 76), (78, 81), (83, 85), (91, 93)]);
    begin(file, &[(96, 133), (97, 133), (101, 103), (104, 110), (111, 115), (112, 114), (116, 118), (119, 125)]);
    begin(file, &[(126, 128), (129, 131), (132, 132), (135, 137), (150, 152), (160, 163), (175, 181), (176, 181)]);
    none(file, 8, &NoBlock::Blank);
    closes(file, 110, (104, 110));
    around(file, 113, &[(112, 114), (111, 115), (95, 133), (46, 148)]);
    around(file, 130, &[(129, 131), (95, 133), (46, 148)]);
}

#[test]
fn blocks_of_lua_begin_where_they_are_written() {
    let file = "lua/sample.lua";
    begin(file, &[(4, 4), (11, 14), (17, 27), (19, 21), (23, 25), (26, 26), (29, 33), (39, 46), (41, 43), (50, 68)]);
    begin(file, &[(51, 51), (52, 58), (54, 55), (56, 57), (59, 63), (60, 62), (64, 66), (72, 79), (74, 77), (81, 86)]);
    begin(file, &[(88, 90), (92, 92), (94, 99), (96, 98), (101, 101)]);
    none(file, 3, &NoBlock::Blank);
    closes(file, 58, (52, 58));
    closes(file, 99, (94, 99));
    around(file, 61, &[(60, 62), (59, 63), (48, 68)]);
    around(file, 97, &[(96, 98), (94, 99)]);
}

#[test]
fn blocks_of_bash_begin_where_they_are_written() {
    let file = "bash/sample.sh";
    begin(file, &[(5, 5), (11, 14), (17, 22), (18, 21), (24, 34), (25, 25), (27, 33), (29, 30), (31, 32), (36, 46)]);
    begin(file, &[(38, 42), (39, 41), (43, 45), (48, 51), (53, 53), (56, 58), (62, 66), (68, 77), (69, 72), (74, 75)]);
    begin(file, &[(79, 81), (83, 86), (88, 88)]);
    none(file, 4, &NoBlock::Blank);
    closes(file, 33, (27, 33));
    closes(file, 77, (68, 77));
    around(file, 40, &[(39, 41), (38, 42), (36, 46)]);
    around(file, 70, &[(69, 72), (68, 77)]);
}

#[test]
fn a_broken_function_does_not_hide_those_behind_it() {
    let text = "int one(void) {\n    return 1;\n}\n\nint two(int a) {\n    if (a) {\n    return 2;\n}\n\n\
                int three(void)\n{\n    return 3;\n}\n\nint four(void) {\n    return 4;\n}\n";
    assert_eq!(top("a.c", text), ["fn one 1-3", "fn two 5-8", "fn three 10-13", "fn four 15-17"]);
    let text = "one() {\n  echo 1\n}\n\ntwo() {\n  if ((; then\n  case in )) done\n}\n\nthree() {\n  echo 3\n}\n";
    assert_eq!(top("a.sh", text), ["function one 1-3", "function two 5-8", "function three 10-12"]);
}

#[test]
fn conditions_of_a_preprocessor_may_open_what_they_do_not_close() {
    let text = "int one(int a) {\n#ifdef WIDE\n    if (a > 2) {\n#else\n    if (a > 1) {\n#endif\n        a++;\n    }\n\
                    return a;\n}\n\n#if 0\nint two(int a,\n#else\nint two(\n#endif\n    int b) {\n    return b;\n}\n\n\
                int three(int a,\n#ifdef WIDE\n    int b,\n#endif\n    int c) {\n    return c;\n}\n";
    assert_eq!(top("a.c", text), ["fn one 1-10", "fn two 15-19", "fn three 21-27"]);
}

#[test]
fn both_branches_of_a_condition_are_seen_where_each_is_whole() {
    let text = "#ifdef WIDE\nint one(void) { return 2; }\n#else\nint one(void) { return 1; }\n#endif\n";
    assert_eq!(top("a.c", text), ["fn one 2-2", "fn one 4-4"]);
}

#[test]
fn macros_do_not_hide_what_they_stand_before() {
    let text = "STORE_BEGIN\n\nclass STORE_API Shelf : public Base {\n    STORE_OBJECT(Shelf)\npublic:\n    void take();\n\
                };\n\nSTORE_API const char *name(int at) {\n    return 0;\n}\n\nstruct STORE_PACKED(4) Pair\n{\n    int a;\n};\n\
                \nSTORE_END\n";
    assert_eq!(top("a.cpp", text), ["class Shelf 3-7", "fn name 9-11", "struct Pair 13-16"]);
}

#[test]
fn names_of_cpp_are_bare_and_know_their_owner() {
    let text = "template <typename K, typename V>\nV &store::Map<K, V>::get(K key) { return v; }\n\
                Shelf::operator bool() const { return true; }\nbool Shelf::operator<(const Shelf &o) const { return 1; }\n\
                Shelf::~Shelf() {}\nstatic std::vector<int> all() { return {}; }\n";
    let names =
        ["fn store::Map.get 1-2", "fn Shelf.operator bool 3-3", "fn Shelf.operator< 4-4", "fn Shelf.~Shelf 5-5"];
    let found = top("a.cpp", text);
    assert_eq!(found.get(..4).unwrap(), names);
    assert_eq!(found.get(4).unwrap(), "fn all 6-6");
    let outline = outline(Language::of("a.cpp", "").unwrap(), text, &mut || false).unwrap();
    assert_eq!(outline.find("Map.get"), [0]);
    assert_eq!(outline.find("store::Map::get"), [0]);
}

proptest! {
    #[test]
    fn broken_code_has_an_outline_all_the_same(
        file in prop::sample::select(vec!["a.c", "a.cpp", "a.sh", "a.lua", "a.rb", "a.cs", "a.php", "a.swift"]),
        text in "((#if|#else|#endif|class|def|end|int|f|<?php|API|[({});:=\"'é a]|\n|    ){0,5}){0,24}",
    ) {
        let language = Language::of(file, "").unwrap();
        let outline = outline(language, &text, &mut || false).unwrap();
        let lines = text.lines().count() as u64;
        prop_assert_eq!(outline.lines, lines);
        for item in &outline.items {
            let last = item.lines.last;
            prop_assert!(item.lines.first <= item.start && item.start <= item.head && item.head <= last && last <= lines);
        }
        for line in 0..=lines + 1 {
            if let Ok(block) = block_at(language, &text, line, &mut || false) {
                prop_assert!(block.first == line && block.last <= lines);
            }
        }
    }
}
