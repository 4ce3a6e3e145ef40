//! Texts that are no programs: none may end the process, write past memory, or take much time or memory.
#![expect(clippy::unwrap_used, clippy::format_collect, reason = "a test may end as it likes and take what it needs")]

use proptest::prelude::*;
use readstone_outline::{Language, NoBlock, Unparsed, block_at, languages, outline};

/// How often `stop` was asked, and what came of it.
fn asked(file: &str, text: &str) -> (usize, Result<usize, Unparsed>) {
    let mut asked = 0;
    let outline = outline(Language::of(file, "").unwrap(), text, &mut || {
        asked += 1;
        false
    });
    (asked, outline.map(|outline| outline.items.len()))
}

fn is_refused(file: &str, text: &str) -> bool {
    let language = Language::of(file, "").unwrap();
    let outline = outline(language, text, &mut || false);
    let block = block_at(language, text, 1, &mut || false);
    outline == Err(Unparsed::Deep) && block == Err(NoBlock::Unparsed(Unparsed::Deep))
}

/// Blocks of Python, each further in than the one before, with a statement at the end.
fn indented(levels: usize, last: &str) -> String {
    let heads: String = (0..levels).map(|level| format!("{}if a:\n", " ".repeat(level))).collect();
    format!("{heads}{}{last}\n", " ".repeat(levels))
}

#[test]
fn a_here_document_of_ruby_with_a_long_word_does_not_end_the_process() {
    for length in [1, 83, 200, 255, 256, 300, 1_100, 70_000] {
        let word = "A".repeat(length);
        for sign in ["<<", "<<-", "<<~", "<<\"", "<<'", "x <<~`"] {
            let text = format!("def before\n  {sign}{word}\n  body\n{word}\nend\n\ndef after\nend\n");
            assert!(asked("a.rb", &text).1.is_ok(), "{sign} {length}");
        }
    }
}

#[test]
fn here_documents_of_ruby_that_fill_the_memory_of_the_scanner_do_not_end_the_process() {
    for length in 70..100 {
        let words: Vec<String> = (b'A'..=b'I').map(|last| format!("<<{}{}", "A".repeat(99), last as char)).collect();
        let text = format!("x({}, <<{})\nbody\n", words.join(", "), "B".repeat(length));
        assert!(asked("a.rb", &text).1.is_ok(), "{length}");
    }
    for depth in 195..210 {
        let text = format!("{}<<ABC{}\n", "\"#{".repeat(depth), "}\"".repeat(depth));
        assert!(asked("a.rb", &text).1.is_ok(), "{depth}");
    }
}

#[test]
fn here_documents_of_ruby_hide_what_is_in_them_and_nothing_else() {
    let text = "class A\n  def one\n    run(<<~X, <<-'Y Z', 1)\n      def no\n      end\n    X\n      class Not\n    Y Z\n  end\n\n  \
                class <<self\n    def two\n      list <<item\n      list <<\"text\"\n    end\n  end\nend\n";
    let outline = outline(Language::of("a.rb", "").unwrap(), text, &mut || false).unwrap();
    let told: Vec<String> =
        outline.items.iter().map(|item| format!("{} {}-{}", item.name, item.lines.first, item.lines.last)).collect();
    assert!(["A 1-17", "one 2-9", "two 12-15"].iter().all(|name| told.iter().any(|own| own == name)), "{told:?}");
    assert!(!told.iter().any(|own| own.starts_with("no ") || own.starts_with("Not ")), "{told:?}");
    assert_eq!(outline.broken, None);
}

#[test]
fn python_that_is_indented_too_often_is_refused() {
    for last in ["x = \"abc\"", "x = f\"{f'{a}'}\"", "pass"] {
        assert!(asked("a.py", &indented(250, last)).1.is_ok(), "{last}");
        for levels in [400, 509, 510, 511, 520] {
            assert!(is_refused("a.py", &indented(levels, last)), "{last} {levels}");
        }
    }
    // Lines that go on with others make one indentation together.
    let joined: String = (0..520)
        .map(|level| format!("{}\\\n{}if a:\n", " ".repeat(level / 2), " ".repeat(level.div_ceil(2))))
        .collect();
    assert!(is_refused("a.py", &format!("{joined}{}x = \"abc\"\n", " ".repeat(520))));
    assert!(is_refused("a.py", &format!("if a:\n{}", " \\\n".repeat(2_000))));
}

/// The scanner reads past its words there; only a build with a sanitizer sees it.
#[test]
fn directives_of_swift_may_end_a_text() {
    for word in ["#if", "#else", "#elseif", "#endif", "#"] {
        for (head, tail) in
            [("", ""), ("func a() {}\n", ""), ("func a() {\n  b(\n}\n", ""), ("", "\0elseif"), ("{ ", "\0\0")]
        {
            let text = format!("{head}{word}{tail}");
            let items = usize::from(head.starts_with("func"));
            assert_eq!(asked("a.swift", &text).1, Ok(items), "{text:?}");
        }
    }
}

#[test]
fn statements_that_never_end_are_refused() {
    for (file, text) in
        [("a.c", "a?. "), ("a.c", "a?.\n"), ("a.js", "a ? "), ("a.rs", "- "), ("a.kt", "a -\n"), ("a.py", "not ")]
    {
        assert!(is_refused(file, &text.repeat(20_000)), "{file} {text:?}");
    }
}

