//! Files as lists of lines in some encoding, and what a patch makes of them.

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{collection, sample, test_runner};

pub(crate) fn config(cases: u32, seed: u64) -> test_runner::Config {
    test_runner::Config {
        cases,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(seed),
        ..test_runner::Config::default()
    }
}

/// How characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    Utf8,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
    Other(&'static encoding_rs::Encoding),
}

/// An encoding, the words that are written in it, and what a file in it begins with, so that it is known for one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) writes: Writes,
    words: &'static [&'static str],
    opening: &'static [&'static str],
    /// Bytes that are no text in this encoding.
    torn: &'static [&'static [u8]],
}

const LATIN: &[&str] = &["", "a", "}", "café crème", "  Straße", "naïve façade à côté", "a\rb", "b\tc"];
const CYRILLIC: &[&str] = &["", "a", "}", "Привет, мир", "  строка текста", "это ещё одна строка"];
const JAPANESE: &[&str] = &["", "a", "}", "日本語のテキスト", "  表示ソース", "これは行です"];
const CHINESE: &[&str] = &["", "a", "}", "简体中文的文本", "  你好，世界", "这是一行文字"];
const KOREAN: &[&str] = &["", "a", "}", "한국어 텍스트", "  안녕하세요 세계", "이것은 줄입니다"];
const MANY: &[&str] = &["", "a", "}", "grüße", "上海市", "  Ж\u{1F980}", "a\rb", "+x", "-y", "¶a#0A3B", "replace 1"];

const LATIN_OPENING: &[&str] =
    &["Les élèves français étaient très fatigués à Noël", "déjà vu, où ça, être ou ne pas être"];
const CYRILLIC_OPENING: &[&str] = &["Все счастливые семьи похожи друг на друга", "каждая несчастливая по-своему"];
const JAPANESE_OPENING: &[&str] = &["吾輩は猫である。名前はまだ無い。", "どこで生れたかとんと見当がつかぬ。"];
const CHINESE_OPENING: &[&str] = &["这是一个用来测试编码的简体中文文件。", "学而时习之，不亦说乎？有朋自远方来。"];
const KOREAN_OPENING: &[&str] = &["모든 인간은 태어날 때부터 자유로우며", "그 존엄과 권리에 있어 동등하다."];
const MANY_OPENING: &[&str] = &["größere Übungen für alle, süß und müßig", "上海市の日本語テキストと漢字"];

const fn script(
    name: &'static str,
    writes: Writes,
    words: &'static [&'static str],
    opening: &'static [&'static str],
    torn: &'static [&'static [u8]],
) -> Script {
    Script { name, writes, words, opening, torn }
}

/// Every encoding that is tried.
pub(crate) const SCRIPTS: [Script; 11] = [
    script("utf-8", Writes::Utf8, MANY, MANY_OPENING, &[b"torn \xFF\xFE", b"\xC3", b"x\xE4\xB8"]),
    script("utf-16le", Writes::Utf16Le, MANY, MANY_OPENING, &[b"x\0\0\xD8y\0", b"\0\xDC"]),
    script("utf-16be", Writes::Utf16Be, MANY, MANY_OPENING, &[b"\0x\xD8\0\0y", b"\xDC\0"]),
    script("utf-32le", Writes::Utf32Le, MANY, MANY_OPENING, &[b"\0\xD8\0\0", b"x\0\0\0\xFF\xFF\xFF\xFF"]),
    script("utf-32be", Writes::Utf32Be, MANY, MANY_OPENING, &[b"\0\0\xD8\0"]),
    script("windows-1252", Writes::Other(encoding_rs::WINDOWS_1252), LATIN, LATIN_OPENING, &[]),
    script("windows-1251", Writes::Other(encoding_rs::WINDOWS_1251), CYRILLIC, CYRILLIC_OPENING, &[]),
    script("shift_jis", Writes::Other(encoding_rs::SHIFT_JIS), JAPANESE, JAPANESE_OPENING, &[]),
    script("euc-jp", Writes::Other(encoding_rs::EUC_JP), JAPANESE, JAPANESE_OPENING, &[]),
    script("gbk", Writes::Other(encoding_rs::GBK), CHINESE, CHINESE_OPENING, &[]),
    script("euc-kr", Writes::Other(encoding_rs::EUC_KR), KOREAN, KOREAN_OPENING, &[]),
];

impl Script {
    pub(crate) fn encode(&self, text: &str) -> Vec<u8> {
        match self.writes {
            Writes::Utf8 => text.as_bytes().to_vec(),
            Writes::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Writes::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Writes::Utf32Le => text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect(),
            Writes::Utf32Be => text.chars().flat_map(|letter| u32::from(letter).to_be_bytes()).collect(),
            Writes::Other(encoding) => {
                let (bytes, _, unmappable) = encoding.encode(text);
                assert!(!unmappable, "{} cannot hold {text}", self.name);
                bytes.into_owned()
            }
        }
    }

