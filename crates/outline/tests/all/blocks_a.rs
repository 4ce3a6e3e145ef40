//! The block that begins on a line and the blocks around one, in the samples of some languages.
#![expect(clippy::disallowed_methods, reason = "the samples stand in the source tree")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use readstone_base::Span;
use readstone_outline::{Language, NoBlock, block_at, outline};

#[test]
fn a_block_of_python_is_a_suite_with_its_head() {
    let python = Sample::of("python", "py");
    python.begins(&[
        (11, 11),   // a comment
        (12, 12),   // a name
        (14, 17),   // a list
        (24, 27),   // try
        (26, 27),   // except
        (48, 54),   // a decorator and its class
        (49, 54),   // the class alone
        (50, 50),   // a name with a type
        (51, 54),   // a call over several lines
        (57, 110),  // a class with a head of several lines
        (68, 68),   // a class on one line
        (75, 78),   // a decorator and its method
        (76, 78),   // the method alone
        (83, 100),  // two decorators
        (84, 84),   // the second one alone
        (85, 100),  // a method with a head of several lines
        (91, 99),   // for
        (92, 99),   // if with all that follows
        (93, 93),   // a statement
        (94, 95),   // elif
        (96, 99),   // else
        (97, 99),   // an assignment over several lines
        (103, 110), // async with
        (129, 135), // match
        (132, 133), // case
        (145, 146), // the last statement
    ]);
    python.blank(13);
    python.closing(17);
    python.closing(100 - 1);
    python.around(93, &[(92, 99), (91, 99), (83, 100), (57, 110)]);
    python.around(106, &[(105, 110), (104, 110), (103, 110), (102, 110), (57, 110)]);
    python.around(118, &[(116, 118), (114, 120), (113, 122)]);
}

#[test]
fn a_block_of_go_is_a_statement_or_a_declaration() {
    let go = Sample::of("go", "go");
    go.begins(&[
        (10, 10),   // a constant
        (13, 19),   // several
        (15, 15),   // one of them
        (17, 18),   // one of two lines
        (24, 27),   // a variable of several
        (42, 44),   // a type of several
        (54, 58),   // a type
        (65, 68),   // a method of an interface
        (77, 77),   // a function on one line
        (85, 106),  // a method with a head of several lines
        (89, 94),   // if with all that follows
        (90, 90),   // a statement
        (95, 104),  // for
        (96, 103),  // switch
        (97, 98),   // case
        (99, 102),  // default
        (100, 102), // a call over several lines
        (115, 117), // a function in a variable
        (123, 128), // go
        (129, 133), // select
        (135, 140), // switch by type
    ]);
    go.blank(8);
    go.closing(94);
    go.closing(106);
    go.around(98, &[(97, 98), (96, 103), (95, 104), (84, 106)]);
    go.around(126, &[(125, 127), (123, 128), (122, 142)]);
}

#[test]
fn a_block_of_java_can_be_had_without_its_annotations() {
    let java = Sample::of("java", "java");
    java.begins(&[
        (12, 145), // a class with its annotations
        (14, 145), // without them
        (19, 19),  // a field
        (21, 24),  // a field over several lines
        (26, 27),  // a field with its annotation
        (27, 27),  // without it
        (29, 34),  // a field with a class in it
        (30, 33),  // an annotation and its method
        (31, 33),  // the method alone
        (40, 42),  // static
        (47, 50),  // a constructor with its brace below
        (57, 78),  // annotations and their method
        (61, 78),  // the method alone
        (64, 68),  // if with all that follows
        (65, 65),  // a statement
        (69, 73),  // for
        (70, 72),  // while
        (74, 76),  // synchronized
        (86, 94),  // try
        (87, 89),  // a call with a function in it
        (95, 101), // switch
        (96, 98),  // case
        (104, 108),
        (105, 106), // a sum over two lines
        (128, 133), // a constant of an enum
        (150, 152), // a compact constructor
    ]);
    java.blank(43);
    java.closing(42);
    java.closing(68);
    java.around(71, &[(70, 72), (69, 73), (52, 78), (9, 145)]);
    java.around(88, &[(87, 89), (86, 94), (82, 110), (9, 145)]);
}

