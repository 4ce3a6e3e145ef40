//! Servers: ours and the others, how fast they start, what they hold, how many calls they answer.

use std::error::Error;

use readstone_bench::spoken::Spoken;
use readstone_bench::system::{Memory, children, command, memory};
use readstone_bench::timing::{median, took};
use serde_json::{Value, json};

use crate::contest::Ground;
use crate::data::Data;
use crate::operations::Limits;
use crate::peers::SERVERS;

/// Starts of each server.
const STARTS: usize = 15;
/// Why a start takes longer than that of a small program.
const LOADING: &str = "the start of the process: a larger program has more to adjust when it is loaded";
/// Calls on their way at the same time, rounds, and milliseconds of a round.
pub(crate) const IN_FLIGHT: usize = 8;
const ROUNDS: usize = 5;
const ROUND: f64 = 500.0;

/// Measures the answers a second of a server that reads a path with a tool.
type Rate = fn(&mut Spoken, &str, &Value) -> Result<f64, Box<dyn Error>>;

/// Why we hold more than a small server.
const PROGRAM: &str = "most of it are pages of the program file, which any number of its processes share";
const ADJUSTED: &str = "tables of addresses that are adjusted when the program is loaded";

/// Ours with usual and with wide limits, and the others in the order of `peers::SERVERS`.
#[derive(Debug)]
pub(crate) struct Servers {
    usual: Spoken,
    wide: Spoken,
    others: Vec<Option<Spoken>>,
}

/// What is measured of a server besides its answers; the first value is ours.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<Option<f64>>,
    /// Whether more is better.
    pub(crate) rate: bool,
    /// Why we are behind, where we are and know it.
    pub(crate) behind: &'static str,
}

impl Servers {
    /// Starts all that are installed.
    pub(crate) fn start(ground: &Ground<'_>) -> Result<Self, Box<dyn Error>> {
        let others = SERVERS.iter().map(|name| other(ground, name)).collect();
        Ok(Self { usual: ground.server(Limits::Usual)?, wide: ground.server(Limits::Wide)?, others })
    }

    /// Ours and the others.
    pub(crate) fn split(&mut self, limits: Limits) -> (&mut Spoken, &mut [Option<Spoken>]) {
        let own = match limits {
            Limits::Usual => &mut self.usual,
            Limits::Wide => &mut self.wide,
        };
        (own, &mut self.others)
    }

    fn all(&mut self) -> Vec<Option<&mut Spoken>> {
        std::iter::once(Some(&mut self.usual)).chain(self.others.iter_mut().map(Option::as_mut)).collect()
    }

    /// What the servers call their versions.
    pub(crate) fn versions(&self) -> String {
        let named = SERVERS.iter().zip(&self.others);
        let said = named.filter_map(|(name, server)| Some(format!("{name} {}", server.as_ref()?.version())));
        said.collect::<Vec<_>>().join(", ")
    }

    /// The resident memory before anything was asked, and how much of it are no pages of files.
    pub(crate) fn idle(&mut self) -> [Standing; 2] {
        let mut values = |of: fn(Memory) -> f64| -> Vec<Option<f64>> {
            self.all().into_iter().map(|server| server.map(|server| of(memory(server.id())))).collect()
        };
        let (all, own) = (values(|memory| memory.resident), values(|memory| memory.own));
        [
            Standing { name: "memory when idle, MB", values: all, rate: false, behind: PROGRAM },
            Standing { name: "of it no pages of files, MB", values: own, rate: false, behind: ADJUSTED },
        ]
    }

    /// The largest resident memory, when all is done. Ours is the larger of our two, with the largest of its workers.
    pub(crate) fn peak(&mut self) -> Standing {
        let worker =
            |server: &Spoken| children(server.id()).into_iter().map(|pid| memory(pid).most).fold(0.0, f64::max);
        let with_worker = |server: &Spoken| memory(server.id()).most + worker(server);
        let ours = with_worker(&self.usual).max(with_worker(&self.wide));
        let others = self.others.iter().map(|server| server.as_ref().map(|server| memory(server.id()).most));
        let values = std::iter::once(Some(ours)).chain(others).collect();
        Standing { name: "most memory after all of it, MB", values, rate: false, behind: "" }
    }

    /// Reads of a small file: with a few requests on their way at once, and with thousands waiting.
    pub(crate) fn flow(&mut self, data: &Data) -> Result<[Standing; 2], Box<dyn Error>> {
        let few = self.rates("reads of 2 KB a second, 8 in flight", data, answered)?;
        let many = self.rates("reads of 2 KB a second, 8,000 queued", data, answered_from_queue)?;
        Ok([few, many])
    }