    /// Whether a byte order mark can stand before it.
    fn marks(&self) -> bool {
        !matches!(self.writes, Writes::Other(_))
    }
}

/// A line: what it says in bytes, and what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    pub(crate) end: &'static str,
    /// Whether it came with the patch.
    new: bool,
}

/// A file; only the last line may be without an end, and only if it is not blank.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) script: Script,
    pub(crate) lines: Vec<Line>,
    pub(crate) mark: bool,
}

/// What an operation does, by lines of the text before the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) place: Place,
    pub(crate) body: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Replace(usize, usize),
    Delete(usize, usize),
    Before(usize),
    After(usize),
    Head,
    Tail,
}

impl Hunk {
    pub(crate) fn new(place: Place, body: &[&str]) -> Self {
        Self { place, body: body.iter().map(|row| (*row).to_owned()).collect() }
    }

    /// The operation as it is written in a patch.
    pub(crate) fn written(&self) -> String {
        let mut patch = match self.place {
            Place::Replace(first, last) => format!("replace {first}..{last}:\n"),
            Place::Delete(first, last) => return format!("delete {first}..{last}\n"),
            Place::Before(line) => format!("insert before {line}:\n"),
            Place::After(line) => format!("insert after {line}:\n"),
            Place::Head => "insert head:\n".to_owned(),
            Place::Tail => "insert tail:\n".to_owned(),
        };
        patch.extend(self.body.iter().flat_map(|row| ["+", row, "\n"]));
        patch
    }

    /// The lines it takes the place of: how many stand before them, and how many up to their end.
    pub(crate) fn gap(&self, lines: usize) -> (usize, usize) {
        match self.place {
            Place::Replace(first, last) | Place::Delete(first, last) => (first - 1, last),
            Place::Before(line) => (line - 1, line - 1),
            Place::After(line) => (line, line),
            Place::Head => (0, 0),
            Place::Tail => (lines, lines),
        }
    }
}

pub(crate) fn written(hunks: &[Hunk]) -> String {
    hunks.iter().map(Hunk::written).collect()
}

impl Sheet {
    /// A file of these texts, ended so.
    pub(crate) fn of(script: Script, texts: impl IntoIterator<Item = String>, end: &'static str) -> Self {
        let line = |text: String| Line { text: script.encode(&text), end, new: false };
        Self { script, lines: texts.into_iter().map(line).collect(), mark: false }
    }

    pub(crate) fn opening(script: Script) -> impl Iterator<Item = String> + Clone {
        script.opening.iter().map(|line| (*line).to_owned())
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = if self.mark { self.script.encode("\u{FEFF}") } else { Vec::new() };
        for line in &self.lines {
            bytes.extend(&line.text);
            bytes.extend(self.script.encode(line.end));
        }
        bytes
    }

