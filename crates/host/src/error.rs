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
    /// Its bytes would show credentials that are masked.
    Masked {
        /// The path.
        path: String,
        /// How many credentials it holds.
        count: u64,
    },
    /// A change would touch a line with a credential that is masked, or show one.
    MaskedLine {
        /// The path.
        path: String,
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
    /// It is no regular file, and nothing else is changed.
    NotAFile {
        /// The path.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// This process may not change it.
    ReadOnly {
        /// The path.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// There is no room for it.
    NoSpace {
        /// The path.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// Another process keeps it locked.
    Locked {
        /// The path.
        path: String,
    },
    /// It is not what it was when it was opened.
    Changed {
        /// The path.
        path: String,
    },
    /// A new version of it could not be given to its user or its group.
    Owner {
        /// The path.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A new version of it could not be given an attribute, or its permissions.
    Attribute {
        /// The path.
        path: String,
        /// The name of the attribute.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// What was taken out of its place could not be put back.
    NotPutBack {
        /// The path.
        path: String,
        /// The name under which it lies in the same directory.
        kept: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The time of the call ended before it was changed.
    TooLate {
        /// The path.
        path: String,
    },
    /// The system refused to change it.
    Write {
        /// The path.
        path: String,
        /// What it said.
        cause: io::Error,
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

    /// The same for what was to be changed.
    pub(crate) fn from_write(path: &str, cause: io::Error) -> Self {
        use rustix::io::Errno;
        let path = path.to_owned();
        if cause.kind() == io::ErrorKind::TimedOut {
            return Self::TooLate { path };
        }
        match Errno::from_io_error(&cause) {
            Some(Errno::ROFS) => Self::ReadOnly { path, why: "its file system is read-only" },
            Some(Errno::ACCESS | Errno::PERM) => Self::ReadOnly { path, why: "permission is missing" },
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Self::NoSpace { path, cause },
            Some(Errno::NAMETOOLONG) => Self::BadPath { path, why: "it is longer than a path can be" },
            Some(Errno::MFILE | Errno::NFILE) => Self::Busy { path },
            Some(Errno::NOENT) => Self::Changed { path },
            Some(_) | None => Self::Write { path, cause },
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
            | Self::Masked { path, .. }
            | Self::MaskedLine { path }
            | Self::WouldBlock { path }
            | Self::TimedOut { path }
            | Self::Busy { path }
            | Self::NotAFile { path, .. }
            | Self::ReadOnly { path, .. }
            | Self::NoSpace { path, .. }
            | Self::Locked { path }
            | Self::Changed { path }
            | Self::Owner { path, .. }
            | Self::Attribute { path, .. }
            | Self::NotPutBack { path, .. }
            | Self::TooLate { path }
            | Self::Write { path, .. }
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
                write!(f, "{} is withheld from every tool by the rule {rule}", Quoted(path))
            }
            Self::Masked { path, count } => {
                let credentials = if *count == 1 { "a credential, which is" } else { "credentials, which are" };
                write!(f, "{} holds {credentials} masked: only its lines are shown, not its bytes", Quoted(path))
            }
            Self::MaskedLine { path } => {
                let path = Quoted(path);
                write!(f, "the change of {path} would touch a line whose credential is masked, or uncover one")
            }
            Self::NoStdin { why } => write!(f, "standard input cannot be read: {why}"),
            Self::WouldBlock { path } => write!(f, "{} has nothing to read and may never have", Quoted(path)),
            Self::TimedOut { path } => write!(f, "the time of the call ended while {} was read", Quoted(path)),
            Self::Busy { path } => write!(f, "{} cannot be opened now: too many files are open", Quoted(path)),
            Self::Io { path, cause } => write!(f, "{} cannot be read: {}", Quoted(path), plain_words(cause)),
            Self::NotAFile { path, what } => write!(f, "{} is {what}; only regular files are changed", Quoted(path)),
            Self::ReadOnly { path, why } => write!(f, "{} cannot be changed: {why}", Quoted(path)),
            Self::NoSpace { path, cause } => write!(f, "there is no room for {}: {}", Quoted(path), plain_words(cause)),
            Self::Locked { path } => {
                write!(f, "{} is locked by another process, which did not end in time", Quoted(path))
            }
            Self::Changed { path } => write!(f, "{} was changed by somebody else meanwhile", Quoted(path)),
            Self::Owner { path, cause } => {
                write!(f, "{} would change its owner or its group: {}", Quoted(path), plain_words(cause))
            }
            Self::Attribute { path, name, cause } => {
                write!(f, "{} would lose its attribute {}: {}", Quoted(path), Quoted(name), plain_words(cause))
            }
            Self::NotPutBack { path, kept, cause } => {
                let cause = plain_words(cause);
                write!(f, "{} could not be put back: {cause}; it lies beside it as {}", Quoted(path), Quoted(kept))
            }
            Self::TooLate { path } => write!(f, "the time of the call ended before {} was changed", Quoted(path)),
            Self::Write { path, cause } => write!(f, "{} cannot be written: {}", Quoted(path), plain_words(cause)),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::NoSpace { cause, .. }
        | Self::Owner { cause, .. }
        | Self::Attribute { cause, .. }
        | Self::NotPutBack { cause, .. }
        | Self::Write { cause, .. }
        | Self::Io { cause, .. } = self
        {
            Some(cause)
        } else {
            None
        }
    }
}

impl Failure for Error {
    fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. } | Self::Dangling { .. })
    }

    fn code(&self) -> &'static str {
        match self {
            Self::OutsideRoot { .. } => "host.outside_root",
            Self::BadPath { .. } => "host.bad_path",
            Self::NotFound { .. } | Self::Dangling { .. } => "host.not_found",
            Self::NotRegular { .. } | Self::NotAFile { .. } => "host.not_regular",
            Self::DeniedSecret { .. } => "host.denied_secret",
            Self::Masked { .. } | Self::MaskedLine { .. } => "host.masked",
            Self::NoStdin { .. } => "host.no_stdin",
            Self::WouldBlock { .. } | Self::TimedOut { .. } | Self::TooLate { .. } => "host.timeout",
            Self::Busy { .. } => "host.busy",
            Self::ReadOnly { .. } => "host.read_only",
            Self::NoSpace { .. } => "host.no_space",
            Self::Locked { .. } => "host.locked",
            Self::Changed { .. } => "host.changed",
            Self::Owner { .. } => "host.owner",
            Self::Attribute { .. } => "host.attribute",
            Self::NotPutBack { .. } => "host.not_put_back",
            Self::Io { .. } | Self::Write { .. } => "host.io",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::BadPath { .. } | Self::NoStdin { .. } => Class::Request,
            Self::NotFound { .. } | Self::Dangling { .. } => Class::Missing,
            Self::OutsideRoot { .. }
            | Self::DeniedSecret { .. }
            | Self::Masked { .. }
            | Self::MaskedLine { .. }
            | Self::NotRegular { .. }
            | Self::NotAFile { .. }
            | Self::ReadOnly { .. }
            | Self::Owner { .. }
            | Self::Attribute { .. } => Class::Denied,
            Self::WouldBlock { .. } | Self::TimedOut { .. } | Self::TooLate { .. } => Class::Stopped,
            Self::Busy { .. } | Self::Locked { .. } | Self::NoSpace { .. } => Class::Outside,
            Self::Changed { .. } => Class::Stale,
            Self::Io { cause, .. } if cause.kind() == io::ErrorKind::PermissionDenied => Class::Denied,
            Self::NotPutBack { .. } | Self::Write { .. } | Self::Io { .. } => Class::Broken,
        }
    }

    fn next(&self) -> Vec<Next> {
        if let Self::Changed { path } | Self::Masked { path, .. } | Self::MaskedLine { path } = self {
            return vec![Next::read(path.clone())];
        }
        // A bare slash is the root itself, which can always be listed.
        let outside = matches!(self, Self::OutsideRoot { .. });
        outside.then(|| Next::read("/")).into_iter().collect()
    }
}
