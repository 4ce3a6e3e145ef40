//! Shares: how the targets of one call divide its room.

use readstone_base::{Limits, estimate_tokens};
use readstone_render::Told;
use readstone_view::Room;

/// What is left of a call's room, to be shared by the targets still to come.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    lines: Option<u64>,
    bytes: u64,
    tokens: Option<u64>,
    images: u64,
    targets: u64,
    alone: bool,
}

/// The share of one target.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// The room for its rows.
    pub(crate) room: Room,
    /// The tokens of its whole text.
    pub(crate) tokens: Option<u64>,
    /// The bytes of its pictures.
    pub(crate) images: u64,
    /// Whether the target is the only one of its call.
    pub(crate) alone: bool,
}

impl Share {
    /// The same share with so many tokens.
    pub(crate) fn with_tokens(&self, address: &str, tokens: u64) -> Self {
        let room = Room { tokens: Some(tokens.saturating_sub(frame_tokens(address)).max(1)), ..self.room };
        Self { room, tokens: Some(tokens), ..self.clone() }
    }
}

/// Tokens of a header and a coverage line, without the path in them.
const FRAME_TOKENS: u64 = 36;
/// Tokens of the line that accounts for a target without room, without the path in it.
const ACCOUNT_TOKENS: u64 = 24;
/// Tokens worth showing.
const LEAST_TOKENS: u64 = 24;
/// Bytes below which a share is too small to show anything.
const FEWEST_BYTES: u64 = 256;

impl Shares {
    /// The whole room, for so many targets.
    pub(crate) fn new(limits: &Limits, lines: Option<u64>, tokens: Option<u64>, targets: usize) -> Self {
        let (bytes, images) = (limits.reply_bytes, limits.reply_images);
        Self { lines, bytes, tokens, images, targets: targets as u64, alone: targets == 1 }
    }

    /// The next target's fair share, or the limit that leaves nothing for it.
    pub(crate) fn next(&self, address: &str) -> Result<Share, &'static str> {
        let left = self.targets.max(1);
        let bytes = (!self.alone).then(|| self.bytes / left);
        let share = self.tokens.map(|tokens| share_of(tokens, left, address));
        let tokens = share.map(|share| share.saturating_sub(frame_tokens(address)));
        if bytes.is_some_and(|bytes| bytes < FEWEST_BYTES) {
            return Err("reply_bytes");
        }
        // A lone target is tried with whatever there is: when nothing fits, it is told how much would be enough.
        if tokens == Some(0) && !self.alone {
            return Err("max_tokens");
        }
        let room = Room { lines: self.lines, bytes, tokens: tokens.map(|tokens| tokens.max(1)) };
        Ok(Share { room, tokens: share, images: self.images, alone: self.alone })
    }

    /// Takes away what a target used.
    pub(crate) fn spend(&mut self, told: &Told) {
        self.targets = self.targets.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(told.part.text().len() as u64);
        self.tokens = self.tokens.map(|tokens| tokens.saturating_sub(told.target.tokens_shown));
        let images: usize = told.images.iter().map(|image| image.bytes.len()).sum();
        self.images = self.images.saturating_sub(images as u64);
    }
}

/// The tokens of the next target. Where fair shares would show nothing at all, the first targets get enough to show
/// something and the last only a line that accounts for them.
fn share_of(tokens: u64, left: u64, address: &str) -> u64 {
    let reserved = (left - 1) * (ACCOUNT_TOKENS + 2 * estimate_tokens(address));
    let most = tokens.saturating_sub(reserved);
    (tokens / left).max(least_tokens(address).min(most))
}

/// What a header and a coverage line cost, about.
fn frame_tokens(address: &str) -> u64 {
    FRAME_TOKENS + 3 * estimate_tokens(address)
}

/// Tokens in which most pages can show something.
pub(crate) fn least_tokens(address: &str) -> u64 {
    frame_tokens(address) + LEAST_TOKENS
}

/// The fewest tokens in which so many targets can at least be accounted for; a lone one needs what its page needs.
pub(crate) fn fewest_tokens(addresses: &[String]) -> u64 {
    if addresses.len() < 2 {
        return 0;
    }
    let account = |address: &String| ACCOUNT_TOKENS + 2 * estimate_tokens(address);
    let longest = addresses.iter().map(|address| estimate_tokens(address)).max().unwrap_or(0);
    addresses.iter().skip(1).map(account).sum::<u64>() + FRAME_TOKENS + 3 * longest
}
