//! A flood: a thousand slow calls and five hundred idle sockets, and what others notice of them.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::net::TcpStream;

use crate::SMALL;
use crate::http::{ask, connect};
use crate::process::{Program, median, time};

/// Slow calls at the same time.
const SLOW: usize = 1_000;
/// Sockets that send nothing.
const IDLE: usize = 500;
/// Calls of the one who wants only a small file.
const OTHERS: usize = 200;
/// Large files, each of which takes a while to count.
const FILES: usize = 20;
const MEGABYTES: usize = 256;

/// The time of others, and the memory of the server.
pub(crate) fn measure(program: &Program) -> Result<Vec<String>, Box<dyn Error>> {
    for number in 0..FILES {
        large(program, number)?;
    }
    let server = program.serve()?;
    let idle = (0..IDLE).map(|_| TcpStream::connect(&server.address)).collect::<Result<Vec<_>, _>>()?;
    let (calm, _, _) = others(&server.address)?;
    let (under, worst, refused, answers) = std::thread::scope(|scope| -> Result<_, Box<dyn Error>> {
        let address = server.address.as_str();
        let slow: Vec<_> = (0..SLOW).map(|number| scope.spawn(move || slow(address, number))).collect();
        let (under, worst, refused) = others(address)?;
        let answers: Vec<u16> = slow.into_iter().map(|thread| thread.join().unwrap_or(0)).collect();
        Ok((under, worst, refused, answers))
    })?;
    drop(idle);
    let (_, peak) = server.memory()?;
    let count = |status: u16| answers.iter().filter(|answer| **answer == status).count();
    Ok(vec![
        format!("| flood: another read of 2 KB, median ms | {under:.2} | calm {calm:.2} | |"),
        format!("| flood: the slowest of {OTHERS} such reads, ms | {worst:.2} | refused {refused} | |"),
        format!("| flood: peak memory, MB | {peak:.1} | | |"),
        format!(
            "| flood: slow calls answered 200 / 429 / otherwise | {} / {} / {} | | |",
            count(200),
            count(429),
            answers.len() - count(200) - count(429)
        ),
    ])
}

fn large(program: &Program, number: usize) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(program.place.join(format!("large-{number}.log")))?);
    let line = [b"0123456789abcdef0123456789abcde\n".repeat(32_768)].concat();
    (0..MEGABYTES).try_for_each(|_| out.write_all(&line))?;
    Ok(())
}

fn request(address: &str, path: &str) -> Vec<u8> {
    let body = format!("{{\"path\":\"{path}\"}}");
    let head = format!("POST /v1/tools/read HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// One slow call on a connection of its own; gives the status of its answer.
fn slow(address: &str, number: usize) -> u16 {
    // A line behind the end of the file: all lines have to be counted, and the session of each is another one.
    let body = format!("{{\"path\":\"large-{}.log:999999999-\"}}", number % FILES);
    let head = format!("POST /v1/tools/read HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    let head = format!("{head}Readstone-Session: s{number}\r\nContent-Length: {}\r\n\r\n", body.len());
    let asked = || -> Result<u16, Box<dyn Error>> {
        use std::io::Read as _;
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(format!("{head}{body}").as_bytes())?;
        let mut beginning = [0; 12];
        stream.read_exact(&mut beginning)?;
        let status = std::str::from_utf8(&beginning)?.split(' ').nth(1).unwrap_or_default();
        Ok(status.parse()?)
    };
    asked().unwrap_or(0)
}

/// The median and the worst time of small reads, and how many were refused.
fn others(address: &str) -> Result<(f64, f64, usize), Box<dyn Error>> {
    let mut stream = connect(address)?;
    let request = request(address, SMALL);
    let (mut times, mut refused) = (Vec::new(), 0);
    for _ in 0..OTHERS {
        let (body, took) = time(|| ask(&mut stream, &request))?;
        refused += usize::from(!String::from_utf8_lossy(&body).contains("request served"));
        times.push(took);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let worst = times.iter().copied().fold(0.0, f64::max);
    Ok((median(times), worst, refused))
}
