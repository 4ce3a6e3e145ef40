//! Encodings whose decoders are libraries: UTF-8, UTF-16 and the legacy ones.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use readstone_source::{Coding, Decoded, Newline};

use crate::names;

/// UTF-8, with or without a byte order mark.
#[derive(Debug)]
pub(crate) struct Utf8 {
    pub(crate) mark: u64,
}

impl Coding for Utf8 {
    fn name(&self) -> &'static str {
        "utf-8"
    }

    fn mark(&self) -> u64 {
        self.mark
    }

    fn newline(&self) -> Newline {
        Newline::Byte
    }

    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Decoded { text: Cow::Borrowed(text), replaced: Vec::new() };
        }
        let mut text = String::with_capacity(bytes.len() + 16);
        let (mut replaced, mut offset) = (Vec::new(), 0);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            offset += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                replaced.push(offset as u64);
                offset += chunk.invalid().len();
            }
        }
        Decoded { text: Cow::Owned(text), replaced }
    }

    fn resync(&self, bytes: &[u8]) -> usize {
        bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count()
    }

    fn boundary(&self, bytes: &[u8], most: usize) -> usize {
        let most = most.min(bytes.len());
        let continues = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        // Bytes that only look like the middle of a character are no reason to go far back.
        (most.saturating_sub(3)..=most).rev().find(|at| !continues(*at)).unwrap_or(most)
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        Ok(text.as_bytes().to_vec())
    }
}

/// Any encoding of the Encoding Standard.
#[derive(Debug)]
pub(crate) struct Legacy {
    pub(crate) encoding: &'static Encoding,
    pub(crate) mark: u64,
}

impl Coding for Legacy {
    fn name(&self) -> &'static str {
        names::lower_case(self.encoding)
    }

    fn mark(&self) -> u64 {
        self.mark
    }

    fn newline(&self) -> Newline {
        if self.encoding == encoding_rs::UTF_16LE {
            Newline::Utf16Le
        } else if self.encoding == encoding_rs::UTF_16BE {
            Newline::Utf16Be
        } else {
            Newline::Byte
        }
    }

    fn decode<'a>(&self, bytes: &'a [u8]) -> Decoded<'a> {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(bytes.len() + 16);
        let (mut replaced, mut offset) = (Vec::new(), 0);
        loop {
            let rest = bytes.get(offset..).unwrap_or_default();
            text.reserve(decoder.max_utf8_buffer_length(rest.len()).unwrap_or(rest.len() * 3 + 16));
            let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
            offset += read;
            match result {
                DecoderResult::InputEmpty => return Decoded { text: Cow::Owned(text), replaced },
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(bad, after) => {
                    let start = offset.saturating_sub(usize::from(bad) + usize::from(after));
                    replaced.push(start as u64);
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
    }

    fn resync(&self, bytes: &[u8]) -> usize {
        match self.newline() {
            Newline::Byte if !self.encoding.is_single_byte() => {
                bytes.iter().position(|byte| is_alone(*byte)).map_or(0, |at| at + 1)
            }
            Newline::Utf16Le | Newline::Utf16Be => 2 * usize::from(self.unit(bytes, 0).is_some_and(is_second)),
            Newline::Byte | Newline::Utf32Le | Newline::Utf32Be => 0,
        }
    }

    fn boundary(&self, bytes: &[u8], most: usize) -> usize {
        let most = most.min(bytes.len());
        if self.encoding.is_single_byte() {
            return most;
        }
        if self.newline() != Newline::Byte {
            return self.boundary_of_pairs(bytes, most / 2 * 2);
        }
        let near = most.saturating_sub(8);
        let start =
            bytes.get(..near).unwrap_or_default().iter().rposition(|byte| is_alone(*byte)).map_or(0, |at| at + 1);
        // Cut inside a character, the text before the cut no longer begins the text with the cut further on.
        let ahead = bytes.get(start..(most + 8).min(bytes.len())).unwrap_or_default();
        let whole = self.decode(ahead).text.into_owned();
        let fits = |at: &usize| bytes.get(start..*at).is_some_and(|head| whole.starts_with(&*self.decode(head).text));
        (most.saturating_sub(4).max(start)..=most).rev().find(fits).unwrap_or(most)
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        // The library encodes nothing to UTF-16: forms of web pages are never sent so.
        match self.newline() {
            Newline::Utf16Le => return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Newline::Utf16Be => return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Newline::Byte | Newline::Utf32Le | Newline::Utf32Be => {}
        }
        let mut encoder = self.encoding.new_encoder();
        let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len()).unwrap_or(text.len() * 4 + 16);
        let mut bytes = Vec::with_capacity(room);
        match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
            (EncoderResult::InputEmpty, _) => {
                // Some encodings take a letter for another that looks like it; that one would be read back.
                let back = self.decode(&bytes).text;
                let other = text.chars().zip(back.chars()).find(|(letter, back)| letter != back);
                other.map_or(Ok(bytes), |(letter, _)| Err(letter))
            }
            (EncoderResult::Unmappable(letter), _) => Err(letter),
            // There was room for the longest that it can be.
            (EncoderResult::OutputFull, _) => Err(text.chars().next_back().unwrap_or_default()),
        }
    }
}

/// Whether a byte is a character of its own in every encoding of several bytes: their second bytes begin at `0`.
pub(crate) fn is_alone(byte: u8) -> bool {
    byte < b'0'
}

/// Whether a unit of UTF-16 is the second of two that make one character.
fn is_second(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

impl Legacy {
    /// The unit of UTF-16 at an offset.
    fn unit(&self, bytes: &[u8], at: usize) -> Option<u16> {
        let pair = <[u8; 2]>::try_from(bytes.get(at..at + 2)?).ok()?;
        Some(if self.newline() == Newline::Utf16Le { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
    }

    /// In UTF-16, two units that make one character stay together.
    fn boundary_of_pairs(&self, bytes: &[u8], most: usize) -> usize {
        let before = most.checked_sub(2).and_then(|at| self.unit(bytes, at));
        let parted = before.is_some_and(|unit| (0xD800..0xDC00).contains(&unit))
            && self.unit(bytes, most).is_some_and(is_second);
        if parted { most - 2 } else { most }
    }
}