    fn end(&self, number: usize) -> &'static str {
        number.checked_sub(1).and_then(|at| self.lines.get(at)).map_or("", |line| line.end)
    }

    /// The end that a line beside line `number` has.
    fn near(&self, number: usize) -> &'static str {
        let ends = [self.end(number), self.end(number.saturating_sub(1)), "\n"];
        ends.into_iter().find(|end| !end.is_empty()).unwrap()
    }

    /// What operations that do not collide make of it.
    pub(crate) fn edited(&self, hunks: &[Hunk]) -> Self {
        let count = self.lines.len();
        let mut order: Vec<(usize, &Hunk)> = hunks.iter().enumerate().collect();
        // By place; at one place in the order of the patch, but what is behind a line stands before what goes there.
        let rank = |hunk: &Hunk| match hunk.place {
            Place::Head => 0,
            Place::After(_) => 1,
            Place::Before(_) => 2,
            Place::Replace(..) | Place::Delete(..) => 3,
            Place::Tail => 4,
        };
        order.sort_by_key(|(at, hunk)| (hunk.gap(count).0, rank(hunk), *at));
        let mut lines = Vec::new();
        let mut done = 0;
        for (_, hunk) in order {
            let (from, to) = hunk.gap(count);
            lines.extend(self.lines[done..from].iter().cloned());
            done = to;
            match hunk.place {
                Place::Replace(..) | Place::Delete(..) => lines.extend(self.replacement(from, to, &hunk.body)),
                Place::Head => lines.extend(self.rows(&hunk.body, 1)),
                Place::Before(line) | Place::After(line) => lines.extend(self.rows(&hunk.body, line)),
                Place::Tail => lines.extend(self.rows(&hunk.body, count)),
            }
        }
        lines.extend(self.lines[done..].iter().cloned());
        self.close(&mut lines);
        for line in &mut lines {
            line.new = false;
        }
        Self { lines, ..self.clone() }
    }

    /// New lines beside a line.
    fn rows(&self, body: &[String], neighbour: usize) -> Vec<Line> {
        let end = self.near(neighbour);
        body.iter().map(|text| Line { text: self.script.encode(text), end, new: true }).collect()
    }

    /// The lines that come in the place of a range: those it repeats at its edges as they are, the others new.
    fn replacement(&self, from: usize, to: usize, body: &[String]) -> Vec<Line> {
        let body: Vec<Vec<u8>> = body.iter().map(|text| self.script.encode(text)).collect();
        let old = &self.lines[from..to];
        let most = old.len().min(body.len());
        let head = (0..most).take_while(|at| old[*at].text == body[*at]).count();
        let tail = (1..=most - head).take_while(|at| old[old.len() - at].text == body[body.len() - at]).count();
        let (first, last) = (from + head, to - tail);
        let lender = if first < last { last } else { from.max(first - usize::from(head > 0)) + 1 };
        let middle = body[head..body.len() - tail].iter().enumerate().map(|(at, text)| {
            let own = (first + at < last).then(|| self.lines[first + at].end).filter(|end| !end.is_empty());
            Line { text: text.clone(), end: own.unwrap_or_else(|| self.near(lender)), new: true }
        });
        old[..head].iter().cloned().chain(middle).chain(old[old.len() - tail..].iter().cloned()).collect()
    }

    /// A text that had no end at its last line has none again, if its last line came or stays.
    fn close(&self, lines: &mut [Line]) {
        if self.lines.last().is_none_or(|last| !last.end.is_empty()) {
            return;
        }
        let Some((last, others)) = lines.split_last_mut() else { return };
        if last.new && !last.text.is_empty() {
            last.end = "";
        }
        let end = self.near(self.lines.len());
        others.iter_mut().filter(|line| line.end.is_empty()).for_each(|line| line.end = end);
    }
}

fn word(script: Script) -> impl Strategy<Value = String> {
    sample::select(script.words).prop_map(str::to_owned)
}

/// A file in one of the encodings, with lines that are no text among the others.
pub(crate) fn sheet() -> impl Strategy<Value = Sheet> {
    sample::select(SCRIPTS.to_vec()).prop_flat_map(|script| {
        let torn = sample::select(if script.torn.is_empty() { vec![b"".as_slice()] } else { script.torn.to_vec() });
        let text = prop_oneof![9 => word(script).prop_map(move |text| script.encode(&text)), 1 => torn.prop_map(<[u8]>::to_vec)];
        let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n")];
        (collection::vec((text, end), 0..14), any::<bool>(), any::<bool>()).prop_map(move |(lines, open, mark)| {
            let mut sheet = Sheet::of(script, Sheet::opening(script), "\n");
            sheet.mark = mark && script.marks();
            sheet.lines.extend(lines.into_iter().map(|(text, end)| Line { text, end, new: false }));
            if let Some(last) = sheet.lines.last_mut().filter(|last| open && !last.text.is_empty()) {
                last.end = "";
            }
            sheet
        })
    })
}

/// A file and operations that do not collide.
pub(crate) fn edits() -> impl Strategy<Value = (Sheet, Vec<Hunk>)> {
    sheet().prop_flat_map(|sheet| {
        let lines = sheet.lines.len();
        let body = collection::vec(word(sheet.script), 1..5);
        let place = (0..7_u8, 1..=lines, 0..4_usize).prop_map(move |(kind, first, more)| match kind {
            0 | 1 => Place::Replace(first, (first + more).min(lines)),
            2 => Place::Delete(first, (first + more).min(lines)),
            3 => Place::Before(first),
            4 => Place::After(first),
            5 => Place::Head,
            _ => Place::Tail,
        });
        let hunk = (place, body).prop_map(|(place, body)| match place {
            Place::Delete(..) => Hunk { place, body: Vec::new() },
            Place::Replace(..) | Place::Before(_) | Place::After(_) | Place::Head | Place::Tail => Hunk { place, body },
        });
        (Just(sheet), collection::vec(hunk, 1..5)).prop_map(|(sheet, hunks)| {
            let hunks = peaceful(hunks, sheet.lines.len());
            (sheet, hunks)
        })
    })
}

fn peaceful(hunks: Vec<Hunk>, lines: usize) -> Vec<Hunk> {
    let collide = |one: (usize, usize), other: (usize, usize)| {
        one.0.max(other.0) < one.1.min(other.1)
            || (one.0 == one.1 && other.0 < one.0 && one.0 < other.1)
            || (other.0 == other.1 && one.0 < other.0 && other.0 < one.1)
    };
    let mut kept: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        if kept.iter().all(|other| !collide(hunk.gap(lines), other.gap(lines))) {
            kept.push(hunk);
        }
    }
    kept
}
