//! The worker's own side: it does what it is asked, on bytes it must ask for.

use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Craft, Lend, Stamp};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::confine::{self, Used};
use super::frame::{Answer, Known, LENGTH, Part, Request, Word};

/// Deep documents need a deep stack.
const STACK: usize = 64 * 1024 * 1024;
/// Bytes are asked for in pieces of this size.
const PIECE: usize = 1024 * 1024;

/// Does work until nobody asks for any more. `memory` is what it may use beside the program itself.
pub fn work_for_parent(memory: u64, craft: Craft) -> io::Result<()> {
    confine::close_files();
    let used = Used::with_stack(STACK);
    // Threads inherit what this one may not do.
    confine::restrict();
    let ended = Arc::new(AtomicBool::new(false));
    let end = Arc::clone(&ended);
    let work = move || {
        confine::for_good(used, memory);
        let served = serve(craft);
        end.store(true, Ordering::Relaxed);
        served
    };
    let worker = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work)?;
    // Whoever asked may be gone while the work goes on; then nobody wants it.
    while !ended.load(Ordering::Relaxed) && !is_left_alone() {}
    if ended.load(Ordering::Relaxed) {
        return worker.join().unwrap_or_else(|_| Err(io::Error::other("the worker panicked")));
    }
    Err(io::ErrorKind::BrokenPipe.into())
}

/// How long is waited before it is looked whether the work ended.
const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// Whether nobody can ask for anything any more.
fn is_left_alone() -> bool {
    let input = io::stdin();
    let mut fds = [PollFd::new(&input, PollFlags::empty())];
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    let polled = poll(&mut fds, Some(&PATIENCE)).unwrap_or(0);
    polled > 0 && fds.iter().any(|fd| fd.revents().intersects(gone))
}

fn serve(craft: Craft) -> io::Result<()> {
    let line = Arc::new(Mutex::new(Line));
    while let Some(answer) = hear(&line)? {
        let Answer::Task(seconds, what, ask) = answer else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        confine::for_one_task(seconds);
        let far: Arc<dyn Lend> = Arc::new(Far { line: Arc::clone(&line) });
        let done = catch_unwind(AssertUnwindSafe(|| craft(&what, &ask, &far)));
        let word = match done {
            Ok(Ok(bytes)) => Word::Done(bytes),
            Ok(Err(words)) => Word::Broken(words),
            Err(panic) => Word::Broken(words_of(&*panic)),
        };
        say(&line, &word)?;
    }
    Ok(())
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("it panicked: {words}")
}

/// Standard input and output, used by one at a time.
#[derive(Debug)]
struct Line;

type Shared = Arc<Mutex<Line>>;

fn hear(line: &Shared) -> io::Result<Option<Answer>> {
    let _line = line.lock().unwrap_or_else(PoisonError::into_inner);
    receive()
}

fn say(line: &Shared, word: &Word) -> io::Result<()> {
    let _line = line.lock().unwrap_or_else(PoisonError::into_inner);
    send(word)
}

/// Asks for something and waits for the answer.
fn ask(line: &Shared, request: Request) -> io::Result<Answer> {
    let _line = line.lock().unwrap_or_else(PoisonError::into_inner);
    send(&Word::Ask(request))?;
    let answer = receive()?.ok_or(io::ErrorKind::UnexpectedEof)?;
    if let Answer::Failed(number, words) = answer {
        let system = (number != 0).then(|| io::Error::from_raw_os_error(number));
        return Err(system.unwrap_or_else(|| io::Error::other(words)));
    }
    Ok(answer)
}

fn send(word: &Word) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(&word.encode())?;
    out.flush()
}

/// What is told next; `None` when whoever sends them is gone.
fn receive() -> io::Result<Option<Answer>> {
    let mut input = io::stdin().lock();
    let mut length = [0; LENGTH];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut bytes = Vec::new();
    let length = u64::from(u32::from_le_bytes(length));
    input.take(length).read_to_end(&mut bytes)?;
    Answer::decode(&bytes).filter(|_| bytes.len() as u64 == length).map(Some).ok_or(io::ErrorKind::InvalidData.into())
}

/// Hands out bytes that the other process has.
struct Far {
    line: Shared,
}

impl Lend for Far {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        let Answer::Opened(number, known) = ask(&self.line, Request::Open(name.to_owned()))? else {
            return Ok(None);
        };
        Ok(Some(Arc::new(FarBlob { line: Arc::clone(&self.line), number, known })))
    }
}

/// Bytes that the other process has.
#[derive(Debug)]
struct FarBlob {
    line: Shared,
    number: u64,
    known: Known,
}

impl FarBlob {
    fn part(&self, range: &Range<u64>) -> Part {
        Part { of: self.number, from: range.start, to: range.end }
    }

    fn flag(&self, request: Request) -> io::Result<bool> {
        Ok(ask(&self.line, request)? == Answer::Flag(true))
    }
}

impl Blob for FarBlob {
    fn len(&self) -> Option<u64> {
        self.known.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let wanted = rest.len().min(PIECE);
            let from = offset.saturating_add(done as u64);
            let part = self.part(&(from..from.saturating_add(wanted as u64)));
            let Answer::Bytes(bytes) = ask(&self.line, Request::Read(part))? else {
                return Err(io::ErrorKind::InvalidData.into());
            };
            let count = bytes.len().min(wanted);
            if let (Some(to), Some(from)) = (rest.get_mut(..count), bytes.get(..count)) {
                to.copy_from_slice(from);
            }
            done += count;
            if count < wanted {
                break;
            }
        }
        Ok(done)
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        let answer = ask(&self.line, Request::Who(self.number))?;
        Ok(if let Answer::Identified(stamp) = answer { stamp } else { None })
    }

    fn stamp_when_opened(&self) -> io::Result<Option<Stamp>> {
        Ok(self.known.opened)
    }

    fn is_serial(&self) -> bool {
        self.known.serial
    }

    fn hold(&self, range: Range<u64>) -> io::Result<bool> {
        self.flag(Request::Hold(self.part(&range)))
    }

    fn is_held(&self, range: Range<u64>) -> io::Result<bool> {
        self.flag(Request::IsHeld(self.part(&range)))
    }

    fn release(&self, range: Range<u64>) -> io::Result<()> {
        self.flag(Request::Release(self.part(&range))).map(drop)
    }
}
