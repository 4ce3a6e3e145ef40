//! JSON as it stands. Laid out for reading, only the blanks between tokens change: numbers, escapes and the order of keys
//! stay.

mod tokens;
mod values;

use tokens::{Steps, Token};

pub use values::{JsonFlaw, JsonText};

/// Lists and objects inside one another that are still laid out.
const DEEPEST: usize = 256;
/// How many times its size a text may grow, because a long flat list deep inside would otherwise be mostly blanks.
const MOST_GROWTH: usize = 4;
/// What a small text may grow by in any case.
const ALWAYS_ROOM: usize = 64 * 1024;
/// Bytes that are laid out at most.
const MOST: usize = 16 * 1024 * 1024;
const BLANKS: &str = "                                ";

/// A JSON text with two blanks for every level, or lines of JSON as they are; nothing if it is not JSON, or if it is
/// better left alone because it would become too large.
pub fn pretty_json(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    document(text).or_else(|| lines(text))
}

/// Lines that are each a JSON text of its own.
fn lines(text: &str) -> Option<String> {
    let each = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut size = 0_usize;
    let mut count = 0_usize;
    for line in each() {
        check(line)?;
        size += line.len() + 1;
        count += 1;
    }
    if count < 2 || size > MOST {
        return None;
    }
    let mut out = String::with_capacity(size);
    for line in each() {
        out.push_str(line);
        out.push('\n');
    }
    Some(out)
}

fn check(line: &str) -> Option<()> {
    let mut steps = Steps::new(line, DEEPEST);
    while steps.next()?.is_some() {}
    Some(())
}

/// Goes through the text twice, because what is known to fit needs no memory to grow into.
fn document(text: &str) -> Option<String> {
    let most = text.len().saturating_mul(MOST_GROWTH).saturating_add(ALWAYS_ROOM).min(MOST);
    let mut size = 1_usize;
    lay(text, &mut |part| {
        size += part.len();
        size <= most
    })?;
    let mut out = String::with_capacity(size);
    lay(text, &mut |part| {
        out.push_str(part);
        true
    })?;
    out.push('\n');
    Some(out)
}

/// Hands on the parts of a text as it is laid out, until one is not taken.
fn lay(text: &str, take: &mut dyn FnMut(&str) -> bool) -> Option<()> {
    let mut steps = Steps::new(text, DEEPEST);
    while let Some((token, range)) = steps.next()? {
        let closes = matches!(token, Token::EndList | Token::EndObject);
        // An empty list or object stays on its line.
        let breaks = steps.starts_line || (closes && !steps.empty);
        let fits = !breaks || line_break(steps.depth, take);
        let fits = fits && take(text.get(range)?);
        if !(fits && (token != Token::Colon || take(" "))) {
            return None;
        }
    }
    Some(())
}

fn line_break(depth: usize, take: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut left = depth * 2;
    let mut fits = take("\n");
    while fits && left > 0 {
        let now = left.min(BLANKS.len());
        fits = BLANKS.get(..now).is_some_and(&mut *take);
        left -= now;
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, pretty_json};

    #[test]
    fn every_level_gets_two_blanks_and_keys_keep_their_order() {
        let shown = pretty_json(r#"{"b":[1,{"x":null}],"a":{},"c":[], "d":"e"}"#).unwrap();
        let wanted = "{\n  \"b\": [\n    1,\n    {\n      \"x\": null\n    }\n  ],\n  \"a\": {},\n  \"c\": [],\n  \
                      \"d\": \"e\"\n}\n";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn numbers_and_escapes_stay_as_they_are_written() {
        for value in ["12345678901234567890123", "1.0", "1e400", "-0", "1E+5", "\"\\u0041\\/\"", "0.10", "true"] {
            assert_eq!(pretty_json(value), Some(format!("{value}\n")));
            assert_eq!(pretty_json(&format!("[{value}]")), Some(format!("[\n  {value}\n]\n")));
        }
    }

    #[test]
    fn lines_of_json_stay_lines() {
        assert_eq!(pretty_json("{\"a\":1}\n\n{\"a\": 2}\r\n[3]").unwrap(), "{\"a\":1}\n{\"a\": 2}\n[3]\n");
        assert_eq!(pretty_json("{\"a\":1}\n{\"a\":"), None);
    }

    #[test]
    fn what_is_not_json_is_left_alone() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "[1 2]",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "nul",
            "NaN",
            "\"a",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "[1}",
            "]",
            "{\"a\"}",
            "{1:2}",
            "<html>",
            "1 2",
            ",",
            "[,1]",
            "{}{}",
        ] {
            assert_eq!(pretty_json(text), None, "{text}");
        }
    }

    #[test]
    fn depth_and_growth_are_bounded() {
        let long = "x".repeat(50_000);
        let nested = |depth: usize| format!("{}\"{long}\"{}", "[".repeat(depth), "]".repeat(depth));
        assert!(pretty_json(&nested(DEEPEST)).is_some());
        assert_eq!(pretty_json(&nested(DEEPEST + 1)), None);
        assert_eq!(pretty_json(&"[".repeat(1_000_000)), None);
        let flat = "1,".repeat(100_000);
        assert_eq!(pretty_json(&format!("{}{flat}1{}", "[".repeat(200), "]".repeat(200))), None);
        assert!(pretty_json(&format!("[{flat}1]")).is_some());
    }

    #[test]
    fn no_more_is_laid_out_than_is_of_use() {
        let flat = |count: usize| format!("[{}1]", "1,".repeat(count));
        let shown = pretty_json(&flat(3_000_000)).unwrap();
        assert_eq!((shown.len(), shown.capacity()), (15_000_008, 15_000_008));
        assert_eq!(pretty_json(&flat(3_400_000)), None);
        let line = format!("\"{}\"\n", "x".repeat(1_000_000));
        assert_eq!(pretty_json(&line.repeat(3)).map(|shown| shown.len()), Some(3 * 1_000_003));
        assert_eq!(pretty_json(&line.repeat(17)), None);
        let small = format!("{}{}", "[".repeat(150), "]".repeat(150));
        assert!(pretty_json(&small).unwrap().len() > 4 * small.len());
    }

    #[test]
    fn a_mark_of_byte_order_is_passed_over() {
        assert_eq!(pretty_json("\u{feff}[]").unwrap(), "[]\n");
    }
}
