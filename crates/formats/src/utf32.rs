//! UTF-32, which the Encoding Standard left behind and files did not.

use std::borrow::Cow;

use readstone_source::{Coding, Decoded, Newline};

/// Four bytes a character.
#[derive(Debug)]
pub(crate) struct Utf32 {
    pub(crate) order: Order,
    pub(crate) mark: u64,
}

/// Which byte of a character comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    LowFirst,
    HighFirst,
}

impl Coding for Utf32 {
    fn name(&self) -> &'static str {
        match self.order {
            Order::LowFirst => "utf-32le",
            Order::HighFirst => "utf-32be",
        }
    }

    fn mark(&self) -> u64 {
        self.mark
    }

    fn newline(&self) -> Newline {
        match self.order {
            Order::LowFirst => Newline::Utf32Le,
            Order::HighFirst => Newline::Utf32Be,
        }
    }

    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a> {
        let mut text = String::with_capacity(bytes.len() / 4);
        let mut replaced = Vec::new();
        for (number, unit) in bytes.chunks(4).enumerate() {
            let code = <[u8; 4]>::try_from(unit).ok().map(|unit| match self.order {
                Order::LowFirst => u32::from_le_bytes(unit),
                Order::HighFirst => u32::from_be_bytes(unit),
            });
            let character = code.and_then(char::from_u32);
            if character.is_none() {
                replaced.push(number as u64 * 4);
            }
            text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Decoded { text: Cow::Owned(text), replaced }
    }

    fn resync(&self, _: &[u8]) -> usize {
        0
    }

    fn boundary(&self, bytes: &[u8], most: usize) -> usize {
        most.min(bytes.len()) / 4 * 4
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        let unit = |letter| match self.order {
            Order::LowFirst => u32::from(letter).to_le_bytes(),
            Order::HighFirst => u32::from(letter).to_be_bytes(),
        };
        Ok(text.chars().flat_map(unit).collect())
    }
}