#[test]
fn long_files_of_short_statements_are_not_refused() {
    for (file, text) in [
        ("a.sh", "NAME=value\n"),
        ("a.py", "name = 1\n"),
        ("a.c", "int a = 1;\n"),
        ("a.js", "const a = { b: 1 }\n"),
        ("a.rb", "puts name\n"),
        ("a.json", "[]\n"),
        ("a.md", "word word\n"),
    ] {
        assert!(asked(file, &text.repeat(6_000)).1.is_ok(), "{file}");
    }
}

#[test]
fn brackets_without_end_are_refused_in_every_language() {
    for language in languages().filter(|language| !matches!(language.name(), "sql" | "yaml")) {
        for sign in ["(", "[", "{"] {
            let outline = outline(language, &sign.repeat(6_000), &mut || false);
            assert_eq!(outline, Err(Unparsed::Deep), "{} {sign}", language.name());
        }
    }
}

#[test]
fn elements_without_end_are_refused() {
    let page = |count| asked("a.html", &"<div>".repeat(count)).1;
    assert_eq!((page(20_001), page(2_000).is_ok()), (Err(Unparsed::Deep), true));
    assert!(asked("a.html", &"<p>word</p>".repeat(30_000)).1.is_ok());
}

/// The work is measured by how often `stop` is asked: twice the text, not much more than twice the work.
#[test]
fn work_grows_with_the_text_and_not_with_its_square() {
    for (file, text) in [
        ("a.kt", "--\n"),
        ("a.r", "---\n"),
        ("a.html", "<div>\n"),
        ("a.md", "# a\n"),
        ("a.c", "#if A\nint a(\n"),
        ("a.js", "// a\n"),
    ] {
        if Language::of(file, "").is_none() {
            // Not every build has every language.
            continue;
        }
        let (small, large) = (asked(file, &text.repeat(800)).0, asked(file, &text.repeat(1_600)).0);
        assert!(large <= 5 * small + 50, "{file}: {small} and {large}");
    }
}

#[test]
fn whoever_stops_is_heard_while_a_comment_without_end_is_read() {
    for (file, text) in [("a.cs", "/**\n"), ("a.c", "/* "), ("a.scala", "?"), ("a.java", "/*")] {
        let text = format!("class A {{}}\n{}{}", text.repeat(1_000), " ".repeat(600_000));
        let mut asked = 0;
        let found = outline(Language::of(file, "").unwrap(), &text, &mut || {
            asked += 1;
            asked > 1
        });
        assert!(asked > 0 && asked <= 2, "{file} {asked}");
        assert!(asked < 2 || found == Err(Unparsed::Stopped), "{file}");
    }
}

#[test]
fn whoever_stops_is_heard_in_every_language() {
    for language in languages() {
        let text = "a(b) { c: \"d\" } # e\n<p>- f: 1\n".repeat(3_000);
        let mut asked = 0;
        let outline = outline(language, &text, &mut || {
            asked += 1;
            asked > 3
        });
        assert!(asked <= 4, "{}", language.name());
        assert!(asked < 4 || outline.is_err(), "{}", language.name());
    }
}

#[test]
fn sql_without_ends_is_read_at_once() {
    let tags: String = (0..40_000).map(|at| format!("$a{at}$ ")).collect();
    let texts = ["[".repeat(400_000), tags, format!("ENGINE= '{}", "\\'".repeat(200_000)), "$1 ".repeat(100_000)];
    for text in texts {
        assert!(asked("a.sql", &text).1.is_ok());
    }
    let text =
        format!("SELECT {};\nCREATE FUNCTION f() AS $$\n;\n;\n$$;\nCREATE TABLE a (b int);\n", "$1, ".repeat(1_000));
    assert_eq!(asked("a.sql", &text).1, Ok(2));
}

#[test]
fn capitals_and_conditions_of_c_are_read_at_once() {
    for text in ["STORE_API ".repeat(150_000), "#if A\n{\n".repeat(2_400) + &"#else\n#endif\n".repeat(2_400)] {
        assert!(matches!(asked("a.c", &text).1, Ok(_) | Err(Unparsed::Deep)));
    }
}

proptest! {
    #[test]
    fn ruby_keeps_its_lines_whatever_its_here_documents_are(
        text in "((<<|<<-|<<~|<<'|class <<|A|B|\"|#\\{|\\}|def a|end|[ a,'`\\(\\)é]|\r?\n){0,6}){0,24}",
    ) {
        let language = Language::of("a.rb", "").unwrap();
        let outline = outline(language, &text, &mut || false).unwrap();
        let lines = text.lines().count() as u64;
        prop_assert_eq!(outline.lines, lines);
        for item in &outline.items {
            prop_assert!(item.lines.first <= item.start && item.start <= item.head && item.head <= item.lines.last);
            prop_assert!(item.lines.last <= lines);
        }
    }

    #[test]
    fn no_text_of_signs_ends_the_process(
        at in 0_usize..100,
        sign in "(\\(|\\[|\\{|<|>|\"|'|`|#|/|\\*|-|\\$|@|<<|%|\\\\|=|:|\\?|!|&|\\||~|\\^|,|;|a|é|\\n|\\t| ){1,4}",
        count in 1_usize..300,
        tail in "[a-z\\n\\(\\)\"' ]{0,20}",
    ) {
        let languages: Vec<Language> = languages().collect();
        let language = *languages.get(at % languages.len()).unwrap();
        let text = sign.repeat(count) + &tail;
        let mut asks = 0;
        let mut stop = || { asks += 1; asks > 100 };
        let outline = outline(language, &text, &mut stop);
        prop_assert!(outline.is_ok() || matches!(outline, Err(Unparsed::Deep | Unparsed::Stopped)));
    }
}
