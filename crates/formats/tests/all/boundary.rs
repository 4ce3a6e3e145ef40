//! Cutting text: never inside a character, in any encoding.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests too, and a broken one must stop them"
)]

use std::sync::Arc;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1252};
use proptest::prelude::{Just, Strategy, prop_oneof, proptest};
use proptest::{collection, sample, test_runner};
use readstone_formats::coding_of;
use readstone_source::{Coding, Head};

fn config() -> test_runner::Config {
    test_runner::Config {
        cases: 192,
        failure_persistence: None,
        rng_seed: test_runner::RngSeed::Fixed(0xF0E1_0001),
        max_shrink_iters: 2_000,
        ..test_runner::Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn text_is_cut_between_characters(form in form(), text in text()) {
        let text: String = text.into_iter().filter(|character| form.can_write(*character)).collect();
        between_characters(&form, &text);
    }

    #[test]
    fn a_character_begins_where_reading_takes_hold_again(form in form(), text in text()) {
        let text: String = text.into_iter().filter(|character| form.can_write(*character)).collect();
        takes_hold(&form, &text);
    }

    #[test]
    fn bytes_of_any_kind_are_cut_somewhere(form in form(), bytes in collection::vec(proptest::num::u8::ANY, 0..40)) {
        let coding = form.coding();
        for most in 0..=bytes.len() + 3 {
            let length = coding.boundary(&bytes, most);
            assert!(length <= most.min(bytes.len()), "{length} is more than {most} of {}", form.name);
        }
        assert!(coding.resync(&bytes) <= bytes.len());
        let decoded = coding.decode(&bytes);
        assert!(decoded.replaced.iter().all(|offset| *offset < bytes.len() as u64), "{:?}", decoded.replaced);
        assert!(decoded.replaced.is_sorted(), "{:?}", decoded.replaced);
        let shown = decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
        assert!(decoded.replaced.len() <= shown, "{} of {shown} in {}", decoded.replaced.len(), form.name);
    }
}

/// An encoding, and text by which it is recognised.
#[derive(Clone, Copy, Debug)]
struct Form {
    name: &'static str,
    sample: &'static str,
    encoding: Option<&'static Encoding>,
}

const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n";
const FORMS: [Form; 9] = [
    Form { name: "utf-8", sample: "naïve 中文 😀\n", encoding: None },
    Form { name: "utf-16le", sample: "plain\n", encoding: None },
    Form { name: "utf-16be", sample: "plain\n", encoding: None },
    Form {
        name: "gbk", sample: "这是一个中文文件。今天天气很好，我们去公园散步。\n", encoding: Some(GBK)
    },
    Form { name: "shift_jis", sample: JAPANESE, encoding: Some(SHIFT_JIS) },
    Form { name: "big5", sample: "這是一個繁體中文檔案。今天天氣很好。\n", encoding: Some(BIG5) },
    Form {
        name: "euc-kr", sample: "이것은 한국어 문서입니다. 오늘은 날씨가 좋아서\n", encoding: Some(EUC_KR)
    },
    Form { name: "euc-jp", sample: JAPANESE, encoding: Some(EUC_JP) },
    Form {
        name: "windows-1252", sample: "Voilà un été très agréable à la forêt\n", encoding: Some(WINDOWS_1252)
    },
];

impl Form {
    fn coding(&self) -> Arc<dyn Coding> {
        let bytes: Vec<u8> = self.sample.repeat(20).chars().flat_map(|character| self.write(character)).collect();
        let head = Head { bytes: &bytes, samples: &[], size: bytes.len() as u64 };
        let coding = coding_of(&head).expect("text");
        assert_eq!(coding.name().to_lowercase(), self.name);
        coding
    }

    fn write(&self, character: char) -> Vec<u8> {
        let mut units = [0; 2];
        match (self.encoding, self.name) {
            (Some(encoding), _) => encoding.encode(&character.to_string()).0.into_owned(),
            (None, "utf-16le") => {
                character.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_le_bytes()).collect()
            }
            (None, "utf-16be") => {
                character.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_be_bytes()).collect()
            }
            (None, _) => character.to_string().into_bytes(),
        }
    }

    fn can_write(&self, character: char) -> bool {
        self.encoding.is_none_or(|encoding| !encoding.encode(&character.to_string()).2)
    }
}

fn form() -> impl Strategy<Value = Form> {
    sample::select(FORMS.to_vec())
}

/// Characters of one to four bytes, among them those whose second byte is an ASCII letter, a digit or a backslash.
fn text() -> impl Strategy<Value = Vec<char>> {
    let ascii = sample::select("a0 \\|@{~\r\n\t".chars().collect::<Vec<_>>());
    let wide = sample::select("中文表ソ能十丂乗許功蓋ｱﾊ한국어é한㐀𠀀😀€ぁ丏两".chars().collect::<Vec<_>>());
    let character = prop_oneof![2 => ascii, 5 => wide, 1 => Just('丒')];
    collection::vec(character, 0..40)
}

/// The bytes of a text, and every offset at which a character begins, the end among them.
fn write(form: &Form, text: &str) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut starts) = (Vec::new(), vec![0]);
    for character in text.chars() {
        bytes.extend(form.write(character));
        starts.push(bytes.len());
    }
    (bytes, starts)
}

fn between_characters(form: &Form, text: &str) {
    let coding = form.coding();
    let (bytes, starts) = write(form, text);
    assert_eq!(coding.decode(&bytes).text, text, "{}", form.name);
    for most in 0..=bytes.len() + 2 {
        let right = *starts.iter().rfind(|start| **start <= most).expect("0 is one");
        assert_eq!(coding.boundary(&bytes, most), right, "{} of {text:?} at {most}", form.name);
    }
}

fn takes_hold(form: &Form, text: &str) {
    let coding = form.coding();
    let (bytes, starts) = write(form, text);
    let width = coding.newline().width();
    for from in (0..bytes.len()).step_by(width) {
        let rest = &bytes[from..];
        let skipped = coding.resync(rest);
        // Nothing skipped means that nothing is sure; a blank or a line end would be.
        let sure = rest.contains(&b' ') || rest.contains(&b'\n');
        let begins = starts.contains(&(from + skipped));
        assert!(begins || (skipped == 0 && !sure), "{} of {text:?} from {from}: {skipped}", form.name);
    }
}

#[test]
fn a_character_whose_second_byte_looks_like_another_is_not_parted() {
    let form = FORMS[4];
    let (bytes, starts) = write(&form, &"ソ表能".repeat(3_000));
    let coding = form.coding();
    for most in [5_999, 6_001, 11_111, 17_999] {
        assert!(starts.contains(&coding.boundary(&bytes, most)), "{most}");
    }
}
