//! Bits that bring a decoder to any bit within a byte without making output.
//!
//! A block begins at any bit, and one that is stored goes on at the next whole byte, so the bytes of a stream cannot
//! just be shifted. Instead blocks that hold nothing are put before it: one kind takes 10 bits, the other 91, and some
//! of them together end at whatever bit is wanted.

/// Bits in the order in which a decoder takes them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn push(&mut self, value: u32, width: usize) {
        for place in 0..width {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut().filter(|_| value >> place & 1 == 1) {
                *last |= 1 << (self.count % 8);
            }
            self.count += 1;
        }
    }

    /// A block in the fixed code that ends at once.
    fn push_fixed(&mut self) {
        self.push(0b010, 3);
        self.push(0, 7);
    }

    /// A block with a code of its own that ends at once.
    fn push_dynamic(&mut self) {
        const LENGTHS: usize = 18;
        self.push(0b100, 3);
        // 257 literals and lengths, 2 distances, 18 lengths of the code in which their lengths are written.
        self.push(0, 5);
        self.push(1, 5);
        self.push(14, 4);
        // That code has two words of one bit: 0 for a length of one, 1 for a run of zeros.
        for place in 0..LENGTHS {
            self.push(u32::from(matches!(place, 2 | 17)), 3);
        }
        for zeros in [138, 118] {
            self.push(1, 1);
            self.push(zeros - 11, 7);
        }
        // The end and both distances have a word of one bit; the word of the end follows.
        self.push(0, 4);
    }
}

/// Whole bytes, and the lowest bits of the byte behind them, after which a decoder stands at bit `skip` of that byte.
pub(super) fn lead(skip: u8) -> (Vec<u8>, u8) {
    let mut bits = Bits::default();
    if skip % 2 == 1 {
        bits.push_dynamic();
    }
    while bits.count % 8 != usize::from(skip % 8) {
        bits.push_fixed();
    }
    let low = if skip.is_multiple_of(8) { None } else { bits.bytes.pop() };
    (bits.bytes, low.unwrap_or(0))
}
