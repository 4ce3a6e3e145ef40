//! The program `readstone`.

use std::process::ExitCode;

fn main() -> ExitCode {
    readstone::run(std::env::args_os())
}
