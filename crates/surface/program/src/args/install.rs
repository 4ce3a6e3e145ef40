//! The arguments of `install` and `uninstall`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::ServerArguments;
use crate::install;

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// The client
    #[arg(value_name = "CLIENT", value_parser = PossibleValuesParser::new(install::names()))]
    pub(crate) client: String,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) extras: ExtraArguments,
    #[command(flatten)]
    pub(crate) trial: PrintArguments,
    /// The program that the client starts; this one unless given
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) command: Option<String>,
    /// How much of the web the server may fetch; for VS Code, listed unless given
    #[arg(long, value_name = "REACH", value_parser = ["public", "listed"])]
    pub(crate) web: Option<String>,
    /// Let the server remember under this name
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
}

/// Which entry of which file.
#[derive(Debug, Default, Args)]
pub(crate) struct PlaceArguments {
    /// Change the settings of the user: the default
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// Change the settings of the project in this directory
    #[arg(long)]
    pub(crate) project: bool,
    /// Change this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The name of the server; readstone unless given
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Further settings of the client.
#[derive(Debug, Args)]
pub(crate) struct ExtraArguments {
    /// Let the tools that only read run without a question
    #[arg(long)]
    pub(crate) approve: bool,
    /// Switch off the client's own tools for files
    #[arg(long)]
    pub(crate) prefer: bool,
}

/// Whether something is really done.
#[derive(Debug, Args)]
pub(crate) struct PrintArguments {
    /// Only print what to add, and where
    #[arg(long)]
    pub(crate) print: bool,
    /// Only show what would be changed
    #[arg(long, conflicts_with = "print")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArguments {
    /// The client
    #[arg(value_name = "CLIENT", value_parser = PossibleValuesParser::new(install::names()))]
    pub(crate) client: String,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    /// Only show what would be changed
    #[arg(long)]
    pub(crate) dry_run: bool,
}
