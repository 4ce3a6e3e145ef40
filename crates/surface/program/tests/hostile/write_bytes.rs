//! The bytes that an edit does not name: the rows W12 to W16 and W26 of `docs/hostile.md`.

use readstone_testkit::{Run, World};

fn world() -> World {
    World::new(env!("CARGO_BIN_EXE_readstone"))
}

fn check(run: &Run, exit: i32, code: &str) {
    let fits = run.code == Some(exit) && run.stderr.starts_with(&format!("{code}: "));
    assert!(fits, "wanted {code} with {exit}, got {:?}\n{}\n{:.2000}", run.code, run.stderr, run.text());
}

/// Edits a file, compares every byte of it, and takes the edit back, which restores every byte.
fn check_edit(world: &World, (name, old): (&str, &[u8]), operations: &str, new: &[u8]) {
    world.file(name, old);
    let run = world.edit(name, operations);
    assert_eq!(run.code, Some(0), "{name} {operations:?}: {}", run.stderr);
    let now = world.bytes(name);
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert!(now == new, "{name} {operations:?}\nwanted {}\n   got {}", shown(new), shown(&now));
    let undone = world.run(["undo", name]);
    assert!(undone.code == Some(0) && world.bytes(name) == old, "{name} {operations:?}: {}", undone.stderr);
}

#[test]
fn w12_new_lines_end_as_their_neighbours_and_all_others_stay() {
    let world = world();
    let old = b"one\r\ntwo\r\nthree\r\nfour\r\n";
    let tried: [(&str, &[u8]); 7] = [
        ("replace 2:\n+TWO", b"one\r\nTWO\r\nthree\r\nfour\r\n"),
        ("replace 2..3:\n+a\n+b\n+c", b"one\r\na\r\nb\r\nc\r\nfour\r\n"),
        ("insert after 2:\n+new", b"one\r\ntwo\r\nnew\r\nthree\r\nfour\r\n"),
        ("insert head:\n+new", b"new\r\none\r\ntwo\r\nthree\r\nfour\r\n"),
        ("insert tail:\n+new", b"one\r\ntwo\r\nthree\r\nfour\r\nnew\r\n"),
        ("delete 2..3", b"one\r\nfour\r\n"),
        ("delete 4", b"one\r\ntwo\r\nthree\r\n"),
    ];
    for (operations, new) in tried {
        check_edit(&world, ("crlf.txt", old), operations, new);
        // A patch that was itself saved with these line ends says the same.
        check_edit(&world, ("crlf.txt", old), &operations.replace('\n', "\r\n"), new);
    }
}

#[test]
fn w13_a_byte_order_mark_stays_first_and_is_no_text() {
    let world = world();
    let bare = |bytes: &[u8]| [b"\xef\xbb\xbf", bytes].concat();
    world.file("bom.txt", bare(b"one\ntwo\n"));
    let shown = world.read("bom.txt").text();
    assert!(shown.contains("\n1:one\n") && !shown.contains('\u{feff}'), "{shown:?}");
    let found = world.run(["search", "^one", "bom.txt"]);
    assert!(found.code == Some(0) && found.text().contains("1:one"), "{}", found.text());
    check_edit(&world, ("bom.txt", &bare(b"one\ntwo\n")), "replace 1:\n+ONE", &bare(b"ONE\ntwo\n"));
    check_edit(&world, ("bom.txt", &bare(b"one\ntwo\n")), "insert before 1:\n+new", &bare(b"new\none\ntwo\n"));
    check_edit(&world, ("bom.txt", &bare(b"one\ntwo\n")), "insert head:\n+new", &bare(b"new\none\ntwo\n"));
    check_edit(&world, ("bom.txt", &bare(b"one\ntwo\n")), "delete 1", &bare(b"two\n"));
    let code = bare(b"class A\r\n{\r\n}\r\n");
    check_edit(&world, ("bom_crlf.cs", &code), "replace 1:\n+class B", &bare(b"class B\r\n{\r\n}\r\n"));
    // Neither does a whole new text lose it, with or without a mark of its own.
    for content in ["ONE\n", "\u{feff}ONE\n"] {
        world.file("bom.txt", bare(b"one\n"));
        assert_eq!(world.write("bom.txt", content).code, Some(0));
        assert_eq!(world.bytes("bom.txt"), bare(b"ONE\n"));
    }
}

