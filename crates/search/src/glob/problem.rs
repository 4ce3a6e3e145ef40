//! What can be wrong with a glob.

/// What can be wrong with a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `[` without `]`.
    UnclosedClass,
    /// `[z-a]`.
    Backwards,
    /// `[[:word:]]` with a word that names no class.
    UnknownClass,
    /// `{` without `}`.
    UnclosedBrace,
    /// `}` without `{`.
    Unopened,
    /// Too many braces one inside the other.
    Nested,
    /// A name `..` behind the first sign of a glob.
    Up,
    /// It stands for too much.
    TooLarge,
}

impl Problem {
    /// The problem in words that follow the glob.
    pub fn words(self) -> &'static str {
        match self {
            Self::UnclosedClass => "its '[' has no ']'; a bracket in a name is written [[]",
            Self::Backwards => "a range in brackets ends before it begins",
            Self::UnknownClass => "there is no class of characters called so; there is [:digit:], [:alpha:], [:alnum:]",
            Self::UnclosedBrace => "its '{' has no '}'; a brace in a name is written [{]",
            Self::Unopened => "its '}' has no '{'; a brace in a name is written [}]",
            Self::Nested => "its braces stand one inside the other too often",
            Self::Up => "behind a sign such as '*' it cannot go up with '..'",
            Self::TooLarge => "it stands for too much",
        }
    }
}
