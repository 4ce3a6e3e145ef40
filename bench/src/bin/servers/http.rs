//! REST on loopback, beside a bare handler that returns the same bytes.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use crate::process::{Program, Running, command, median, time};
use crate::write_file;

/// Connections that ask at the same time.
const CONNECTIONS: usize = 32;
/// Requests of each connection in one turn.
const REQUESTS: usize = 400;
/// Turns of each server.
const TURNS: usize = 9;

/// Requests a second of both, in turns.
pub(crate) fn measure(program: &Program, small: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let ours = program.serve()?;
    let body = format!("{{\"path\":\"{}\"}}", small.file_name().unwrap_or_default().display());
    let mut line = connect(&ours.address)?;
    let answer = ask(&mut line, &request(&ours.address, &body))?;
    if !String::from_utf8_lossy(&answer).contains("request served") {
        return Err("the server does not read".into());
    }
    let copy = program.place.join("answer.json");
    write_file(&copy, &answer)?;
    let mut bare = command(&std::env::current_exe()?);
    bare.arg("bare").arg(&copy);
    let bare = Running::start(bare)?;
    let (mut our_rates, mut bare_rates) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        our_rates.push(rate(&ours.address, &body)?);
        bare_rates.push(rate(&bare.address, &body)?);
    }
    let (ours, bare) = (median(our_rates), median(bare_rates));
    Ok(vec![format!(
        "| rest: read of 2 KB, requests a second | {ours:.0} | bare axum {bare:.0} | {:.2} |",
        ours / bare
    )])
}

fn request(address: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("POST /v1/tools/read HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// A connection.
pub(crate) fn connect(address: &str) -> Result<BufReader<TcpStream>, Box<dyn Error>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// Sends a request and takes the body of its answer.
pub(crate) fn ask(stream: &mut BufReader<TcpStream>, request: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    stream.get_mut().write_all(request)?;
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err("the connection was closed".into());
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand requests")]
fn rate(address: &str, body: &str) -> Result<f64, Box<dyn Error>> {
    let request = request(address, body);
    let one = |request: &[u8]| -> Result<(), String> {
        let mut stream = connect(address).map_err(|error| error.to_string())?;
        (0..REQUESTS).try_for_each(|_| ask(&mut stream, request).map(drop).map_err(|error| error.to_string()))
    };
    let ((), took) = time(|| {
        let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| one(&request))).collect();
            asking
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err("a thread broke off".into())))
                .collect()
        });
        Ok(results.into_iter().collect::<Result<(), String>>()?)
    })?;
    Ok((CONNECTIONS * REQUESTS) as f64 / took * 1_000.0)
}
