//! Shares: how the targets of one call divide its room.

use readstone_base::Limits;
use readstone_render::Told;
use readstone_view::Room;

/// What is left of a call's room, to be shared by the targets still to come.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    lines: Option<u64>,
    bytes: u64,
    tokens: Option<u64>,
    targets: u64,
    alone: bool,
}

/// Tokens of a header, a coverage line and an address or two.
const FRAME_TOKENS: u64 = 56;
/// Bytes below which a share is too small to show anything.
const FEWEST_BYTES: u64 = 256;

impl Shares {
    /// The whole room, for so many targets.
    pub(crate) fn new(limits: &Limits, lines: Option<u64>, tokens: Option<u64>, targets: usize) -> Self {
        Self { lines, bytes: limits.reply_bytes, tokens, targets: targets as u64, alone: targets == 1 }
    }

    /// The next target's fair share, or the limit that leaves nothing for it.
    pub(crate) fn next(&self) -> Result<Room, &'static str> {
        let left = self.targets.max(1);
        let bytes = (!self.alone).then(|| self.bytes / left);
        let tokens = self.tokens.map(|tokens| (tokens / left).saturating_sub(FRAME_TOKENS));
        if bytes.is_some_and(|bytes| bytes < FEWEST_BYTES) {
            return Err("reply_bytes");
        }
        if tokens == Some(0) {
            return Err("max_tokens");
        }
        Ok(Room { lines: self.lines, bytes, tokens })
    }

    /// Takes away what a target used.
    pub(crate) fn spend(&mut self, told: &Told) {
        self.targets = self.targets.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(told.part.text().len() as u64);
        self.tokens = self.tokens.map(|tokens| tokens.saturating_sub(told.target.tokens_shown));
    }
}
