//! The command line of `compare`.

use std::error::Error;
use std::path::PathBuf;

/// Percent by which a newer build may be over an older one when `--allow` is absent.
const ALLOWANCE: f64 = 5.0;

/// Parsed arguments, with absolute paths to what is read.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) program: PathBuf,
    /// Directory of the peers that `--install` fetched.
    pub(crate) peers: PathBuf,
    /// Directory that keeps the data for the next run.
    pub(crate) place: Option<PathBuf>,
    /// Directory of `RESULTS.md` and `growth.svg`.
    pub(crate) write: Option<PathBuf>,
    /// Uses a tenth of the data.
    pub(crate) quick: bool,
    /// Compares two builds instead of measuring next to peers.
    pub(crate) builds: Option<BuildOptions>,
}

/// Options of a comparison with an older build.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BuildOptions {
    /// The older program.
    pub(crate) before: PathBuf,
    /// Only rows whose name contains this text are measured.
    pub(crate) rows: String,
    /// Percent by which the newer median may be over the older one.
    pub(crate) allow: f64,
}

impl Arguments {
    /// Parses what follows the name of the program.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let (mut program, mut peers, mut place, mut write) = (None, None, None, None);
        let (mut before, mut rows, mut allow, mut quick) = (None, None, None, false);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--program" => program = Some(std::path::absolute(value()?)?),
                "--peers" => peers = Some(std::path::absolute(value()?)?),
                "--place" => place = Some(std::path::absolute(value()?)?),
                "--write" => write = Some(PathBuf::from(value()?)),
                "--before" => before = Some(std::path::absolute(value()?)?),
                "--rows" => rows = Some(value()?),
                "--allow" => allow = Some(parse_percent(&value()?)?),
                "--quick" => quick = true,
                _ => return Err(format!("{word} is not an option").into()),
            }
        }
        let program = program.filter(|path| path.exists()).ok_or("--program must name a program that exists")?;
        let builds = match before {
            Some(_) if write.is_some() => return Err("--write cannot be used with --before".into()),
            Some(path) if !path.exists() => return Err("--before must name a program that exists".into()),
            Some(before) => {
                let (rows, allow) = (rows.unwrap_or_default(), allow.unwrap_or(ALLOWANCE));
                Some(BuildOptions { before, rows, allow })
            }
            None if rows.is_some() || allow.is_some() => return Err("--rows and --allow need --before".into()),
            None => None,
        };
        Ok(Self { program, peers: peers.unwrap_or_default(), place, write, quick, builds })
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
    percent.ok_or(format!("--allow needs a percentage such as 10, not {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, Box<dyn Error>> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn an_older_build_is_compared_with_five_percent_and_all_rows_unless_the_options_say_otherwise() {
        let options = parse("--program / --before /").unwrap().builds.unwrap();
        assert_eq!(options, BuildOptions { before: PathBuf::from("/"), rows: String::new(), allow: 5.0 });
        let options = parse("--program / --before / --rows zip --allow 10").unwrap().builds.unwrap();
        assert_eq!((options.rows.as_str(), options.allow.to_bits()), ("zip", 10.0_f64.to_bits()));
    }

    #[test]
    fn without_an_older_build_the_peers_are_measured() {
        assert_eq!(parse("--program /").unwrap().builds, None);
    }

    #[test]
    fn options_that_make_no_sense_are_refused() {
        for line in [
            "",
            "--program /no/such/program",
            "--program / --before /no/such/program",
            "--program / --before / --write /",
            "--program / --before / --allow -1",
            "--program / --before / --allow many",
            "--program / --rows zip",
            "--program / --allow 10",
            "--program / --before",
            "--program / --faster",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
