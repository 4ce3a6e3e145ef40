//! One worker process, from the side that uses it.

use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use readstone_base::{Blob, Budget, Clock as _, Hear, Spoiled, Task};

use crate::clock::SystemClock;
use crate::wait::{DescriptorWait, Readiness, Waited};

use super::frame::{Answer, Given, Known, LENGTH, Order, Part, Request, Word, forget};
use super::{Duty, Start};

/// Bytes are handed over in pieces of at most this size.
const MOST_READ: u64 = 1024 * 1024;
/// A worker that grew beyond so many bytes is not used again, and its memory goes back to the system.
const MOST_KEPT: u64 = 96 * 1024 * 1024;
/// Bytes of a worker's last words.
const LAST_WORDS: usize = 4096;
/// So often, and so long each time, is waited for a worker to end that has closed its pipes.
const LAST_BREATHS: usize = 50;
const BREATH: Duration = Duration::from_millis(4);
/// A writer has so long to take back what it began.
const GRACE: Duration = Duration::from_secs(3);
/// Blobs that a worker may ask for during one piece of work, and ranges that are held for it.
const MOST_LENT: usize = 32;
/// Bytes of room that are kept for the next answers.
const KEPT_AHEAD: usize = 1024 * 1024;
/// Bytes that a pipe holds at most.
const PIPE: u64 = 1024 * 1024;
/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;
/// Work that took less time has not made a worker grow much. After several pieces of such work, it is looked at.
const SHORT: Duration = Duration::from_millis(4);
const MOST_UNSEEN: u32 = 16;

/// A worker process.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    /// There as long as it may be told anything.
    input: Option<ChildStdin>,
    output: ChildStdout,
    ahead: Vec<u8>,
    /// Room for one reading, kept because making it costs more than reading into it.
    chunk: Box<[u8]>,
    spoke: bool,
    /// When its work began, and how many pieces of it were done since its memory was looked at.
    begun: Duration,
    unseen: u32,
}

impl Worker {
    #[expect(clippy::disallowed_methods, reason = "the one place that starts a process")]
    pub(super) fn start(start: &Start) -> io::Result<Self> {
        let mut child = Command::new(&start.program)
            .arg0("readstone")
            .args(&start.arguments)
            // Whoever interrupts the server from a terminal lets it end its calls first.
            .process_group(0)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let chunk = vec![0; CHUNK].into_boxed_slice();
        never_block(&input)?;
        never_block(&output)?;
        if let Some(errors) = &child.stderr {
            never_block(errors)?;
        }
        Ok(Self {
            child,
            input: Some(input),
            output,
            ahead: Vec::new(),
            chunk,
            spoke: false,
            begun: Duration::ZERO,
            unseen: 0,
        })
    }

    /// Has a piece of work done, and hands over the bytes it asks for.
    pub(super) fn work(
        &mut self,
        (task, lent, place): (&Task<'_>, &mut Lent, &[u8]),
        (duty, hear): (&Duty, Hear<'_>),
        budget: &Budget,
    ) -> Result<Vec<u8>, Spoiled> {
        self.spoke = false;
        self.begun = SystemClock::new(None).elapsed();
        let (what, ask, given) = (task.what.to_owned(), task.ask.to_vec(), lent.given.clone());
        let place = place.to_vec();
        self.send(Answer::Task(Order { seconds: duty.seconds, what, ask, given, place }), budget)?;
        loop {
            budget.still_wanted().map_err(Spoiled::Stopped)?;
            let answer = match self.receive(duty, budget)? {
                Word::Done(bytes) => return Ok(bytes),
                Word::Broken(words) => return Err(Spoiled::Crashed(words)),
                Word::Ask(Request::Take(part)) => Answer::Flag(hear(part)),
                Word::Ask(request) => lent.answer(request, task).unwrap_or_else(|error| failed(&error)),
            };
            self.send(answer, budget)?;
        }
    }

    /// Lets a writer roll back when its work is not wanted any more: its pipe is closed, and it answers.
    pub(super) fn come_to_end(&mut self, duty: &Duty) -> Option<Vec<u8>> {
        self.input = None;
        let budget = Budget::new(Arc::new(SystemClock::new(None)), Some(GRACE));
        match self.receive(duty, &budget) {
            Ok(Word::Done(bytes)) => Some(bytes),
            Ok(Word::Broken(_) | Word::Ask(_)) | Err(_) => None,
        }
    }

    /// Whether it may be used for the next piece of work.
    #[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
    pub(super) fn is_lean(&mut self) -> bool {
        self.unseen += 1;
        let took = SystemClock::new(None).elapsed().saturating_sub(self.begun);
        if took < SHORT && self.unseen < MOST_UNSEEN && self.ahead.is_empty() {
            return true;
        }
        self.unseen = 0;
        let text = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
        self.ahead.is_empty() && pages.saturating_mul(rustix::param::page_size() as u64) <= MOST_KEPT
    }

    /// Whether it has said anything since it was started or taken.
    pub(super) fn has_spoken(&self) -> bool {
        self.spoke
    }

    /// Whether it still lives.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Says something, and forgets it: bytes of files only pass through this process.
    fn send(&mut self, answer: Answer, budget: &Budget) -> Result<(), Spoiled> {
        let mut bytes = answer.encode();
        answer.forget();
        let sent = self.send_bytes(&bytes, budget);
        forget(&mut bytes);
        sent
    }

    fn send_bytes(&mut self, bytes: &[u8], budget: &Budget) -> Result<(), Spoiled> {
        let mut rest = bytes;
        let Some(mut input) = self.input.as_ref() else { return Err(Spoiled::Crashed(String::new())) };
        while !rest.is_empty() {
            match input.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait(input, Readiness::Write, budget)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Spoiled::Crashed(String::new())),
            }
        }
        Ok(())
    }

