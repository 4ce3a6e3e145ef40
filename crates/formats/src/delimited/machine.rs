//! Records and fields in text, found in one pass that can be left and taken up anywhere.
//!
//! `csv-core` finds the same, as `tests/delimited_oracle.rs` shows, but keeps its state to itself: it cannot go on inside
//! a quoted field from a mark, and after `a,"b` it ends like after `a,b`, where a reply must say that the quote is open.

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Before a record; line ends here belong to no record.
    Record,
    /// Before a field.
    Field,
    /// In a field, outside of quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// Behind a quote in quotes: it ends them, or the next doubles it.
    Quote,
}

/// Whether the machine goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// It goes on.
    On,
    /// It stops.
    Stop,
}

/// Takes what the machine finds.
pub(super) trait Sink {
    /// A part of the current field.
    fn text(&mut self, part: &[u8]) -> Go;

    /// The current field ended.
    fn field(&mut self) -> Go;

    /// The current record ended, with its last field.
    fn record(&mut self) -> Go;
}

/// Finds records and fields. A record ends with CR, LF or both; records without a character are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    /// What stands between fields.
    pub(super) delimiter: u8,
    /// Where it stands.
    pub(super) state: State,
    /// How many records ended.
    pub(super) records: u64,
}

const QUOTE: u8 = b'"';

impl Machine {
    /// A machine before the first record.
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Record, records: 0 }
    }

    /// Feeds a piece of text; gives how much of it was used before the sink stopped the machine.
    pub(super) fn feed(&mut self, piece: &[u8], sink: &mut impl Sink) -> (usize, Go) {
        let mut at = 0;
        while let Some((first, rest)) = piece.get(at..).and_then(|rest| Some((*rest.first()?, rest))) {
            let (used, go) = self.step(first, rest, sink);
            at += used;
            if go == Go::Stop {
                return (at, Go::Stop);
            }
        }
        (at, Go::On)
    }

    /// Goes on to where something else begins; gives how much was used.
    fn step(&mut self, first: u8, rest: &[u8], sink: &mut impl Sink) -> (usize, Go) {
        match self.state {
            State::Record if matches!(first, b'\r' | b'\n') => (1, Go::On),
            State::Record => self.turn(State::Field, 0),
            State::Field if first == QUOTE => self.turn(State::Quoted, 1),
            State::Plain => match memchr::memchr3(self.delimiter, b'\n', b'\r', rest) {
                Some(0) => (1, self.end_field(first, sink)),
                end => pass(rest, end, sink),
            },
            State::Quoted if first == QUOTE => self.turn(State::Quote, 1),
            State::Quoted => pass(rest, memchr::memchr(QUOTE, rest), sink),
            State::Quote if first == QUOTE => {
                self.state = State::Quoted;
                (1, sink.text(b"\""))
            }
            State::Field | State::Quote => self.turn(State::Plain, 0),
        }
    }

    fn turn(&mut self, state: State, used: usize) -> (usize, Go) {
        self.state = state;
        (used, Go::On)
    }

    /// Ends the record in which the text ends.
    pub(super) fn finish(&mut self, sink: &mut impl Sink) {
        if self.state != State::Record {
            sink.field();
            self.end_record(sink);
        }
    }

    fn end_field(&mut self, sign: u8, sink: &mut impl Sink) -> Go {
        self.state = State::Field;
        let field = sink.field();
        let record = if sign == self.delimiter { Go::On } else { self.end_record(sink) };
        if field == Go::Stop { field } else { record }
    }

    fn end_record(&mut self, sink: &mut impl Sink) -> Go {
        self.state = State::Record;
        self.records += 1;
        sink.record()
    }
}

/// Passes on what stands before `end`, or all.
fn pass(rest: &[u8], end: Option<usize>, sink: &mut impl Sink) -> (usize, Go) {
    let part = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
    (part.len(), sink.text(part))
}

/// Passes over records, until so many ended.
#[derive(Debug)]
pub(super) struct Count {
    /// How many are left.
    pub(super) left: u64,
}

impl Sink for Count {
    fn text(&mut self, _: &[u8]) -> Go {
        Go::On
    }

    fn field(&mut self) -> Go {
        Go::On
    }

    fn record(&mut self) -> Go {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { Go::Stop } else { Go::On }
    }
}
