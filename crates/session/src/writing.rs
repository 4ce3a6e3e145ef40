//! Settings of what is allowed to change files, and how.

use toml::Value;

/// How edits and writes are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// What becomes of an edit of lines that the session never showed.
    pub unseen: Guard,
    /// What becomes of a write over a file that says it was made by a program.
    pub generated: Guard,
    /// Whether a change is on the disk before it is reported.
    pub durability: Durability,
}

/// What becomes of something doubtful.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// It is refused.
    #[default]
    Refuse,
    /// It is done.
    Allow,
}

/// When a change is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// When it is on the disk.
    #[default]
    Disk,
    /// When the system has it, which may lose it with its power.
    System,
}

impl Guard {
    const fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Allow => "allow",
        }
    }

    fn called(name: &str, value: &Value) -> Result<Self, String> {
        let word = value.as_str().unwrap_or_default();
        let known = [Self::Refuse, Self::Allow].into_iter().find(|guard| guard.word() == word);
        known.ok_or_else(|| format!("{name} must be refuse or allow"))
    }
}

impl Writing {
    /// The names of these settings.
    const NAMES: [&'static str; 3] = ["edit_unseen", "write_generated", "durable"];

    /// A setting as it is written in the configuration file; none when it is none of these.
    pub(crate) fn value(self, name: &str) -> Option<String> {
        Some(match name {
            "edit_unseen" => format!("{:?}", self.unseen.word()),
            "write_generated" => format!("{:?}", self.generated.word()),
            "durable" => (self.durability == Durability::Disk).to_string(),
            _ => return None,
        })
    }

    /// Takes a value; gives it back when it is none of these.
    pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<Option<Value>, String> {
        match (name, &value) {
            ("edit_unseen", value) => self.unseen = Guard::called(name, value)?,
            ("write_generated", value) => self.generated = Guard::called(name, value)?,
            ("durable", Value::Boolean(true)) => self.durability = Durability::Disk,
            ("durable", Value::Boolean(false)) => self.durability = Durability::System,
            (name, _) if Self::NAMES.contains(&name) => return Err(format!("{name} must be true or false")),
            (_, _) => return Ok(Some(value)),
        }
        Ok(None)
    }
}
