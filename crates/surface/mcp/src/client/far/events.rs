//! Messages in what a server sends back: one, or a stream of events each of which holds one.

/// What has come so far of messages that are not too long.
#[derive(Debug)]
pub(super) struct Events {
    form: Form,
    most: usize,
    /// What is not yet a line, or all of it when it is one message.
    held: Vec<u8>,
    /// The data of the event that is not yet at its end.
    data: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Whole,
    Stream,
}

/// A message is longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Events {
    /// All of it is one message of so many bytes at most.
    pub(super) fn whole(most: usize) -> Self {
        Self { form: Form::Whole, most, held: Vec::new(), data: Vec::new() }
    }

    /// A stream of events of so many bytes at most each.
    pub(super) fn of_stream(most: usize) -> Self {
        Self { form: Form::Stream, ..Self::whole(most) }
    }

    /// Takes what came, and gives the messages that are complete now.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut messages = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.held.len() + self.data.len() + piece.len() > self.most {
                return Err(TooLong);
            }
            self.held.extend_from_slice(piece);
            if self.form == Form::Stream && piece.ends_with(b"\n") {
                messages.extend(self.end_line());
            }
        }
        Ok(messages)
    }

    /// What is left at the end.
    pub(super) fn rest(mut self) -> Vec<u8> {
        match self.form {
            Form::Whole => self.held,
            Form::Stream => {
                let last = self.end_line();
                last.unwrap_or(self.data)
            }
        }
    }

    /// An empty line ends an event; of the others only data matters.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.held);
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return Some(std::mem::take(&mut self.data)).filter(|data| !data.is_empty());
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            self.data.extend_from_slice(data);
            self.data.push(b'\n');
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(events: &mut Events, bytes: &[u8]) -> Vec<String> {
        let messages = events.add(bytes).unwrap();
        messages.into_iter().map(|message| String::from_utf8(message).unwrap().trim().to_owned()).collect()
    }

    #[test]
    fn events_are_found_however_they_are_cut() {
        let stream = b": hello\nid: 1\nevent: message\ndata: {\"a\":\ndata: 1}\n\nretry: 5\r\n\r\ndata:2\r\n\r\n";
        for size in 1..stream.len() {
            let mut events = Events::of_stream(100);
            let all: Vec<String> = stream.chunks(size).flat_map(|chunk| texts(&mut events, chunk)).collect();
            assert_eq!(all, ["{\"a\":\n 1}", "2"], "{size}");
        }
    }

    #[test]
    fn what_stands_at_the_end_without_an_empty_line_is_a_message_too() {
        let mut events = Events::of_stream(100);
        assert!(texts(&mut events, b"data: 7\n").is_empty());
        assert_eq!(events.rest().trim_ascii(), b"7");
        let mut whole = Events::whole(100);
        assert!(texts(&mut whole, b"{\n\n}").is_empty());
        assert_eq!(whole.rest(), b"{\n\n}");
    }

    #[test]
    fn one_event_is_bounded_and_many_are_not() {
        let mut events = Events::of_stream(20);
        assert_eq!(texts(&mut events, &b"data: 1\n\n".repeat(50)).len(), 50);
        assert_eq!(events.add(b"data: 12345678901234567890"), Err(TooLong));
        assert_eq!(Events::of_stream(20).add(&b"data: 1\n".repeat(9)), Err(TooLong));
        assert_eq!(Events::whole(20).add(&[b'x'; 21]), Err(TooLong));
    }
}
