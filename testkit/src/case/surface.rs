//! The surfaces of the program on which a call is made.

use std::path::{Path, PathBuf};

/// The variable that says where the program remembers things.
pub(super) const STATE: &str = "XDG_STATE_HOME";

/// A way to make a call beside the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    /// The command line, in words.
    Words,
    /// The command line, as JSON.
    Data,
    /// REST.
    Rest,
    /// MCP on standard input and output.
    Spoken,
    /// MCP over HTTP.
    Posted,
}

impl Surface {
    pub(super) const ALL: [Self; 5] = [Self::Words, Self::Data, Self::Rest, Self::Spoken, Self::Posted];

    /// Where what is remembered of calls on this surface is kept: each surface is told everything once.
    pub(super) fn state(self, home: &Path) -> PathBuf {
        let name = match self {
            Self::Words => "words",
            Self::Data => "data",
            Self::Rest => "rest",
            Self::Spoken => "spoken",
            Self::Posted => "posted",
        };
        home.join(".local").join(name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Words => "the command line",
            Self::Data => "the command line with --json",
            Self::Rest => "REST",
            Self::Spoken => "MCP on standard input and output",
            Self::Posted => "MCP over HTTP",
        }
    }
}
