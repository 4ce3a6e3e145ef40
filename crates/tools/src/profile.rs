//! Profiles: which tools a caller is shown.

use crate::call::Effect;
use crate::edit::Edit;
use crate::find::Find;
use crate::read::Read;
use crate::read_lines::{BoundedRead, ReadLines};
use crate::read_windows::ReadWindows;
use crate::search::Search;
use crate::toolbox::ToolInfo;
use crate::undo::Undo;
use crate::write::Write;

/// A set of tools. The default one is Readstone's own; the others hold exactly the contract that their callers
/// already speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// `read` and the tools beside it.
    Default,
    /// `read_file(path, offset, limit)`, answered in JSON.
    Lines,
    /// `read_file(path, start_line, end_line, start_byte, max_bytes)`.
    Windows,
}

/// The bounded line read of the line endpoint.
pub const LINE_READ: ToolInfo = ToolInfo::of::<BoundedRead>();

/// What the profiles that only read files call their tool.
pub const FILE_READ: &str = "read_file";

/// `read`, which also answers for resources.
pub const READ: ToolInfo = ToolInfo::of::<Read>();

const DEFAULT: &[ToolInfo] = &[
    READ,
    ToolInfo::of::<Find>(),
    ToolInfo::of::<Search>(),
    ToolInfo::of::<Edit>(),
    ToolInfo::of::<Write>(),
    ToolInfo::of::<Undo>(),
];
const LINES: &[ToolInfo] = &[ToolInfo::of::<ReadLines>()];
const WINDOWS: &[ToolInfo] = &[ToolInfo::of::<ReadWindows>()];

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Default, Self::Lines, Self::Windows];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Lines => "lines",
            Self::Windows => "windows",
        }
    }

    /// The profile called so.
    pub fn called(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Its tools.
    pub const fn tools(self) -> &'static [ToolInfo] {
        match self {
            Self::Default => DEFAULT,
            Self::Lines => LINES,
            Self::Windows => WINDOWS,
        }
    }

    /// The tools of this profile that are picked, or all when none is; `most` is what they may do to the world.
    pub fn pick(self, picked: &[String], most: Effect) -> Result<Vec<ToolInfo>, String> {
        let offered = self.tools();
        let unknown = picked.iter().find(|name| offered.iter().all(|tool| tool.name != name.as_str()));
        if let Some(name) = unknown {
            let names: Vec<&str> = offered.iter().map(|tool| tool.name).collect();
            return Err(format!("the profile {} has no tool {name}; it has {}", self.name(), names.join(", ")));
        }
        let wanted = |tool: &&ToolInfo| picked.is_empty() || picked.iter().any(|name| name == tool.name);
        let allowed = |tool: &&ToolInfo| tool.effect == Effect::Reads || most == Effect::Writes;
        Ok(offered.iter().filter(wanted).filter(allowed).copied().collect())
    }
}
