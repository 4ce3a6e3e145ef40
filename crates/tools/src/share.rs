//! Shares: how the targets of one call divide its room.

use readstone_base::{ReplySize, estimate_tokens};
use readstone_render::Told;
use readstone_view::Room;

use crate::call::Call;

/// What is left of a call's room, to be shared by the targets still to come.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    tool: &'static str,
    lines: Option<u64>,
    bytes: u64,
    tokens: Option<u64>,
    images: u64,
    /// The rest of the reply that the client takes.
    client: ReplySize,
    targets: u64,
    /// Whether each target without room can have a line of its own.
    accounts: bool,
    alone: bool,
}

/// The share of one target.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// The tool that was called.
    tool: &'static str,
    /// The room for its rows.
    pub(crate) room: Room,
    /// The tokens of its whole text.
    pub(crate) tokens: Option<u64>,
    /// The bytes of its pictures.
    pub(crate) images: u64,
    /// The size of its whole text, where the client bounds it.
    pub(crate) client: ReplySize,
    /// Whether the target is the only one of its call.
    pub(crate) alone: bool,
}

impl Share {
    /// The same share with so many tokens.
    pub(crate) fn with_tokens(&self, address: &str, tokens: u64) -> Self {
        let room = Room { tokens: Some(tokens.saturating_sub(frame_tokens(address)).max(1)), ..self.room };
        Self { room, tokens: Some(tokens), ..self.clone() }
    }

    /// The same share with another size of the text.
    pub(crate) fn with_client(&self, address: &str, client: ReplySize) -> Self {
        let room = Room { client: client.minus(frame(address)), ..self.room };
        Self { room, client, ..self.clone() }
    }

    /// By how much a page exceeds the share; `None` when it fits.
    pub(crate) fn excess(&self, told: &Told) -> Option<Excess> {
        let tokens = self.tokens.map_or(0, |most| told.target.tokens_shown.saturating_sub(most));
        let size = size_of(told, self.tool, self.client);
        let over = |size: u64, limit: u64| size.saturating_sub(limit);
        let client = ReplySize {
            bytes: over(size.bytes, self.client.bytes),
            rows: over(size.rows, self.client.rows),
            json: over(size.json, self.client.json),
        };
        let fits = tokens == 0 && client == NOTHING;
        (!fits).then_some(Excess { tokens, client })
    }
}

/// By how much a page exceeds its share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excess {
    /// Tokens.
    pub(crate) tokens: u64,
    /// The size that the client measures.
    client: ReplySize,
}

impl Excess {
    /// The room in which the page is made once more. A shorter page can need a longer last line, so that each further
    /// try gives up more than the excess.
    pub(crate) fn less(&self, client: ReplySize, tries: u64) -> ReplySize {
        let less = |room: u64, excess: u64, slack: u64| match excess {
            0 => room,
            _ if tries < 3 => room.saturating_sub(excess.saturating_add(slack * (tries + 1))).max(1),
            _ => (room / 2).max(1),
        };
        ReplySize {
            bytes: less(client.bytes, self.client.bytes, 64),
            rows: less(client.rows, self.client.rows, 1),
            json: less(client.json, self.client.json, 80),
        }
    }
}

const NOTHING: ReplySize = ReplySize { bytes: 0, rows: 0, json: 0 };

/// The size of a target's text, with the second block of a verbatim page.
pub(crate) fn size_of(told: &Told, tool: &str, limit: ReplySize) -> ReplySize {
    if !limit.is_bounded() {
        return NOTHING;
    }
    let size = ReplySize::of_block(told.part.text(), limit);
    match readstone_render::beside(tool, &told.part, &told.target) {
        Some(line) => size.plus(ReplySize::of_block(&line, limit)),
        None => size,
    }
}

/// The size of a header and of a last line, about.
fn frame(address: &str) -> ReplySize {
    let names = 3 * address.len() as u64;
    ReplySize { bytes: 240 + names, rows: 3, json: 320 + names }
}

/// The size in which most pages can show something.
fn least(address: &str) -> ReplySize {
    frame(address).plus(ReplySize { bytes: 800, rows: 12, json: 900 })
}

/// The size of the line that accounts for a target without room.
fn account(address: &str) -> ReplySize {
    let names = 2 * address.len() as u64;
    ReplySize { bytes: 120 + names, rows: 2, json: 200 + names }
}

/// The room that a call itself asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// Lines of each page.
    pub(crate) lines: Option<u64>,
    /// Tokens of the reply.
    pub(crate) tokens: Option<u64>,
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
    /// The whole room of a call that reads these addresses.
    pub(crate) fn new(call: &Call<'_>, tool: &'static str, asked: Asked, addresses: &[String]) -> Self {
        let Asked { lines, tokens } = asked;
        let (bytes, images) = (call.limits.reply_bytes, call.limits.reply_images.min(call.client.picture_bytes));
        let alone = addresses.len() == 1;
        let client = if alone { call.client.reply } else { call.client.wide() };
        // One line at the end counts the targets that have no room, so its room is reserved.
        let longest = addresses.iter().max_by_key(|address| address.len()).map_or("", String::as_str);
        let last = if alone { NOTHING } else { account(longest) };
        let client = client.minus(ReplySize::EMPTY.plus(last));
        let others = addresses.iter().skip(1).fold(NOTHING, |sum, address| sum.plus(account(address)));
        let accounts = least(longest).exceeds(client.minus(others)).is_none();
        Self { tool, lines, bytes, tokens, images, client, targets: addresses.len() as u64, accounts, alone }
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
        let client = self.client_share(address)?;
        let room = Room { lines: self.lines, bytes, tokens: tokens.map(|tokens| tokens.max(1)), ..Room::default() };
        let share = Share { tool: self.tool, room, tokens: share, images: self.images, client, alone: self.alone };
        Ok(share.with_client(address, client))
    }

    /// What the next target gets of the client's room. Where fair shares would show nothing at all, the first targets
    /// get enough to show something and the last only a line that accounts for them: one for each, or one for all
    /// where these lines would have no room.
    fn client_share(&self, address: &str) -> Result<ReplySize, &'static str> {
        if self.alone || !self.client.is_bounded() {
            return Ok(self.client);
        }
        let others = account(address).times(self.targets.saturating_sub(1));
        let most = if self.accounts { self.client.minus(others) } else { self.client };
        let share = self.client.divided(self.targets).or_more(least(address).or_less(most));
        match frame(address).exceeds(share) {
            Some(limit) => Err(limit),
            None => Ok(share),
        }
    }

    /// The limit of the client that leaves no room for the text of a target.
    pub(crate) fn lack(&self, told: &Told) -> Option<&'static str> {
        size_of(told, self.tool, self.client).exceeds(self.client)
    }

    /// Takes away what a target used.
    pub(crate) fn spend(&mut self, told: &Told) {
        self.targets = self.targets.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(told.part.text().len() as u64);
        self.tokens = self.tokens.map(|tokens| tokens.saturating_sub(told.target.tokens_shown));
        let images: usize = told.images.iter().map(|image| image.bytes.len()).sum();
        self.images = self.images.saturating_sub(images as u64);
        self.client = self.client.minus(size_of(told, self.tool, self.client));
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
