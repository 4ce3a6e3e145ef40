//! What can be wrong with what is to be looked through.

use std::fmt;

use readstone_base::{Class, Failure, Next, Quoted, Words};

use crate::glob::Problem;

/// A call that cannot be answered because of what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// Nothing is named, or an entry is empty.
    Empty {
        /// What the caller is told.
        words: &'static str,
    },
    /// None of what is named exists.
    NotFound {
        /// What is named.
        paths: Vec<String>,
        /// What comes near.
        next: Vec<Next>,
    },
    /// The root of the file system.
    Root {
        /// The same below the root of the work, which `read` calls `/`.
        instead: Option<Next>,
    },
    /// Names below something that is no directory.
    NotADirectory {
        /// What it is.
        path: String,
    },
    /// A part of a file, where the whole is meant.
    Part {
        /// The address with the part.
        address: String,
        /// The file.
        path: String,
    },
    /// An address of the web, or something else that is nowhere on disk.
    NotAPath {
        /// The address.
        address: String,
    },
    /// A glob that is none.
    BadGlob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A glob with too many bytes.
    LongGlob {
        /// How many it has.
        bytes: u64,
        /// How many it may have.
        most: u64,
    },
    /// A glob in an address that has a scheme.
    InternalGlob {
        /// The address.
        address: String,
    },
    /// More entries than one call may have.
    TooMany {
        /// How many.
        count: u64,
        /// How many there may be.
        most: u64,
    },
    /// A number of paths to show that is none.
    BadLimit,
    /// A number of results to skip that is none.
    BadSkip,
    /// More results of a search to skip than are ever held.
    FarSkip {
        /// How many may be skipped.
        most: u64,
    },
}

/// At most this many missing paths are named in a message.
const MOST_NAMED: usize = 8;

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { words } => f.write_str(words),
            Self::NotFound { paths, .. } => {
                f.write_str("Path not found: ")?;
                for (at, path) in paths.iter().take(MOST_NAMED).enumerate() {
                    write!(f, "{}{}", if at == 0 { "" } else { ", " }, Words(path))?;
                }
                if paths.len() > MOST_NAMED { f.write_str(", …") } else { Ok(()) }
            }
            Self::Root { .. } => f.write_str("Searching from root directory '/' is not allowed"),
            Self::NotADirectory { path } => write!(f, "Path is not a directory: {}", Words(path)),
            Self::Part { address, path } => {
                write!(
                    f,
                    "{} is a part of {}; only whole files and directories are found",
                    Quoted(address),
                    Quoted(path)
                )
            }
            Self::NotAPath { address } => write!(f, "{} is no file or directory", Quoted(address)),
            Self::BadGlob { glob, problem: Problem::TooLarge } => {
                write!(f, "the glob {} stands for more than can be looked for (glob_bytes)", Quoted(glob))
            }
            Self::BadGlob { glob, problem } => write!(f, "the glob {} is wrong: {}", Quoted(glob), problem.words()),
            Self::LongGlob { bytes, most } => {
                write!(f, "a glob of {bytes} bytes is too long; the limit glob_bytes is {most}")
            }
            Self::InternalGlob { address } => {
                write!(f, "Glob patterns are not supported for internal URLs: {}", Words(address))
            }
            Self::TooMany { count, most } => {
                write!(f, "{count} paths in one call are too many; the limit targets is {most}")
            }
            Self::BadLimit => f.write_str("Limit must be a positive number"),
            Self::BadSkip => f.write_str("Skip must be a non-negative number"),
            Self::FarSkip { most } => {
                write!(f, "a search skips no more than {most} files; search in fewer paths, or for less")
            }
        }
    }
}

impl std::error::Error for FindError {}

impl Failure for FindError {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "find.empty_path",
            Self::NotFound { .. } => "find.not_found",
            Self::Root { .. } => "find.root",
            Self::NotADirectory { .. } => "find.not_a_directory",
            Self::Part { .. } => "find.part",
            Self::NotAPath { .. } => "find.not_a_path",
            Self::BadGlob { problem: Problem::TooLarge, .. } | Self::LongGlob { .. } => "find.glob_too_large",
            Self::BadGlob { .. } => "find.bad_glob",
            Self::InternalGlob { .. } => "find.internal_glob",
            Self::TooMany { .. } => "find.too_many",
            Self::BadLimit => "find.bad_limit",
            Self::BadSkip => "find.bad_skip",
            Self::FarSkip { .. } => "find.far_skip",
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::NotFound { .. } => Class::Missing,
            Self::BadGlob { problem: Problem::TooLarge, .. } | Self::LongGlob { .. } | Self::FarSkip { .. } => {
                Class::TooBig
            }
            Self::Empty { .. }
            | Self::Root { .. }
            | Self::NotADirectory { .. }
            | Self::Part { .. }
            | Self::NotAPath { .. }
            | Self::BadGlob { .. }
            | Self::InternalGlob { .. }
            | Self::TooMany { .. }
            | Self::BadLimit
            | Self::BadSkip => Class::Request,
        }
    }

    fn next(&self) -> Vec<Next> {
        match self {
            Self::NotFound { next, .. } => next.clone(),
            Self::Part { path, .. } => vec![Next { tool: "find", argument: path.clone() }],
            Self::Root { instead } => instead.iter().cloned().collect(),
            Self::NotADirectory { path } | Self::NotAPath { address: path } => vec![Next::read(path.clone())],
            Self::Empty { .. }
            | Self::BadGlob { .. }
            | Self::LongGlob { .. }
            | Self::InternalGlob { .. }
            | Self::TooMany { .. }
            | Self::BadLimit
            | Self::BadSkip
            | Self::FarSkip { .. } => Vec::new(),
        }
    }
}
