//! What the world can refuse.

use std::fmt;
use std::io;

use readstone_base::{Class, Failure, Next, Quoted, plain_words};

/// A refusal of the file system or of the policy.
#[derive(Debug)]
pub enum Error {
    /// The path leads out of the roots, or would if it existed.
    OutsideRoot {
        /// The path.
        path: String,
    },
    /// No file can have this path.
    BadPath {
        /// The path.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// Nothing has this path.
    NotFound {
        /// The path.
        path: String,
        /// Why, beyond the plain fact.
        why: &'static str,
    },
    /// A symbolic link whose target does not exist.
    Dangling {
        /// The path.
        path: String,
        /// Where it points.
        target: String,
    },
    /// It is neither a file nor a directory.
    NotRegular {
        /// The path.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// A rule for secrets forbids it.
    DeniedSecret {
        /// The path.
        path: String,
        /// The rule.
        rule: String,
    },
    /// Standard input is not to be had here, or not again.
    NoStdin {
        /// Why.
        why: &'static str,
    },
    /// Reading would wait for something that may never come.
    WouldBlock {
        /// The path.
        path: String,
    },
    /// The time of the call ended.
    TimedOut {
        /// The path.
        path: String,
    },
    /// The process or the system has too many files open.
    Busy {
        /// The path.
        path: String,
    },
    /// The system refused.
    Io {
        /// The path.
        path: String,
        /// What it said.
        cause: io::Error,
    },
}

impl Error {
    /// Sorts an error of the system by what the caller can do about it.
    pub fn from_io(path: &str, cause: io::Error) -> Self {
        use rustix::io::Errno;
        let path = path.to_owned();
        if cause.kind() == io::ErrorKind::TimedOut {
            return Self::TimedOut { path };
        }
        match Errno::from_io_error(&cause) {
            Some(Errno::NOENT | Errno::NOTDIR) => Self::NotFound { path, why: "" },
            Some(Errno::LOOP) => Self::NotFound { path, why: "its symbolic links form a loop" },
            Some(Errno::XDEV) => Self::OutsideRoot { path },
            Some(Errno::NAMETOOLONG) => Self::BadPath { path, why: "it is longer than a path can be" },
            Some(Errno::AGAIN) => Self::WouldBlock { path },
            Some(Errno::NXIO | Errno::NODEV) => Self::NotRegular { path, what: "a socket or a device" },
            Some(Errno::MFILE | Errno::NFILE) => Self::Busy { path },
            Some(_) | None => Self::Io { path, cause },
        }
    }

    /// Whether nothing has this path.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::NotFound { .. } | Self::Dangling { .. } | Self::BadPath { .. })
    }

    /// Whether the path leads out of the roots.
    pub fn is_outside(&self) -> bool {
        matches!(self, Self::OutsideRoot { .. })
    }

    /// Whether the path is a link that leads nowhere.
    pub fn is_broken_link(&self) -> bool {
        let looping = matches!(self, Self::NotFound { why, .. } if !why.is_empty());
        looping || matches!(self, Self::Dangling { .. })
    }

    /// The same refusal of a path as the caller spelled it.
    #[must_use]
    pub fn named(mut self, spelled: &str) -> Self {
        match &mut self {
            Self::OutsideRoot { path }
            | Self::BadPath { path, .. }
            | Self::NotFound { path, .. }
            | Self::Dangling { path, .. }
            | Self::NotRegular { path, .. }
            | Self::DeniedSecret { path, .. }
            | Self::WouldBlock { path }
            | Self::TimedOut { path }
            | Self::Busy { path }
            | Self::Io { path, .. } => spelled.clone_into(path),
            Self::NoStdin { .. } => {}
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideRoot { path } => write!(f, "{} is outside the root", Quoted(path)),
            Self::BadPath { path, why } => write!(f, "{} cannot be a path: {why}", Quoted(path)),
            Self::NotFound { path, why: "" } => write!(f, "{} does not exist", Quoted(path)),
            Self::NotFound { path, why } => write!(f, "{} leads nowhere: {why}", Quoted(path)),
            Self::Dangling { path, target } => {
                write!(f, "{} is a symbolic link to {}, which does not exist", Quoted(path), Quoted(target))
            }
            Self::NotRegular { path, what } => {
                write!(f, "{} is {what}; only regular files and directories are read", Quoted(path))
            }
            Self::DeniedSecret { path, rule } => {
                write!(f, "{} is withheld by the rule {rule}", Quoted(path))
            }
            Self::NoStdin { why } => write!(f, "standard input cannot be read: {why}"),
            Self::WouldBlock { path } => write!(f, "{} has nothing to read and may never have", Quoted(path)),
            Self::TimedOut { path } => write!(f, "the time of the call ended while {} was read", Quoted(path)),
            Self::Busy { path } => write!(f, "{} cannot be opened now: too many files are open", Quoted(path)),
            Self::Io { path, cause } => write!(f, "{} cannot be read: {}", Quoted(path), plain_words(cause)),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Io { cause, .. } = self { Some(cause) } else { None }
    }
}

impl Failure for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::OutsideRoot { .. } => "host.outside_root",
            Self::BadPath { .. } => "host.bad_path",
            Self::NotFound { .. } | Self::Dangling { .. } => "host.not_found",
            Self::NotRegular { .. } => "host.not_regular",
            Self::DeniedSecret { .. } => "host.denied_secret",
            Self::NoStdin { .. } => "host.no_stdin",
            Self::WouldBlock { .. } | Self::TimedOut { .. } => "host.timeout",
            Self::Busy { .. } => "host.busy",
            Self::Io { .. } => "host.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::BadPath { .. } | Self::NoStdin { .. } => Class::Request,
            Self::NotFound { .. } | Self::Dangling { .. } => Class::Missing,
            Self::OutsideRoot { .. } | Self::DeniedSecret { .. } | Self::NotRegular { .. } => Class::Denied,
            Self::WouldBlock { .. } | Self::TimedOut { .. } => Class::Stopped,
            Self::Busy { .. } => Class::Outside,
            Self::Io { cause, .. } if cause.kind() == io::ErrorKind::PermissionDenied => Class::Denied,
            Self::Io { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        // A bare slash is the root itself, which can always be listed.
        let outside = matches!(self, Self::OutsideRoot { .. });
        outside.then(|| Next::read("/")).into_iter().collect()
    }
}
