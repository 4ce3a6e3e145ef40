//! What a row is to hold: a JSON5 object, every value exactly as it was written.

use std::fmt;

use rusqlite::types::Value;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};

use crate::database::spelling::hex_bytes;

/// The columns that are given, and their values.
#[derive(Debug, PartialEq)]
pub(super) struct Payload(pub(super) Vec<(String, Value)>);

/// Numbers from here on may have been whole ones that were rounded.
const EXACT: f64 = 9_223_372_036_854_775_808.0;

/// The key of an object that stands for bytes.
const HEX: &str = "$hex";

/// Reads an object; the error says what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Payload, String> {
    let payload = json5::from_str::<Payload>(text).map_err(|error| error.to_string())?;
    let is_beyond = |value: &Value| matches!(value, Value::Real(number) if number.abs() >= EXACT);
    match payload.0.iter().any(|(_, value)| is_beyond(value)).then(|| large_integer(text)).flatten() {
        Some(number) => Err(beyond(number)),
        None => Ok(payload),
    }
}

fn beyond(number: impl fmt::Display) -> String {
    format!("{number} is beyond the whole numbers of 64 bits; write it as text, or with a point as a rounded number")
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Row)
    }
}

struct Row;

impl<'de> Visitor<'de> for Row {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object such as {name: 'Ada', age: 36}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Payload, A::Error> {
        let mut columns = Vec::new();
        while let Some(column) = map.next_key::<String>()? {
            let value = map.next_value_seed(Scalar(&column))?;
            columns.push((column, value));
        }
        Ok(Payload(columns))
    }
}

/// The value of a column.
struct Scalar<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for Scalar<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text, a number, true, false, null or {{{HEX}: '00ff'}} for the column '{}'", self.0)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Integer(i64::from(yes)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        i64::try_from(number).map(Value::Integer).map_err(|_| E::custom(beyond(number)))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        if number.is_nan() {
            return Err(E::custom(format!("the column '{}' cannot hold NaN; write null", self.0)));
        }
        Ok(Value::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let other = || A::Error::custom(format!("a value must be {}, and this is another object", Expected(&self)));
        if map.next_key::<String>()?.as_deref() != Some(HEX) {
            return Err(other());
        }
        let text = map.next_value::<String>()?;
        if map.next_key::<String>()?.is_some() {
            return Err(other());
        }
        hex_bytes(&text).map(Value::Blob).ok_or_else(|| {
            A::Error::custom(format!("the bytes of the column '{}' must be written as pairs of hex digits", self.0))
        })
    }
}

struct Expected<'a, 'b>(&'a Scalar<'b>);

impl fmt::Display for Expected<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

/// The first whole number in an object that is beyond 64 bits: the parser rounds those that are long enough.
fn large_integer(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => text_length(rest, first),
            '/' if rest.starts_with("//") => rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => {
                let is_of_word = |sign: char| sign.is_alphanumeric() || "+-._$\\".contains(sign);
                let word = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
                if let Some(word) = rest.get(..word).filter(|word| is_large_integer(word)) {
                    return Some(word);
                }
                word.max(first.len_utf8())
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    None
}

/// How many bytes a text in these quotes has.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        if sign == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    rest.len()
}

fn is_large_integer(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let is_whole = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let sign = if word.starts_with('-') { "-" } else { "" };
    match hex {
        Some(hex) => is_whole(hex, 16) && i64::from_str_radix(&format!("{sign}{hex}"), 16).is_err(),
        None => is_whole(digits, 10) && word.parse::<i64>().is_err(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<Value> {
        parse(text).unwrap().0.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn every_kind_of_value_is_taken_as_it_is_written() {
        let text =
            "{a: 'x', \"b\": 9007199254740993, c: -9223372036854775808, d: 0x10, e: 1.5, f: true, g: false, h: null,
            // A remark.
            i: Infinity, j: {$hex: '00fF'}, k: +7, l: .5, m: 'a\\u0000b', /* another */ n: 1e300,}";
        let expected = [
            Value::Text("x".to_owned()),
            Value::Integer(9_007_199_254_740_993),
            Value::Integer(i64::MIN),
            Value::Integer(16),
            Value::Real(1.5),
            Value::Integer(1),
            Value::Integer(0),
            Value::Null,
            Value::Real(f64::INFINITY),
            Value::Blob(vec![0, 255]),
            Value::Integer(7),
            Value::Real(0.5),
            Value::Text("a\0b".to_owned()),
            Value::Real(1e300),
        ];
        assert_eq!(values(text), expected);
        assert_eq!(values(" {} "), []);
    }

    #[test]
    fn whole_numbers_that_do_not_fit_are_never_rounded() {
        let nines = "9".repeat(60);
        let large = ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "0x8000000000000000"];
        for number in large.into_iter().chain(["-0x8000000000000001", "0x1ffffffffffffffff", nines.as_str()]) {
            let error = parse(&format!("{{a: '1', b: {number}}}")).unwrap_err();
            assert!(error.contains("beyond the whole numbers of 64 bits"), "{number}: {error}");
        }
        // Such digits in a text, a remark, or in a number with a point are none.
        let text =
            format!("{{a: 1e300, b: '\\'{nines}', /* {nines} */ c: {nines}.0, // {nines}\n d: -0x8000000000000000}}");
        assert_eq!(values(&text)[1], Value::Text(format!("'{nines}")));
        assert_eq!(values(&text)[3], Value::Integer(i64::MIN));
    }

    #[test]
    fn what_is_no_object_of_plain_values_is_refused_by_name() {
        for (text, words) in [
            ("[1]", "expected an object such as {name: 'Ada', age: 36}"),
            ("7", "expected an object"),
            ("{a: [1]}", "for the column 'a'"),
            ("{a: {b: 1}}", "another object"),
            ("{a: {}}", "another object"),
            ("{a: {$hex: '00', b: 1}}", "another object"),
            ("{a: {$hex: '0'}}", "pairs of hex digits"),
            ("{a: {$hex: 'zz'}}", "pairs of hex digits"),
            ("{a: NaN}", "write null"),
            ("{a: 1} x", ""),
            ("{a: 1", ""),
            ("{a: '\\ud800'}", ""),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        // However deep it goes.
        assert!(parse(&format!("{{a: {}", "[".repeat(1_000_000))).is_err());
    }
}
