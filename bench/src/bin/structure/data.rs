//! Source files of 5,000 lines, made anew from a few constructs, beside real ones that are named on the command line.

use std::fmt::Write as _;

/// A file that is measured.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// One file for each language.
pub(crate) fn samples() -> Vec<Sample> {
    vec![
        Sample { name: "large.rs", text: rust() },
        Sample { name: "large.ts", text: typescript() },
        Sample { name: "large.py", text: python() },
    ]
}

/// About so many lines a file.
const LINES: usize = 5_000;

fn rust() -> String {
    let mut text = String::from("//! Shelves.\n\nuse std::collections::HashMap;\n\n");
    for number in 0..LINES / 25 {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "/// The shelf number {number}.\n#[derive(Clone, Debug)]\npub struct Shelf{number} {{\n    boxes: HashMap<String, u64>,\n    \
             taken: usize,\n}}\n\nimpl Shelf{number} {{\n    /// Takes a box.\n    pub fn take(&mut self, name: &str) -> Option<u64> {{\n        \
             let found = self.boxes.get(name).copied();\n        if let Some(value) = found {{\n            self.taken += \
             usize::from(value > {number});\n            return Some(value + self.boxes.len() as u64);\n        }}\n        None\n    }}\n\n    \
             fn total(&self) -> u64 {{\n        self.boxes.iter().filter(|(name, _)| !name.is_empty()).map(|(_, value)| \
             value * {number}).sum()\n    }}\n}}\n\n"
        );
    }
    text
}

fn typescript() -> String {
    let mut text = String::from("import { Box } from \"./box\";\n\n");
    for number in 0..LINES / 24 {
        let _ = write!(
            text,
            "/** The shelf number {number}. */\nexport interface Options{number} {{\n  name: string;\n  count?: number;\n}}\n\n\
             export class Shelf{number}<T extends Box> {{\n  private boxes = new Map<string, T>();\n\n  constructor(private readonly options: \
             Options{number}) {{}}\n\n  async take(name: string): Promise<T | undefined> {{\n    const found = this.boxes.get(name);\n    \
             if (found !== undefined && this.options.count) {{\n      await found.open({{ number: {number}, name }});\n      return found;\n    \
             }}\n    return undefined;\n  }}\n}}\n\nexport const shelf{number} = (name: string): string => {{\n  return `${{name}}-{number}`;\n}};\n\n"
        );
    }
    text
}

fn python() -> String {
    let mut text = String::from("\"\"\"Shelves.\"\"\"\n\nimport os\n\n\n");
    for number in 0..LINES / 20 {
        let _ = write!(
            text,
            "class Shelf{number}:\n    \"\"\"The shelf number {number}.\"\"\"\n\n    def __init__(self, boxes=None):\n        \
             self.boxes = dict(boxes or {{}})\n        self.taken = 0\n\n    @property\n    def total(self):\n        \
             return sum(value * {number} for value in self.boxes.values())\n\n    def take(self, name: str) -> int | None:\n        \
             found = self.boxes.get(name)\n        if found is not None and os.path.basename(name):\n            self.taken += 1\n            \
             return found + len(self.boxes)\n        return None\n\n\n"
        );
    }
    text
}