#[test]
fn a_block_of_kotlin_can_be_had_without_its_annotations() {
    let kotlin = Sample::of("kotlin", "kt");
    kotlin.begins(&[
        (9, 9),     // a constant
        (11, 14),   // a value over several lines
        (16, 17),   // a variable with an accessor
        (24, 98),   // a class with its annotations
        (28, 98),   // without them
        (32, 33),   // a property
        (35, 37),   // one with a delegate
        (39, 40),   // one with an annotation
        (40, 40),   // without it
        (42, 44),   // init
        (46, 46),   // a constructor on one line
        (48, 50),   // a constructor
        (53, 66),   // an annotation and its function
        (54, 66),   // the function alone
        (55, 59),   // if with all that follows
        (60, 64),   // for
        (61, 63),   // while
        (70, 82),   // a function with a head of several lines
        (84, 86),   // a function without braces
        (88, 93),   // companion
        (119, 123), // a constant of an enum
        (134, 140), // a value that is tried
        (141, 149), // when
        (143, 148), // else
        (144, 146), // an object in a value
    ]);
    kotlin.blank(10);
    kotlin.closing(44);
    kotlin.closing(59);
    kotlin.around(62, &[(61, 63), (60, 64), (52, 66), (21, 98)]);
    kotlin.around(147, &[(143, 148), (141, 149), (133, 150), (130, 151)]);
}

#[test]
fn a_block_of_scala_has_braces_or_an_indent() {
    let scala = Sample::of("scala", "scala");
    scala.begins(&[
        (8, 73),    // a class with its annotations
        (10, 73),   // without them
        (18, 18),   // a value
        (20, 23),   // a value over several lines
        (38, 66),   // an annotation and its function
        (39, 66),   // the function alone
        (42, 46),   // if with all that follows
        (47, 49),   // while
        (50, 52),   // a value with a function in it
        (53, 55),   // a function in a function
        (56, 59),   // for
        (60, 65),   // match
        (62, 64),   // case
        (68, 70),   // a function without braces
        (97, 103),  // try
        (121, 127), // an enum without braces
        (125, 127), // a function without braces in it
        (126, 126), // its first statement
        (132, 134), // given
        (140, 144), // extension
        (149, 154), // for with its end
        (150, 153), // if without braces
        (157, 157), // the last value
    ]);
    scala.blank(25);
    scala.closing(46);
    scala.closing(73);
    scala.around(63, &[(62, 64), (60, 65), (34, 66), (7, 73)]);
    scala.around(151, &[(150, 153), (149, 154), (148, 155)]);
}

#[test]
fn a_block_of_javascript_ends_with_its_semicolon() {
    let javascript = Sample::of("javascript", "js");
    javascript.begins(&[
        (10, 10),   // a constant
        (14, 17),   // a list
        (22, 25),   // a function in a constant
        (29, 36),   // one with a head of several lines
        (33, 35),   // a call with a function in it
        (38, 61),   // a function
        (39, 41),   // a function in a function
        (42, 42),   // a statement
        (46, 59),   // for
        (47, 51),   // if with all that follows
        (52, 58),   // switch
        (53, 55),   // case
        (56, 57),   // default
        (63, 69),   // a brace below
        (74, 113),  // a class
        (77, 79),   // a field with a function
        (81, 83),   // static
        (91, 93),   // an accessor
        (102, 108), // try
        (115, 121), // a decorator and its class
        (116, 121), // the class alone
        (117, 120), // a decorator and its method
        (118, 120), // the method alone
        (132, 134), // a function in an object
        (140, 142), // a method of a prototype
        (157, 162), // a call
        (158, 161), // a call in it
        (172, 178), // an element
        (181, 183), // what is exported
    ]);
    javascript.blank(11);
    javascript.closing(17);
    javascript.closing(162);
    javascript.around(54, &[(53, 55), (52, 58), (46, 59), (38, 61)]);
    javascript.around(160, &[(158, 161), (157, 162)]);
    javascript.around(175, &[(174, 176), (172, 178), (171, 179)]);
}

#[test]
fn a_block_of_typescript_can_be_a_type() {
    let typescript = Sample::of("typescript", "ts");
    typescript.begins(&[
        (6, 6),     // a constant
        (10, 15),   // a type
        (13, 13),   // a property
        (24, 35),   // an interface
        (27, 29),   // a property over several lines
        (44, 44),   // a signature
        (46, 48),   // a function
        (50, 54),   // a function in a constant
        (57, 108),  // a decorator and its class
        (60, 108),  // the class alone
        (71, 76),   // a constructor
        (85, 85),   // a decorator
        (87, 99),   // its method, which the grammar sets apart
        (88, 92),   // if with all that follows
        (93, 97),   // for
        (94, 96),   // do
        (110, 120), // a brace below
        (122, 135), // a namespace
        (125, 128), // a function in it
        (142, 146), // global
        (150, 155), // an object
    ]);
    typescript.blank(7);
    typescript.closing(92);
    typescript.closing(155);
    typescript.around(95, &[(94, 96), (93, 97), (84, 99), (56, 108)]);
    typescript.around(132, &[(131, 133), (130, 134), (122, 135)]);
}

