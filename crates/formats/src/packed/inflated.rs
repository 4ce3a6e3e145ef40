//! A deflate or gzip stream as bytes that can be read at any offset.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Stamp};

use super::decoder::{CHUNK, Decoder, Frame};
use super::feed::Input;
use super::part::Origin;
use super::trail::Trail;
use super::trouble::at_hand;

/// The bytes inside a deflate or gzip stream.
#[derive(Debug)]
pub(crate) struct Inflated {
    origin: Origin,
    input: Input,
    frame: Frame,
    trail: Arc<Trail>,
    decoder: Mutex<Option<Decoder>>,
}

impl Inflated {
    pub(crate) fn new(origin: Origin, input: Input, frame: Frame, trail: Arc<Trail>) -> Self {
        Self { origin, input, frame, trail, decoder: Mutex::default() }
    }

    /// A decoder that stands so that `at` is at hand or comes next.
    fn place<'a>(&self, slot: &'a mut Option<Decoder>, at: u64) -> io::Result<&'a mut Decoder> {
        let hand = slot.as_ref().map(Decoder::at_hand);
        // Going on is cheaper than beginning again, unless a point lies well ahead of where the decoder stands.
        let fitting = hand.filter(|hand| hand.start <= at);
        let from = fitting.as_ref().map_or(0, |hand| hand.end.saturating_add(CHUNK as u64));
        if fitting.is_none() || from <= at {
            let point = self.trail.point(from, at, &self.input)?;
            if let Some(point) = point {
                *slot = Some(Decoder::resume(&self.input, self.frame, &point)?);
            } else if fitting.is_none() {
                *slot = None;
            }
        }
        match slot {
            Some(decoder) => Ok(decoder),
            None => Ok(slot.insert(Decoder::new(&self.input, self.frame)?)),
        }
    }
}

impl Blob for Inflated {
    fn len(&self) -> Option<u64> {
        match self.frame {
            Frame::Bare { size, .. } => Some(size),
            Frame::Gzip => self.trail.length(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut slot = self.decoder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        while let Some(room) = buffer.get_mut(done..).filter(|room| !room.is_empty()) {
            let at = offset + done as u64;
            if self.trail.length().is_some_and(|length| at >= length) {
                break;
            }
            let decoder = match self.place(&mut slot, at) {
                Ok(decoder) => decoder,
                Err(error) => return at_hand(done, error),
            };
            let copied = super::copy(decoder.bytes(at), room);
            done += copied;
            if copied > 0 {
                continue;
            }
            if decoder.ended() {
                break;
            }
            let filled = self.input.go_on().and_then(|()| decoder.fill(&self.trail));
            if let Err(error) = filled {
                return at_hand(done, error);
            }
        }
        Ok(done)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.origin.now(self.len())
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        self.origin.when_opened(self.len())
    }

    fn is_serial(&self) -> bool {
        true
    }
}