    fn receive(&mut self, duty: &Duty, budget: &Budget) -> Result<Word, Spoiled> {
        loop {
            if let Some(word) = self.next_word(duty)? {
                return Ok(word);
            }
            match self.output.read(&mut self.chunk) {
                Ok(0) => return Err(Spoiled::Crashed(String::new())),
                Ok(count) => self.ahead.extend_from_slice(self.chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait(&self.output, Readiness::Read, budget)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Spoiled::Crashed(String::new())),
            }
        }
    }

    fn next_word(&mut self, duty: &Duty) -> Result<Option<Word>, Spoiled> {
        let Some(length) = self.ahead.first_chunk::<LENGTH>().map(|length| u32::from_le_bytes(*length)) else {
            return Ok(None);
        };
        if u64::from(length) > duty.answer_bytes {
            return Err(Spoiled::Limit { name: "worker_answer", value: duty.answer_bytes });
        }
        let end = LENGTH + length as usize;
        let Some(content) = self.ahead.get(LENGTH..end) else {
            return Ok(None);
        };
        let word = Word::decode(content);
        self.spoke = true;
        // What a large answer took is not kept.
        if self.ahead.capacity() > KEPT_AHEAD {
            self.ahead = self.ahead.split_off(end);
        } else {
            self.ahead.drain(..end);
        }
        word.map(Some).ok_or_else(|| Spoiled::Crashed("it spoke nonsense".to_owned()))
    }

    /// Why a worker that broke down did so, once it is gone.
    pub(super) fn fate(mut self, spoiled: Spoiled, duty: &Duty) -> Spoiled {
        if !matches!(&spoiled, Spoiled::Crashed(words) if words.is_empty()) {
            return spoiled;
        }
        let Some(status) = self.ended() else {
            return Spoiled::Crashed("it is gone".to_owned());
        };
        let mut words = Vec::new();
        if let Some(errors) = self.child.stderr.take() {
            drop(errors.take(PIPE).read_to_end(&mut words));
        }
        let last = words.get(words.len().saturating_sub(LAST_WORDS)..).unwrap_or_default();
        of_status(status, &String::from_utf8_lossy(last), duty)
    }
}

impl Worker {
    /// How it ended; one that closed its pipes and lives on is ended.
    fn ended(&mut self) -> Option<ExitStatus> {
        for _ in 0..LAST_BREATHS {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(BREATH);
        }
        drop(self.child.kill());
        self.child.wait().ok()
    }
}