#[test]
fn a_block_of_tsx_can_be_an_element() {
    let tsx = Sample::of("tsx", "tsx");
    tsx.begins(&[
        (18, 51), // a function in a constant
        (21, 24), // one in it
        (26, 28), // if
        (30, 50), // return
        (31, 49), // an element
        (33, 44), // a list
        (35, 42), // an element with attributes on lines of their own
        (45, 48), // one that has no content
        (57, 75), // a class
        (70, 72), // an element on several lines
    ]);
    tsx.blank(11);
    tsx.around(41, &[(35, 42), (33, 44), (31, 49), (30, 50), (15, 51)]);
    tsx.around(47, &[(45, 48), (31, 49), (30, 50), (15, 51)]);
}

#[test]
fn a_broken_function_hides_no_other() {
    let broken = [
        (
            "python",
            "def one():\n    x = = 1\n\ndef two():\n    return 2\n\nclass Three:\n    def four(self):\n        pass\n",
        ),
        (
            "go",
            "package a\n\nfunc one() {\n\tx := (1\n}\n\nfunc two() int {\n\treturn 2\n}\n\nfunc (t T) four() {\n}\n",
        ),
        (
            "java",
            "class A {\n    void one() {\n        int x = (1;\n    }\n\n    int two() {\n\
            \x20       return 2;\n    }\n\n    void four() {}\n}\n",
        ),
        (
            "kotlin",
            "fun one() {\n    val x = (1\n}\n\nfun two(): Int {\n    return 2\n}\n\nclass Three {\n\
            \x20   fun four() {}\n}\n",
        ),
        (
            "scala",
            "object A {\n  def one() = {\n    val x = (1\n  }\n\n  def two = {\n    2\n  }\n\n  def four = 4\n}\n",
        ),
        (
            "javascript",
            "function one() {\n  const x = (1;\n}\n\nfunction two() {\n  return 2;\n}\n\n\
            class Three {\n  four() {}\n}\n",
        ),
        (
            "typescript",
            "function one(): void {\n  const x = (1;\n}\n\nfunction two(): number {\n  return 2;\n\
            }\n\nclass Three {\n  four(): void {}\n}\n",
        ),
    ];
    for (name, text) in broken {
        let outline = outline(Language::named(name).unwrap(), text, &mut || false).unwrap();
        for wanted in ["two", "four"] {
            assert!(outline.items.iter().any(|item| item.name == wanted), "{name} {wanted}: {outline:?}");
        }
        assert!(outline.broken.is_some(), "{name}");
    }
}

#[test]
fn javascript_with_types_is_read_as_typescript() {
    let text = "// @flow\nimport type {Box} from './box';\n\ntype Props = {|\n  +name: ?string,\n|};\n\n\
        export const most: number = 3;\n\nexport class Shelf {\n  take(name: string): ?Box {\n\
        \x20   return null;\n  }\n}\n";
    let outline = outline(Language::named("javascript").unwrap(), text, &mut || false).unwrap();
    let names: Vec<&str> = outline.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names.last(), Some(&"take"), "{names:?}");
    assert!(names.contains(&"most") && names.contains(&"Shelf"), "{names:?}");
}

/// The sample of a language.
struct Sample {
    language: Language,
    text: String,
}

impl Sample {
    fn of(name: &str, extension: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(name);
        let text = fs::read_to_string(folder.join(format!("sample.{extension}"))).unwrap();
        Self { language: Language::named(name).unwrap(), text }
    }

    fn at(&self, line: u64) -> Result<Span, NoBlock> {
        block_at(self.language, &self.text, line, &mut || false)
    }

    /// On each of the first lines begins what ends with the second one.
    fn begins(&self, blocks: &[(u64, u64)]) {
        let found: Vec<_> = blocks.iter().map(|(first, _)| (*first, self.at(*first))).collect();
        let wanted: Vec<_> = blocks.iter().map(|(first, last)| (*first, Ok(Span::new(*first, *last)))).collect();
        let wrong: Vec<_> = found.iter().zip(&wanted).filter(|(found, wanted)| found != wanted).collect();
        assert!(wrong.is_empty(), "{:?}: {wrong:#?}", self.language);
    }

    fn blank(&self, line: u64) {
        assert_eq!(self.at(line), Err(NoBlock::Blank));
    }

    fn closing(&self, line: u64) {
        assert!(matches!(self.at(line), Err(NoBlock::Closing { .. })), "{line}: {:?}", self.at(line));
    }

    /// The blocks around a line, the innermost first.
    fn around(&self, line: u64, blocks: &[(u64, u64)]) {
        let outline = outline(self.language, &self.text, &mut || false).unwrap();
        let wanted: Vec<Span> = blocks.iter().map(|(first, last)| Span::new(*first, *last)).collect();
        assert_eq!(outline.blocks_around(line), wanted, "{:?} {line}", self.language);
    }
}
