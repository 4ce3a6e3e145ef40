//! A page of Rust with one of each thing that can be declared.

use std::collections::HashMap;
use std::fmt;

/// How many there may be.
pub const MOST: usize = 12;

/// A table of words.
const WORDS: &[&str] = &[
    "one",
    "two",
];

static COUNT: u64 = 0;

/// A result of this page.
///
/// It is only a shorthand.
pub type Told<T> = Result<T, fmt::Error>;

/// A shelf with boxes.
#[derive(Clone, Debug)]
pub struct Shelf<T> {
    boxes: HashMap<String, T>,
    /// How many were taken.
    taken: usize,
}

pub struct Point(i32, i32);

struct Unit;

/// Sides.
pub enum Side {
    Left,
    Right { far: bool },
}

pub union Bits {
    whole: u32,
    parts: [u8; 4],
}

/// Something that can be told.
pub trait Tell {
    type Word;
    const LOUD: bool = false;

    /// Tells it.
    fn tell(&self) -> Self::Word;

    fn twice(&self) -> (Self::Word, Self::Word) {
        let first = self.tell();
        (first, self.tell())
    }
}

impl<T: Clone> Shelf<T> {
    /// A shelf without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self { boxes: HashMap::new(), taken: 0 }
    }

    pub fn take(&mut self, name: &str) -> Option<T>
    where
        T: Default,
    {
        if self.boxes.contains_key(name) {
            self.taken += 1;
        } else if name.is_empty() {
            return Some(T::default());
        }
        match self.taken {
            0 => None,
            _ => {
                let found = self.boxes.get(name);
                found.cloned()
            }
        }
    }

    fn len(&self) -> usize { self.boxes.len() }
}

impl<T> fmt::Display for Shelf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn inner(count: usize) -> usize {
            count + 1
        }
        write!(f, "{}", inner(self.boxes.len()))
    }
}

unsafe extern "C" {
    fn abs(number: i32) -> i32;
}

/// Makes a word.
#[macro_export]
macro_rules! word {
    ($text:expr) => {
        $text
    };
}

// A plain comment right above belongs to the function too.
pub async fn run(
    shelf: &mut Shelf<u8>,
    names: &[&str],
) -> Option<u8> {
    for name in names {
        while let Some(found) = shelf.take(name) {
            return Some(found);
        }
    }
    loop {
        break None;
    }
}

mod inner {
    pub(super) fn hidden() {}

    pub mod deep {
        pub struct Low;

        impl Low {
            pub fn down(&self) -> u8 {
                3
            }
        }
    }
}

mod elsewhere;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_shelf_is_empty() {
        let shelf: Shelf<u8> = Shelf::new();
        assert_eq!(shelf.len(), 0);
    }
}
