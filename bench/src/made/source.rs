//! Source code: functions of a dozen to seventy lines in one file, the same in every run.

use std::fmt::Write as _;

/// Rust of at least so many bytes. Function N is called `step_N` and returns through `total_N`.
pub fn rust(bytes: usize) -> Result<String, std::fmt::Error> {
    rust_from(0, bytes)
}

/// The same, beginning with another function.
pub fn rust_from(first: usize, bytes: usize) -> Result<String, std::fmt::Error> {
    let mut text =
        String::from("//! Steps of a long way, each of its own kind.\n\nuse std::collections::BTreeMap;\n\n");
    let mut number = first;
    while text.len() < bytes {
        function(&mut text, number)?;
        number += 1;
    }
    text.push_str("// The end of the way.\n");
    Ok(text)
}

fn function(text: &mut String, number: usize) -> std::fmt::Result {
    let (low, high) = (number % 89, number % 997 + 90);
    writeln!(text, "/// Step {number}: takes what lies between {low} and {high} and adds it up.")?;
    writeln!(text, "pub fn step_{number}(values: &BTreeMap<u64, u64>, weight: u64) -> Option<u64> {{")?;
    writeln!(text, "    let mut total_{number} = 0_u64;")?;
    writeln!(text, "    for (key, value) in values.range({low}..{high}) {{")?;
    writeln!(text, "        if key % {} == 0 {{", number % 7 + 2)?;
    writeln!(text, "            continue;")?;
    writeln!(text, "        }}")?;
    writeln!(text, "        total_{number} = total_{number}.checked_add(value.checked_mul(weight)?)?;")?;
    for more in 0..number * 13 % 29 {
        writeln!(text, "        // What is shared with step {}.", number + more)?;
        writeln!(text, "        total_{number} ^= value.rotate_left({more}) & 0x{:04x};", number * 31 + more * 7)?;
    }
    writeln!(text, "    }}")?;
    writeln!(text, "    Some(total_{number} + {number})")?;
    writeln!(text, "}}\n")
}
