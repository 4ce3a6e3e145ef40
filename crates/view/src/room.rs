//! The room of a page: how many lines, bytes and tokens it may take.

use readstone_address::Selector;
use readstone_base::{Budget, Limits, estimate_tokens};

/// What is asked of a view.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The path, for the addresses the page hands out.
    pub path: &'a str,
    /// Which part to show.
    pub selector: &'a Selector,
    /// The limits in force.
    pub limits: &'a Limits,
    /// What the call allows beyond the limits.
    pub room: Room,
    /// The time of the call.
    pub budget: &'a Budget,
}

/// What a call allows a page to take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    /// Lines.
    pub lines: Option<u64>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Tokens, estimated.
    pub tokens: Option<u64>,
}

/// What is left of the room while a page is made.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    lines: (u64, &'static str),
    bytes: (u64, &'static str),
    tokens: Option<u64>,
}

impl Left {
    /// Room for so many lines and bytes, each with the name of its limit, within what the call allows.
    pub(crate) fn new(lines: (u64, &'static str), bytes: (u64, &'static str), room: Room) -> Self {
        let lines = match room.lines {
            Some(most) if most < lines.0 => (most, "max_lines"),
            Some(_) | None => lines,
        };
        let bytes = match room.bytes {
            Some(most) if most < bytes.0 => (most, "reply_bytes"),
            Some(_) | None => bytes,
        };
        Self { lines, bytes, tokens: room.tokens }
    }

    /// Whether the call itself sets no bounds on lines and tokens.
    pub(crate) fn is_open(&self) -> bool {
        self.lines.0 == u64::MAX && self.tokens.is_none()
    }

    /// How many lines are left.
    pub(crate) fn lines_left(&self) -> u64 {
        self.lines.0
    }

    /// Whether another line may come.
    pub(crate) fn line(&self) -> Result<(), &'static str> {
        if self.lines.0 == 0 { Err(self.lines.1) } else { Ok(()) }
    }

    /// Whether a text of this size fits.
    pub(crate) fn fits(&self, label: usize, text: &str) -> Result<(), &'static str> {
        if (label + text.len() + 1) as u64 > self.bytes.0 {
            return Err(self.bytes.1);
        }
        match self.tokens {
            Some(tokens) if cost(text) > tokens => Err("max_tokens"),
            Some(_) | None => Ok(()),
        }
    }

    /// How many bytes are left.
    pub(crate) fn byte_room(&self) -> u64 {
        self.bytes.0
    }

    /// How many characters of a text that does not fit could be shown at best.
    pub(crate) fn characters(&self) -> usize {
        let bytes = self.bytes.0.saturating_sub(24);
        let tokens = self.tokens.map_or(bytes, |tokens| tokens.saturating_sub(4).saturating_mul(4));
        usize::try_from(bytes.min(tokens)).unwrap_or(usize::MAX).max(1)
    }

    /// Takes the room of a text.
    pub(crate) fn take(&mut self, label: usize, text: &str) {
        self.bytes.0 = self.bytes.0.saturating_sub((label + text.len() + 1) as u64);
        self.tokens = self.tokens.map(|tokens| tokens.saturating_sub(cost(text)));
    }

    /// Takes the room of a line.
    pub(crate) fn take_line(&mut self) {
        self.lines.0 = self.lines.0.saturating_sub(1);
    }
}

/// What a row costs in tokens: its text, its number and its end.
fn cost(text: &str) -> u64 {
    estimate_tokens(text) + 2
}