/// Whoever is not used any more is ended at once.
impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn of_status(status: ExitStatus, words: &str, duty: &Duty) -> Spoiled {
    const CPU: i32 = 24;
    if words.contains("memory allocation of") || words.contains("out of memory") {
        return Spoiled::Limit { name: "worker_memory", value: duty.memory };
    }
    if words.contains("overflowed its stack") {
        return Spoiled::Crashed("it nests too deep: the stack of the worker overflowed".to_owned());
    }
    match status.signal() {
        Some(CPU) => Spoiled::Limit { name: "worker_seconds", value: duty.seconds },
        Some(signal) => Spoiled::Crashed(format!("signal {signal} ended it")),
        None => Spoiled::Crashed(format!("it ended with code {}", status.code().unwrap_or(-1))),
    }
}

/// What was lent to a worker for one piece of work, and what is held for it.
#[derive(Default)]
pub(super) struct Lent {
    blobs: Vec<Arc<dyn Blob>>,
    held: Vec<Part>,
    given: Vec<Given>,
}

impl Lent {
    /// Opens what the work is sure to ask for.
    pub(super) fn ahead(task: &Task<'_>) -> io::Result<Self> {
        let mut lent = Self::default();
        for (name, bytes) in task.lend.ahead() {
            let opened = match task.lend.lend(name)? {
                Some(blob) => {
                    let known = Known::of(&blob)?;
                    let head = blob.read_range(0, known.length.unwrap_or(*bytes).min(*bytes))?;
                    lent.blobs.push(blob);
                    Some((lent.blobs.len() as u64 - 1, known, head))
                }
                None => None,
            };
            lent.given.push(Given { name: (*name).to_owned(), opened });
        }
        Ok(lent)
    }

    fn blob(&self, number: u64) -> io::Result<&Arc<dyn Blob>> {
        let found = usize::try_from(number).ok().and_then(|number| self.blobs.get(number));
        found.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    /// What a worker asks for.
    fn answer(&mut self, request: Request, task: &Task<'_>) -> io::Result<Answer> {
        Ok(match request {
            Request::Open(_) if self.blobs.len() >= MOST_LENT => return Err(io::ErrorKind::InvalidInput.into()),
            Request::Open(name) => match task.lend.lend(&name)? {
                Some(blob) => {
                    let known = Known::of(&blob)?;
                    self.blobs.push(blob);
                    Answer::Opened(self.blobs.len() as u64 - 1, known)
                }
                None => Answer::Absent,
            },
            Request::Read(part) => {
                let end = part.to.min(part.from.saturating_add(MOST_READ));
                Answer::Bytes(self.blob(part.of)?.read_range(part.from, end)?)
            }
            Request::Hold(_) if self.held.len() >= MOST_LENT => return Err(io::ErrorKind::InvalidInput.into()),
            Request::Hold(part) => {
                let held = self.blob(part.of)?.hold(part.from..part.to)?;
                self.held.extend(held.then_some(part));
                Answer::Flag(held)
            }
            Request::IsHeld(part) => Answer::Flag(self.blob(part.of)?.is_held(part.from..part.to)?),
            Request::Release(part) => {
                self.blob(part.of)?.release(part.from..part.to)?;
                self.held.retain(|held| *held != part);
                Answer::Flag(true)
            }
            Request::Who(number) => Answer::Identified(self.blob(number)?.stamp()?),
            Request::Take(_) => return Err(io::ErrorKind::InvalidInput.into()),
        })
    }
}

/// What a worker did not let go, it holds no more.
impl Drop for Lent {
    fn drop(&mut self) {
        self.given.iter_mut().for_each(Given::forget);
        for part in &self.held {
            if let Ok(blob) = self.blob(part.of) {
                drop(blob.release(part.from..part.to));
            }
        }
    }
}

fn failed(error: &io::Error) -> Answer {
    Answer::Failed(error.raw_os_error().unwrap_or(0), error.to_string())
}

fn never_block(fd: impl AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(&fd)?;
    Ok(rustix::fs::fcntl_setfl(&fd, flags | rustix::fs::OFlags::NONBLOCK)?)
}

/// Waits until bytes can be read or written, and no longer than the call lasts.
fn wait(fd: impl AsFd, readiness: Readiness, budget: &Budget) -> Result<(), Spoiled> {
    let failed = |error: io::Error| Spoiled::Crashed(error.to_string());
    let wait = DescriptorWait::new(&[budget.cancel_token()]).map_err(failed)?;
    match wait.until(fd, readiness, None, budget).map_err(failed)? {
        Waited::Ready => Ok(()),
        Waited::Stopped | Waited::TimedOut => budget.still_wanted().map_err(Spoiled::Stopped),
    }
}
