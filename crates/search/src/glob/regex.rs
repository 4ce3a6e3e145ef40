//! A glob as a regular expression, for those that are more than a beginning or an end.

use regex_automata::meta::{Config, Regex};

use super::problem::Problem;
use super::token::{Class, Token};

/// Bytes of memory that a compiled glob may take, and that its cache may grow to.
const MOST_BYTES: usize = 10 * 1024 * 1024;

/// Compiles tokens; the whole of a name or path must match.
pub(super) fn compile(tokens: &[Token]) -> Result<Regex, Problem> {
    let mut text = String::from(r"(?s)\A(?:");
    push_all(&mut text, tokens);
    text.push_str(r")\z");
    let config = Config::new().nfa_size_limit(Some(MOST_BYTES)).hybrid_cache_capacity(MOST_BYTES);
    // What can be written down is checked already; only its size can be wrong.
    Regex::builder().configure(config).build(&text).map_err(|_| Problem::TooLarge)
}

fn push_all(text: &mut String, tokens: &[Token]) {
    for token in tokens {
        match token {
            Token::Literal(sign) => push_sign(text, *sign),
            Token::One => text.push_str("[^/]"),
            Token::Many => text.push_str("[^/]*"),
            Token::Deep => text.push_str("(?:.*/)?"),
            Token::Rest => text.push_str(".+"),
            Token::Class(class) => push_class(text, class),
            Token::Either(all) => {
                for (at, tokens) in all.iter().enumerate() {
                    text.push_str(if at == 0 { "(?:" } else { "|" });
                    push_all(text, tokens);
                }
                text.push(')');
            }
        }
    }
}

/// A class never takes a slash, whatever it says.
fn push_class(text: &mut String, class: &Class) {
    text.push_str(if class.negated { "[^/" } else { "[[" });
    for (from, to) in &class.ranges {
        push_sign(text, *from);
        text.push('-');
        push_sign(text, *to);
    }
    for name in &class.named {
        text.push_str("[:");
        text.push_str(name);
        text.push_str(":]");
    }
    text.push_str(if class.negated { "]" } else { "]&&[^/]]" });
}

fn push_sign(text: &mut String, sign: char) {
    if regex_syntax::is_meta_character(sign) {
        text.push('\\');
    }
    text.push(sign);
}
