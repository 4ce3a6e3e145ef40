//! The room of a page: how many lines, bytes and tokens it may take.

use readstone_address::Selector;
use readstone_base::{Budget, CLIENT_BYTES, CLIENT_JSON, CLIENT_ROWS, Limits, ReplySize, estimate_tokens, json_bytes};

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
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Lines.
    pub lines: Option<u64>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Tokens, estimated.
    pub tokens: Option<u64>,
    /// The size that the client takes, without the header and the last line.
    pub client: ReplySize,
}

impl Default for Room {
    fn default() -> Self {
        Self { lines: None, bytes: None, tokens: None, client: ReplySize::UNBOUNDED }
    }
}

impl Room {
    /// The most bytes of a page, and the limit that says so: that of the page, of the call or of the client.
    pub fn page_bytes(&self, limits: &Limits) -> (u64, &'static str) {
        self.least_bytes((limits.page_bytes, "page_bytes"))
    }

    /// The most lines of a page, and the limit that says so.
    pub fn page_lines(&self, limits: &Limits) -> (u64, &'static str) {
        self.least_lines((limits.page_lines, "page_lines"))
    }

    pub(crate) fn least_bytes(&self, limit: (u64, &'static str)) -> (u64, &'static str) {
        let call = (self.bytes.unwrap_or(u64::MAX), "reply_bytes");
        least([limit, call, (self.client.bytes, CLIENT_BYTES)])
    }

    fn least_lines(&self, limit: (u64, &'static str)) -> (u64, &'static str) {
        let call = (self.lines.unwrap_or(u64::MAX), "max_lines");
        least([limit, call, (self.client.rows, CLIENT_ROWS)])
    }
}

/// The smallest of several limits; of equal ones the first.
fn least<const COUNT: usize>(limits: [(u64, &'static str); COUNT]) -> (u64, &'static str) {
    limits.into_iter().min_by_key(|(most, _)| *most).unwrap_or((u64::MAX, ""))
}

/// What is left of the room while a page is made.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    lines: (u64, &'static str),
    bytes: (u64, &'static str),
    /// Bytes of the rows as JSON, where the client counts these.
    json: Option<u64>,
    tokens: Option<u64>,
}

impl Left {
    /// Room for so many lines and bytes, each with the name of its limit, within what the call allows.
    pub(crate) fn new(lines: (u64, &'static str), bytes: (u64, &'static str), room: Room) -> Self {
        let json = Some(room.client.json).filter(|json| *json < u64::MAX);
        Self { lines: room.least_lines(lines), bytes: room.least_bytes(bytes), json, tokens: room.tokens }
    }

    /// Whether neither the call nor its client bounds lines, JSON and tokens.
    pub(crate) fn is_open(&self) -> bool {
        self.lines.0 == u64::MAX && self.json.is_none() && self.tokens.is_none()
    }

    /// How many lines are left, and the limit that says so.
    pub(crate) fn lines_left(&self) -> (u64, &'static str) {
        self.lines
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
        // Most calls count bytes alone, and this runs for every row.
        if self.json.is_none() && self.tokens.is_none() { Ok(()) } else { self.fits_measured(label, text) }
    }

    #[cold]
    fn fits_measured(&self, label: usize, text: &str) -> Result<(), &'static str> {
        if self.json.is_some_and(|json| label as u64 + json_cost(text) > json) {
            return Err(CLIENT_JSON);
        }
        match self.tokens {
            Some(tokens) if cost(text) > tokens => Err("max_tokens"),
            Some(_) | None => Ok(()),
        }
    }

    /// How many bytes are left, and the limit that says so.
    pub(crate) fn byte_room(&self) -> (u64, &'static str) {
        self.bytes
    }

    /// How many characters of a text that does not fit could be shown at best.
    pub(crate) fn characters(&self) -> usize {
        let bytes = self.bytes.0.saturating_sub(24);
        let tokens = self.tokens.map_or(bytes, |tokens| tokens.saturating_sub(4).saturating_mul(4));
        // Escaped, a character may take twice its bytes.
        let json = self.json.map_or(bytes, |json| json.saturating_sub(24) / 2);
        usize::try_from(bytes.min(tokens).min(json)).unwrap_or(usize::MAX).max(1)
    }

    /// Takes the room of a text.
    pub(crate) fn take(&mut self, label: usize, text: &str) {
        self.bytes.0 = self.bytes.0.saturating_sub((label + text.len() + 1) as u64);
        if self.json.is_some() || self.tokens.is_some() {
            self.take_measured(label, text);
        }
    }

    #[cold]
    fn take_measured(&mut self, label: usize, text: &str) {
        self.json = self.json.map(|json| json.saturating_sub(label as u64 + json_cost(text)));
        self.tokens = self.tokens.map(|tokens| tokens.saturating_sub(cost(text)));
    }

    /// Takes the room of whole lines when there is enough for all of them; then there is enough for each. False when
    /// that must be seen line by line.
    pub(crate) fn take_run(&mut self, lines: u64, text: &str) -> bool {
        let bytes = text.len() as u64 + lines;
        // A line that is measured alone may take a token more.
        if self.tokens.is_some() || lines > self.lines.0 || bytes > self.bytes.0 {
            return false;
        }
        if let Some(json) = &mut self.json {
            let cost = json_bytes(text) + 2 * lines;
            if cost > *json {
                return false;
            }
            *json -= cost;
        }
        self.lines.0 -= lines;
        self.bytes.0 -= bytes;
        true
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

/// Bytes of a row in JSON, without its number: its text and its line ending.
fn json_cost(text: &str) -> u64 {
    json_bytes(text) + 2
}