#[test]
fn w14_a_last_line_without_an_end_keeps_none() {
    let world = world();
    let tried: [(&[u8], &str, &[u8]); 8] = [
        (b"one\ntwo\nthree", "replace 1:\n+ONE", b"ONE\ntwo\nthree"),
        (b"one\ntwo\nthree", "replace 3:\n+THREE", b"one\ntwo\nTHREE"),
        (b"one\ntwo\nthree", "insert tail:\n+four", b"one\ntwo\nthree\nfour"),
        (b"one\ntwo\nthree", "insert after 3:\n+four", b"one\ntwo\nthree\nfour"),
        (b"one\r\ntwo", "insert tail:\n+four", b"one\r\ntwo\r\nfour"),
        (b"one\ntwo\nthree", "delete 1", b"two\nthree"),
        (b"one", "replace 1:\n+ONE", b"ONE"),
        (b"one", "insert head:\n+new", b"new\none"),
    ];
    for (old, operations, new) in tried {
        check_edit(&world, ("no_eol.txt", old), operations, new);
    }
}

#[test]
fn w15_every_untouched_line_keeps_its_own_end() {
    let world = world();
    let old = b"one\ntwo\r\nthree\nfour\r\nfive";
    let tried: [(&str, &[u8]); 5] = [
        ("replace 3:\n+THREE", b"one\ntwo\r\nTHREE\nfour\r\nfive"),
        ("replace 2:\n+TWO", b"one\nTWO\r\nthree\nfour\r\nfive"),
        ("insert after 2:\n+new", b"one\ntwo\r\nnew\r\nthree\nfour\r\nfive"),
        ("insert after 3:\n+new", b"one\ntwo\r\nthree\nnew\nfour\r\nfive"),
        ("delete 2..3", b"one\nfour\r\nfive"),
    ];
    for (operations, new) in tried {
        check_edit(&world, ("mixed.txt", old), operations, new);
    }
    // Lone carriage returns, tabs, blanks at the end, form feeds and bytes that are no text are no business of an edit.
    let odd = b"a\rb \t\none\x0c\n\xff\xfe broken \x80\nlast\n";
    check_edit(&world, ("odd.txt", odd), "replace 4:\n+LAST", b"a\rb \t\none\x0c\n\xff\xfe broken \x80\nLAST\n");
    check_edit(
        &world,
        ("odd.txt", odd),
        "insert after 3:\n+new",
        b"a\rb \t\none\x0c\n\xff\xfe broken \x80\nnew\nlast\n",
    );
    check_edit(&world, ("odd.txt", odd), "delete 2", b"a\rb \t\n\xff\xfe broken \x80\nlast\n");
}

/// How a text stands in a file.
struct Form {
    name: &'static str,
    mark: &'static [u8],
    encode: fn(&str) -> Vec<u8>,
    /// Text that it has and others do not.
    text: &'static str,
    /// A letter that it does not have.
    lacks: Option<char>,
}

/// Japanese letters, and their bytes in Shift JIS and EUC-JP.
const JAPANESE: [(char, [u8; 2], [u8; 2]); 8] = [
    ('日', [0x93, 0xfa], [0xc6, 0xfc]),
    ('本', [0x96, 0x7b], [0xcb, 0xdc]),
    ('語', [0x8c, 0xea], [0xb8, 0xec]),
    ('の', [0x82, 0xcc], [0xa4, 0xce]),
    ('テ', [0x83, 0x65], [0xa5, 0xc6]),
    ('キ', [0x83, 0x4c], [0xa5, 0xad]),
    ('ス', [0x83, 0x58], [0xa5, 0xb9]),
    ('ト', [0x83, 0x67], [0xa5, 0xc8]),
];

fn japanese(text: &str, which: impl Fn(&(char, [u8; 2], [u8; 2])) -> [u8; 2]) -> Vec<u8> {
    let one = |letter: char| match JAPANESE.iter().find(|(known, ..)| *known == letter) {
        Some(row) => which(row).to_vec(),
        None => vec![u8::try_from(letter).unwrap_or(b'?')],
    };
    text.chars().flat_map(one).collect()
}

