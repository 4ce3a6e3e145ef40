//! A web server on loopback that does what the worst ones do, and remembers what it was asked.
//!
//! It needs nothing but the standard library and a packer, so that tests of the fetcher can include it as a file.

#[path = "peer/bombs.rs"]
mod bombs;
#[path = "peer/routes.rs"]
mod routes;

use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A running server; it ends when it is dropped.
#[derive(Debug)]
pub struct Peer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What was asked of a [`Peer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// `GET` or `CONNECT`.
    pub method: String,
    /// The path with its query, or the address of a tunnel.
    pub target: String,
    /// The whole head, as it came.
    pub head: String,
}

/// What a [`Peer`] does with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trade {
    /// Answers what it is asked for.
    Serve,
    /// Lets every tunnel end at one address, whatever it was meant for.
    Tunnel(SocketAddr),
}

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    asked: Mutex<Vec<Asked>>,
    connections: Mutex<usize>,
    open: Mutex<usize>,
    pages: Mutex<HashMap<String, Vec<u8>>>,
}

impl Peer {
    /// Starts one with all its bad habits.
    pub fn start() -> io::Result<Self> {
        Self::with(Trade::Serve)
    }

    /// Starts a proxy whose tunnels all end at one address.
    pub fn proxy_to(end: SocketAddr) -> io::Result<Self> {
        Self::with(Trade::Tunnel(end))
    }

    fn with(trade: Trade) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let known = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if known.stopped() {
                    return;
                }
                let (Ok(stream), known) = (stream, Arc::clone(&known)) else { continue };
                *known.connections.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                // A client that goes away is no matter of the server.
                thread::spawn(move || {
                    *known.open.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                    drop(known.attend(stream, trade));
                    *known.open.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
                });
            }
        });
        Ok(Self { address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The path that redirects to somewhere.
    pub fn redirect_to(place: &str) -> String {
        let hex: Vec<String> = place.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("/redirect_to/{}", hex.concat())
    }

    /// Serves a page of its own beside the bad habits.
    pub fn page(&self, path: &str, content_type: &str, body: &[u8]) {
        let answer = routes::plain("200 OK", &[&format!("Content-Type: {content_type}")], body);
        self.raw(path, &answer);
    }

    /// Serves any bytes at all as the answer for a path.
    pub fn raw(&self, path: &str, answer: &[u8]) {
        let mut pages = self.shared.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert(path.to_owned(), answer.to_vec());
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        *self.shared.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many of them it still answers; one that is answered without end ends when the other side closes it.
    pub fn open(&self) -> usize {
        *self.shared.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // The listener waits for one more.
        drop(TcpStream::connect(self.address));
    }
}

impl Shared {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn attend(&self, mut stream: TcpStream, trade: Trade) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let Some(asked) = peek_request(&stream)? else { return Ok(()) };
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked.clone());
        if let Some(before) = routes::before_reset(&asked.target) {
            // The request was never read, which makes the end of the connection a reset.
            return stream.write_all(before);
        }
        stream.read_exact(&mut vec![0; asked.head.len()])?;
        if let Trade::Tunnel(end) = trade {
            return tunnel(stream, end);
        }
        let path = asked.target.split('?').next().unwrap_or_default();
        let page = self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        match page {
            Some(answer) => stream.write_all(&answer)?,
            None => routes::answer(path, &asked.head, &mut stream, &|| self.stopped())?,
        }
        stream.shutdown(Shutdown::Write)?;
        // What still comes is read, or the end of the connection would be a reset that takes the answer with it.
        stream.read_to_end(&mut Vec::new()).map(drop)
    }
}

/// Looks at a request and leaves it where it is.
fn peek_request(stream: &TcpStream) -> io::Result<Option<Asked>> {
    let mut seen = vec![0; 64 * 1024];
    loop {
        let came = stream.peek(&mut seen)?;
        let head = seen.get(..came).unwrap_or_default();
        if let Some(end) = head.windows(4).position(|end| end == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(head.get(..end + 4).unwrap_or_default()).into_owned();
            let mut words = head.split_whitespace().map(str::to_owned);
            let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            return Ok(Some(Asked { method, target, head }));
        }
        if came == 0 || came == seen.len() {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn tunnel(mut near: TcpStream, end: SocketAddr) -> io::Result<()> {
    near.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    let mut far = TcpStream::connect(end)?;
    let (mut near_in, mut far_out) = (near.try_clone()?, far.try_clone()?);
    thread::spawn(move || {
        drop(io::copy(&mut near_in, &mut far_out));
        drop(far_out.shutdown(Shutdown::Write));
    });
    io::copy(&mut far, &mut near)?;
    near.shutdown(Shutdown::Write)
}
