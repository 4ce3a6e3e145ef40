//! A server that answers what it was told to, and remembers what it was asked.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: &'static str,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Says that the body is so much longer than it is.
    lie: usize,
    silent: bool,
    stalled: bool,
}

impl Answer {
    pub(crate) fn new(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: "200 OK", headers: Vec::new(), body: body.into(), lie: 0, silent: false, stalled: false }
            .with("Content-Type", kind)
    }

    pub(crate) fn html(body: &str) -> Self {
        Self::new("text/html; charset=utf-8", body)
    }

    pub(crate) fn status(self, status: &'static str) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn to(place: &str) -> Self {
        Self::new("text/plain", "").status("302 Found").with("Location", place)
    }

    /// Ends before its end.
    pub(crate) fn short(self) -> Self {
        Self { lie: 10, ..self }
    }

    /// Sends the rest never.
    pub(crate) fn stalled(self) -> Self {
        Self { lie: 10, stalled: true, ..self }
    }

    /// Says nothing until the other side goes.
    pub(crate) fn silent(self) -> Self {
        Self { silent: true, ..self }
    }
}

#[derive(Debug, Default)]
struct Known {
    /// What a path answers, one after the other; the last one stays.
    answers: Mutex<HashMap<String, Vec<Answer>>>,
    asked: Mutex<Vec<String>>,
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    known: Arc<Known>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let known = Arc::new(Known::default());
        let own = Arc::clone(&known);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = Arc::clone(&own);
                thread::spawn(move || own.attend(stream));
            }
        });
        Self { address, known }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What a path answers; told again, it answers that the next time.
    pub(crate) fn on(&self, path: &str, answer: Answer) -> &Self {
        self.known.answers.lock().unwrap().entry(path.to_owned()).or_default().push(answer);
        self
    }

    /// The paths that were asked for, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        let path = |head: &String| head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.known.asked.lock().unwrap().iter().map(path).collect()
    }

    /// How often a path was asked for.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.paths().iter().filter(|asked| *asked == path).count()
    }

    /// The head of the last request.
    pub(crate) fn last(&self) -> String {
        self.known.asked.lock().unwrap().last().cloned().unwrap_or_default()
    }
}

impl Known {
    fn attend(&self, mut stream: TcpStream) -> Option<()> {
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read(&mut byte).ok()? == 0 {
                return None;
            }
            head.extend_from_slice(&byte);
        }
        let head = String::from_utf8(head).ok()?;
        self.asked.lock().ok()?.push(head.clone());
        let answer = self.answer(head.split(' ').nth(1)?, &head);
        if answer.silent {
            let _gone = stream.read(&mut byte);
            return None;
        }
        let mut out = format!("HTTP/1.1 {}\r\nConnection: close\r\n", answer.status);
        for (name, value) in &answer.headers {
            out.push_str(&format!("{name}: {value}\r\n"));
        }
        out.push_str(&format!("Content-Length: {}\r\n\r\n", answer.body.len() + answer.lie));
        stream.write_all(out.as_bytes()).ok()?;
        stream.write_all(&answer.body).ok()?;
        if answer.stalled {
            let _gone = stream.read(&mut byte);
        }
        stream.shutdown(Shutdown::Both).ok()
    }

    fn answer(&self, path: &str, head: &str) -> Answer {
        let mut answers = self.answers.lock().unwrap();
        let Some(list) = answers.get_mut(path).filter(|list| !list.is_empty()) else {
            return Answer::new("text/plain", "nothing here\n").status("404 Not Found");
        };
        let answer = if list.len() > 1 { list.remove(0) } else { list[0].clone() };
        let etag = answer.headers.iter().find(|(name, _)| name == "ETag").map(|(_, value)| value.clone());
        if etag.is_some_and(|etag| head.contains(&format!("If-None-Match: {etag}"))) {
            return Answer::new("text/html", "").status("304 Not Modified");
        }
        answer
    }
}
