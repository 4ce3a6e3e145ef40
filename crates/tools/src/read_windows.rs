//! `read_file` of the profile `windows`: lines, or a window of bytes rounded to lines.

use readstone_base::Reply;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::{Access, Call, Effect, Tool};
use crate::input::ReadInput;
use crate::profile::FILE_READ;
use crate::read;

/// The tool.
#[derive(Debug)]
pub(crate) struct ReadWindows;

/// What it takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowInput {
    /// The path of the file; behind a colon may stand a part of it, as in `next:`.
    pub(crate) path: String,
    /// The first line to show, from 1.
    #[serde(default)]
    pub(crate) start_line: Option<u64>,
    /// The last line to show.
    #[serde(default)]
    pub(crate) end_line: Option<u64>,
    /// The byte at which the window starts, from 0.
    #[serde(default)]
    pub(crate) start_byte: Option<u64>,
    /// The size of the window in bytes: 65536 unless given, 262144 at most.
    #[serde(default)]
    pub(crate) max_bytes: Option<u64>,
}

impl Tool for ReadWindows {
    const NAME: &'static str = FILE_READ;
    const TITLE: &'static str = "Read a file";
    const ABOUT: &'static str = "\
        Reads lines or a byte window of a file of any size, an archive entry, document or web page.\n\
        - With `start_line` or `end_line` it shows those lines; use them when you know their numbers.\n\
        - Otherwise, with `start_byte` or `max_bytes`, it shows a window of bytes rounded to whole lines. Ask for \
        large windows (`max_bytes` up to 262144) to read on.\n\
        - The reply names the bytes it shows and ends with `next: read_file PATH`; that path shows what follows, and \
        so does the byte after the last one as `start_byte`.\n\
        - Lines come as NUMBER:TEXT.";
    const EFFECT: Effect = Effect::Reads;
    const ACCESS: Access = Access::Remote;
    type Input = WindowInput;

    fn run(call: &Call<'_>, input: WindowInput) -> Reply {
        let WindowInput { path, start_line, end_line, start_byte, max_bytes } = input;
        let path = Some(path);
        let input =
            ReadInput { path, start_line, end_line, start_byte, max_bytes, exact: true, ..ReadInput::default() };
        read::answer(call, Self::NAME, &input)
    }
}
