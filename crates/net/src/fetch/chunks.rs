//! A body in chunks, taken apart without waiting: what came is handed on before more is waited for.

use std::io::{self, ErrorKind};

/// A line of the framing has at most this many bytes.
const LINE: usize = 4 * 1024;

/// Where in a body of chunks we are.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    part: Part,
    /// What came of a line that is not all there.
    line: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// Before a chunk: its size.
    #[default]
    Size,
    /// In a chunk of which so many bytes are left.
    Data(u64),
    /// Behind a chunk: an empty line.
    End,
    /// Behind the last chunk; the fields that may follow it are nobody's.
    Done,
    /// In nonsense.
    Bad,
}

/// What became of the bytes that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fed {
    /// How many of them were used.
    pub(super) used: usize,
    /// How many bytes of the body they held.
    pub(super) made: usize,
}

impl Chunks {
    /// Whether the last chunk came.
    pub(super) fn done(&self) -> bool {
        self.part == Part::Done
    }

    /// Takes bytes of the body out of bytes of the wire. Nonsense is an error only when nothing came before it.
    pub(super) fn feed(&mut self, wire: &[u8], room: &mut [u8]) -> io::Result<Fed> {
        let mut fed = Fed { used: 0, made: 0 };
        loop {
            let bytes = wire.get(fed.used..).unwrap_or_default();
            match self.part {
                Part::Bad if fed.made == 0 => {
                    return Err(io::Error::new(ErrorKind::InvalidData, "its chunks are damaged"));
                }
                Part::Bad | Part::Done => return Ok(fed),
                Part::Data(left) => {
                    let space = room.get_mut(fed.made..).unwrap_or_default();
                    let most = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len()).min(space.len());
                    if most == 0 {
                        return Ok(fed);
                    }
                    space.iter_mut().zip(bytes).take(most).for_each(|(to, from)| *to = *from);
                    fed = Fed { used: fed.used + most, made: fed.made + most };
                    let left = left.saturating_sub(most as u64);
                    self.part = if left == 0 { Part::End } else { Part::Data(left) };
                }
                Part::Size | Part::End => {
                    let end = bytes.iter().position(|byte| *byte == b'\n');
                    let piece = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
                    fed.used += piece.len() + usize::from(end.is_some());
                    if self.line.len() + piece.len() > LINE {
                        self.part = Part::Bad;
                        continue;
                    }
                    self.line.extend_from_slice(piece);
                    if end.is_none() {
                        return Ok(fed);
                    }
                    self.part = self.behind_line();
                    self.line.clear();
                }
            }
        }
    }

    /// What follows the line that came.
    fn behind_line(&self) -> Part {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        match (self.part, size(line)) {
            (Part::End, _) if line.is_empty() => Part::Size,
            (Part::Size, Some(0)) => Part::Done,
            (Part::Size, Some(size)) => Part::Data(size),
            (Part::Size | Part::Data(_) | Part::End | Part::Done | Part::Bad, _) => Part::Bad,
        }
    }
}

/// The size that a line before a chunk gives.
fn size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let plain = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| plain)?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{Chunks, Fed};

    #[test]
    fn many_chunks_that_came_together_are_taken_at_once() {
        let mut room = [0; 2000];
        let fed = Chunks::default().feed(&b"1\r\na\r\n".repeat(1000), &mut room).unwrap();
        assert_eq!(fed, Fed { used: 6000, made: 1000 });
        assert_eq!(room[..1000], *b"a".repeat(1000));
    }

    #[test]
    fn chunks_are_the_same_wherever_they_are_broken() {
        let wire = b"4;x=y\r\nthis\r\n1\nx\n3 \r\none\r\n0\r\nA: b\r\n\r\n";
        for step in 1..wire.len() {
            for space in 1..9 {
                let (mut chunks, mut body, mut at) = (Chunks::default(), Vec::new(), 0);
                while !chunks.done() {
                    let mut room = vec![0; space];
                    let fed = chunks.feed(&wire[at..(at + step).min(wire.len())], &mut room).unwrap();
                    at += fed.used;
                    body.extend_from_slice(&room[..fed.made]);
                }
                assert_eq!((body.as_slice(), wire[at]), (&b"thisxone"[..], b'A'), "{step} {space}");
            }
        }
    }

    #[test]
    fn n12_nonsense_is_told_after_what_came_before_it() {
        let mut room = [0; 100];
        let long = [b"1".as_slice(), &b";".repeat(5000), b"\r\na\r\n"].concat();
        for bad in [b"zz\r\n".as_slice(), b"\r\n", b"-1\r\n", b"+1\r\n", b"11111111111111111\r\n", b"\xff\r\n", &long] {
            assert!(Chunks::default().feed(bad, &mut room).is_err(), "{bad:?}");
            let mut chunks = Chunks::default();
            let wire = [b"2\r\nok\r\n".as_slice(), bad].concat();
            assert_eq!(chunks.feed(&wire, &mut room).unwrap().made, 2, "{bad:?}");
            assert!(chunks.feed(b"2\r\nok\r\n", &mut room).is_err(), "{bad:?}");
        }
        let mut chunks = Chunks::default();
        assert_eq!(chunks.feed(b"2\r\nokay\r\n", &mut room).unwrap().made, 2);
        assert!(chunks.feed(b"", &mut room).is_err());
    }
}