const FORMS: [Form; 6] = [
    Form {
        name: "latin1.txt",
        mark: b"",
        encode: |text| text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect(),
        text: "Größe für die Straße, café, naïve",
        lacks: Some('字'),
    },
    Form {
        name: "sjis.txt",
        mark: b"",
        encode: |text| japanese(text, |(_, sjis, _)| *sjis),
        text: "日本語のテキスト",
        lacks: Some('€'),
    },
    Form {
        name: "euc.txt",
        mark: b"",
        encode: |text| japanese(text, |(.., euc)| *euc),
        text: "日本語のテキスト",
        lacks: Some('€'),
    },
    Form {
        name: "utf16le.txt",
        mark: b"\xff\xfe",
        encode: |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text: "日本 ö 🙂 \u{a0a}\u{d0d}",
        lacks: None,
    },
    Form {
        name: "utf16be.txt",
        mark: b"\xfe\xff",
        encode: |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        text: "日本 ö 🙂 \u{a0a}\u{d0d}",
        lacks: None,
    },
    Form {
        name: "utf8.txt",
        mark: b"",
        encode: |text| text.as_bytes().to_vec(),
        text: "日本 ö 🙂 e\u{301} é",
        lacks: None,
    },
];

#[test]
fn w16_untouched_bytes_stay_and_new_text_is_in_the_encoding_of_the_file() {
    let world = world();
    for form in &FORMS {
        for end in ["\n", "\r\n"] {
            let bytes = |lines: &[&str]| [form.mark, &(form.encode)(&(lines.join(end) + end))].concat();
            let text = form.text;
            let old = bytes(&[text, "plain", text, text, "end"]);
            let tried: [(String, Vec<u8>); 5] = [
                (format!("replace 2:\n+new {text}"), bytes(&[text, &format!("new {text}"), text, text, "end"])),
                ("replace 1:\n+plain".to_owned(), bytes(&["plain", "plain", text, text, "end"])),
                (format!("insert after 5:\n+{text}"), bytes(&[text, "plain", text, text, "end", text])),
                (format!("insert head:\n+{text}"), bytes(&[text, text, "plain", text, text, "end"])),
                ("delete 2..3".to_owned(), bytes(&[text, text, "end"])),
            ];
            for (operations, new) in tried {
                check_edit(&world, (form.name, &old), &operations, &new);
            }
            let Some(letter) = form.lacks else { continue };
            world.file(form.name, &old);
            let run = world.edit(form.name, &format!("replace 2:\n+a {letter}"));
            check(&run, 2, "edit.unencodable");
            let code = format!("U+{:04X}", u32::from(letter));
            assert!(run.stderr.contains(letter) && run.stderr.contains(&code), "{}", run.stderr);
            let whole = world.write(form.name, format!("a {letter}\n"));
            assert!(whole.code != Some(0) && whole.stderr.contains(&code), "{:?} {}", whole.code, whole.stderr);
            assert_eq!(world.bytes(form.name), old);
            assert_eq!(world.write(form.name, format!("{text}\n")).code, Some(0));
            // A whole text keeps the encoding, and the line ends that all lines had.
            assert_eq!(world.bytes(form.name), bytes(&[text]), "{}", form.name);
        }
    }
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides
    }
}

#[test]
fn w26_a_chain_of_edits_is_what_a_list_of_lines_says_and_undone_it_never_was() {
    // The edits of random files by random scripts stand in the property tests of `crates/edit`; this is the program itself.
    let world = world();
    let mut dice = Dice(9);
    let mut model: Vec<String> = (0..30).map(|number| format!("line {number}")).collect();
    let text = |model: &[String]| (model.join("\n") + "\n").into_bytes();
    world.file("f.txt", text(&model));
    let mut versions = vec![text(&model)];
    let mut tag = world.tag("f.txt");
    for step in 0..40 {
        let at = dice.roll(model.len());
        let number = at + 1;
        let row = format!("step {step}");
        let operation = match dice.roll(4) {
            0 if model.len() > 5 => {
                model.remove(at);
                format!("delete {number}")
            }
            1 => {
                model.insert(at, row.clone());
                format!("insert before {number}:\n+{row}")
            }
            2 => {
                model.insert(at + 1, row.clone());
                format!("insert after {number}:\n+{row}")
            }
            _ => {
                model[at].clone_from(&row);
                format!("replace {number}:\n+{row}")
            }
        };
        // No edit reads again: each goes on from the tag that the one before showed.
        let run = world.patch(&format!("¶f.txt#{tag}\n{operation}\n"));
        assert!(run.code == Some(0) && world.bytes("f.txt") == text(&model), "{step} {operation}: {}", run.stderr);
        let shown = run.text();
        shown.lines().next().and_then(|line| line.rsplit_once('#')).unwrap().1.clone_into(&mut tag);
        versions.push(text(&model));
    }
    while let Some(version) = versions.pop() {
        assert_eq!(world.bytes("f.txt"), version);
        assert_eq!(world.run(["undo", "f.txt"]).code == Some(0), !versions.is_empty());
    }
}