    /// Answers a second of each server, in turns.
    fn rates(&mut self, name: &'static str, data: &Data, rate: Rate) -> Result<Standing, Box<dyn Error>> {
        let mut rates = vec![Vec::new(); 1 + SERVERS.len()];
        let path = data.at("small.log");
        for _ in 0..ROUNDS {
            for ((server, rates), tool) in
                self.all().into_iter().zip(&mut rates).zip(["read", "read_text_file", "read_text_file"])
            {
                if let Some(server) = server {
                    rates.push(rate(server, tool, &path)?);
                }
            }
        }
        let values = rates.into_iter().map(|rates| (!rates.is_empty()).then(|| median(rates))).collect();
        Ok(Standing { name, values, rate: true, behind: "" })
    }
}

/// Starts to the answer of `tools/list`, in turns.
pub(crate) fn starts(ground: &Ground<'_>) -> Result<Standing, Box<dyn Error>> {
    let mut times = vec![Vec::new(); 1 + SERVERS.len()];
    for _ in 0..STARTS {
        let [own, others @ ..] = times.as_mut_slice() else { continue };
        own.push(took(|| ground.server(Limits::Usual))?.1);
        for (name, times) in SERVERS.iter().zip(others) {
            let (started, time) = took(|| Ok(other(ground, name)))?;
            times.extend(started.map(|_| time));
        }
    }
    let values = times.into_iter().map(|times| (!times.is_empty()).then(|| median(times))).collect();
    Ok(Standing { name: "start to the answer of tools/list, ms", values, rate: false, behind: LOADING })
}

/// Another server; one that does not start is as good as absent.
fn other(ground: &Ground<'_>, name: &str) -> Option<Spoken> {
    let mut command = command(&ground.peers.path(name)?);
    command.arg(&ground.place).current_dir(&ground.place);
    Spoken::start(command).ok()
}

/// Answers a second.
#[expect(clippy::cast_precision_loss, reason = "a few ten thousand answers")]
fn answered(server: &mut Spoken, tool: &str, path: &Value) -> Result<f64, Box<dyn Error>> {
    let mut number = 0_usize;
    let (count, time) = took(|| {
        let mut count = 0_usize;
        let mut spent = 0.0;
        while spent < ROUND {
            let ((), time) = took(|| batch(server, tool, path, &mut number))?;
            spent += time;
            count += BATCH;
        }
        Ok(count)
    })?;
    Ok(count as f64 / time * 1_000.0)
}

/// Requests that wait while the server answers, and those of a round.
const QUEUED: usize = 8_000;
const QUEUED_ROUND: usize = 2 * QUEUED;

/// Answers a second while thousands of requests wait in the pipe, in the server and in the thread that sends them.
#[expect(clippy::cast_precision_loss, reason = "a few ten thousand answers")]
fn answered_from_queue(server: &mut Spoken, tool: &str, path: &Value) -> Result<f64, Box<dyn Error>> {
    let message = |number: usize| request(tool, path, number).to_string();
    let ((), time) = took(|| {
        server.answer_queue(QUEUED_ROUND, QUEUED, message, |answer| {
            if answer.contains(SHOWN) { Ok(()) } else { Err(format!("{tool} does not read").into()) }
        })
    })?;
    Ok(QUEUED_ROUND as f64 / time * 1_000.0)
}

/// Text of the small file by which an answer is known to be right.
const SHOWN: &str = "00000035 INFO";

/// A request with this number.
fn request(tool: &str, path: &Value, number: usize) -> Value {
    let params = json!({ "name": tool, "arguments": { "path": path } });
    json!({ "jsonrpc": "2.0", "id": number + 10, "method": "tools/call", "params": params })
}

/// Answers between two looks at the clock.
pub(crate) const BATCH: usize = 200;

/// Reads a file `BATCH` times, with `IN_FLIGHT` calls on their way at once. `number` counts the calls of the session.
pub(crate) fn batch(server: &mut Spoken, tool: &str, path: &Value, number: &mut usize) -> Result<(), Box<dyn Error>> {
    let mut ask = |server: &mut Spoken| {
        *number += 1;
        server.send(&request(tool, path, *number).to_string())
    };
    for _ in 0..IN_FLIGHT {
        ask(server)?;
    }
    for at in 0..BATCH {
        if !server.answer()?.contains(SHOWN) {
            return Err(format!("{tool} does not read").into());
        }
        if at + IN_FLIGHT < BATCH {
            ask(server)?;
        }
    }
    Ok(())
}
