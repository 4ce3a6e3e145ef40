//! Growth: what the same operation costs on files of 1, 10, 100 and 1,000 MB.

use std::error::Error;

use readstone_bench::timing::median;
use serde_json::json;

use crate::contest::{Ground, call};
use crate::data::{Data, grown, line, lines_of};
use crate::operations::{Limits, Tool};

/// Calls of a warm server, and of servers that have just started.
const CALLS: usize = 31;
const COLD: usize = 5;

/// One operation: its name, and milliseconds by megabytes.
#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// What is read of a log, and the line that must be seen.
struct Part {
    name: &'static str,
    address: String,
    shows: String,
}

fn parts(megabytes: u64) -> [Part; 4] {
    let (name, bytes) = (grown(megabytes), megabytes * 1_000_000);
    let (lines, middle) = (lines_of(bytes), bytes / 2);
    let near = near_end(lines);
    let part = |name, address, shows| Part { name, address, shows };
    [
        part("first page", name.clone(), line(1)),
        part("last 100 lines", format!("{name}:-100"), line(lines)),
        part("64 KiB in the middle", format!("{name}:b{middle}+65536"), line(middle / 56 + 600)),
        part("100 lines near the end", format!("{name}:{near}-{}", near + 99), line(near + 99)),
    ]
}

fn near_end(lines: u64) -> u64 {
    lines / 10 * 9
}

/// All operations on all sizes.
pub(crate) fn measure(ground: &Ground<'_>, data: &Data) -> Result<Vec<Series>, Box<dyn Error>> {
    let mut all: Vec<Series> = Vec::new();
    let mut add = |name: &'static str, megabytes: u64, time: f64| {
        let point = (u32::try_from(megabytes).map_or(0.0, f64::from), time);
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, points: vec![point] }),
        }
    };
    for megabytes in data.growth() {
        for part in parts(megabytes) {
            let mut cold = Vec::new();
            for _ in 0..COLD {
                let mut server = ground.server(Limits::Usual)?;
                cold.push(once(&mut server, &part)?);
            }
            let mut server = ground.server(Limits::Usual)?;
            once(&mut server, &part)?;
            let warm = (0..CALLS).map(|_| once(&mut server, &part)).collect::<Result<Vec<_>, _>>()?;
            if part.name.contains("near the end") {
                add("100 lines near the end, first call", megabytes, median(cold));
                add("100 lines near the end, again", megabytes, median(warm));
            } else {
                add(part.name, megabytes, median(warm));
            }
        }
        let name = grown(megabytes);
        let near = near_end(lines_of(megabytes * 1_000_000));
        let step = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let tool = Tool { steps: vec![step(format!("tail -n +{near} {name}")), step("head -n 100".to_owned())] };
        let times = (0..=COLD).map(|_| Ok(ground.tool_once(&tool)?.1)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        add("the same by tail and head", megabytes, median(times));
    }
    Ok(all)
}

fn once(server: &mut readstone_bench::spoken::Spoken, part: &Part) -> Result<f64, Box<dyn Error>> {
    let (answer, time) = call(server, "read", &json!({ "path": part.address }))?;
    if answer.contains(&part.shows) {
        Ok(time)
    } else {
        Err(format!("{} does not show {}", part.address, part.shows).into())
    }
}
