//! Tokens: who may call.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// The tokens that open the server; none at all leaves it open to whoever can reach it.
#[derive(Clone, Default)]
pub struct Tokens {
    known: Vec<Token>,
}

#[derive(Clone)]
struct Token {
    digest: blake3::Hash,
    name: String,
    short: bool,
}

/// Tokens that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// There is none.
    None,
    /// One has characters that a header cannot carry.
    Unprintable,
}

/// A token with fewer characters can be guessed.
const SAFE_CHARS: usize = 16;

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("there is no token in it"),
            Self::Unprintable => f.write_str("a token may have letters, digits and signs of ASCII only, no spaces"),
        }
    }
}

impl std::error::Error for TokenError {}

/// Tokens are never shown.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens", self.known.len())
    }
}

impl Tokens {
    /// Tokens from a text: one on each line; empty lines and those that begin with `#` are passed over.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let known: Vec<Token> = lines.map(token).collect::<Result<_, _>>()?;
        if known.is_empty() { Err(TokenError::None) } else { Ok(Self { known }) }
    }

    /// Whether anybody may call.
    pub fn is_open(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether one is so short that it can be guessed.
    pub fn are_weak(&self) -> bool {
        self.known.iter().any(|token| token.short)
    }

    /// Who shows this token. Digests are compared, each in the same time, so neither length nor content shows.
    pub(crate) fn holder(&self, shown: &[u8]) -> Option<&str> {
        let digest = blake3::hash(shown);
        let mut holder = None;
        for token in &self.known {
            if bool::from(token.digest.as_bytes().ct_eq(digest.as_bytes())) {
                holder = Some(token.name.as_str());
            }
        }
        holder
    }
}

fn token(text: &str) -> Result<Token, TokenError> {
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(TokenError::Unprintable);
    }
    let digest = blake3::hash(text.as_bytes());
    // A name that tells holders apart. A token that can be guessed could be tested against it; others could not.
    let name = digest.to_hex().chars().take(8).collect::<String>();
    Ok(Token { digest, name: format!("token-{name}"), short: text.len() < SAFE_CHARS })
}
