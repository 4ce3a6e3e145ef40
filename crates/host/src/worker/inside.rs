//! The worker's own side: it does what it is asked, on bytes it must ask for.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Blob, Craft, Lend, PREPARE, Stamp, Stopped};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::confine::{self, Used};
use super::frame::{Answer, Given, Known, LENGTH, Order, Part, Request, Word};
use super::place::Place;

/// Deep documents need a deep stack.
const STACK: usize = 64 * 1024 * 1024;
/// Bytes are asked for in pieces of this size.
const PIECE: usize = 1024 * 1024;

/// The time that a writer has to roll back when its caller is gone, in steps of [`PAUSE`].
const STEPS: u32 = 10;

/// Does work until nobody asks for any more. `memory` is what it may use beside the program itself.
pub fn work_for_parent(memory: u64, craft: Craft) -> io::Result<()> {
    confine::close_files();
    let used = Used::with_stack(STACK);
    // The first piece of work says what this process may open from then on.
    let Some(Answer::Task(first)) = receive()? else {
        return Ok(());
    };
    let is_writer = !first.place.is_empty();
    let place = is_writer.then(|| {
        let nothing: Arc<dyn Lend> = Arc::new(Far::new(&Arc::new(Mutex::new(Line)), Vec::new(), &Arc::default()));
        // What must be read before nothing can be; work that needs none of it does not know it.
        drop(craft(PREPARE, &[], &nothing));
        Place::prepare(Path::new(OsStr::from_bytes(&first.place)))
    });
    // Threads inherit what this one may not do.
    match &place {
        Some(place) => place.restrict(),
        None => confine::restrict(),
    }
    let (ended, stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (end, stopped) = (Arc::clone(&ended), Arc::clone(&stop));
    let work = move || {
        confine::for_good(used, memory, if is_writer { FILES } else { 1 });
        let served = serve((first, place), craft, &stopped);
        end.store(true, Ordering::Relaxed);
        served
    };
    let worker = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work)?;
    // Whoever asked may be gone while the work goes on; then nobody wants it.
    while !ended.load(Ordering::Relaxed) && !is_left_alone() {}
    stop.store(true, Ordering::Relaxed);
    for _ in 0..if is_writer { STEPS } else { 0 } {
        if ended.load(Ordering::Relaxed) {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    if ended.load(Ordering::Relaxed) {
        return worker.join().unwrap_or_else(|_| Err(io::Error::other("the worker panicked")));
    }
    Err(io::ErrorKind::BrokenPipe.into())
}

/// Files that a writer may have open: its three streams, the database and what belongs to it, and its directory.
const FILES: u64 = 16;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(200);

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

/// Does the first piece of work, which may write at a place, and those that follow.
fn serve((first, place): (Order, Option<Place>), craft: Craft, stop: &Arc<AtomicBool>) -> io::Result<()> {
    let line = Arc::new(Mutex::new(Line));
    let mut place = place;
    let mut next = Some(Answer::Task(first));
    while let Some(answer) = next {
        let Answer::Task(order) = answer else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        confine::for_one_task(order.seconds);
        let far: Arc<dyn Lend> = Arc::new(Far::new(&line, order.given, stop));
        let done = catch_unwind(AssertUnwindSafe(|| craft(&order.what, &order.ask, &far)));
        let word = match done {
            Ok(Ok(bytes)) => Word::Done(bytes),
            Ok(Err(words)) => Word::Broken(words),
            Err(panic) => Word::Broken(words_of(&*panic)),
        };
        // A writer writes once, and its answer is its end.
        let Some(place) = place.take() else {
            say(&line, &word)?;
            next = hear(&line)?;
            continue;
        };
        place.clear();
        return say(&line, &word);
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
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut bytes)?;
    Answer::decode(&bytes).map(Some).ok_or(io::ErrorKind::InvalidData.into())
}

/// Hands out bytes that the other process has.
struct Far {
    line: Shared,
    /// What came with the task and was not asked for yet.
    given: Mutex<Vec<Given>>,
    /// Set when the caller is gone.
    stop: Arc<AtomicBool>,
}

impl Far {
    fn new(line: &Shared, given: Vec<Given>, stop: &Arc<AtomicBool>) -> Self {
        Self { line: Arc::clone(line), given: Mutex::new(given), stop: Arc::clone(stop) }
    }

    fn blob(&self, number: u64, known: Known, head: Option<Vec<u8>>) -> Arc<dyn Blob> {
        let (line, first) = (Arc::clone(&self.line), Mutex::new(First { head, now: known.now }));
        Arc::new(FarBlob { line, number, known, first })
    }
}

impl Lend for Far {
    fn lend(&self, name: &str) -> io::Result<Option<Arc<dyn Blob>>> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = given.iter().position(|given| given.name == name) {
            let opened = given.swap_remove(at).opened;
            return Ok(opened.map(|(number, known, head)| self.blob(number, known, Some(head))));
        }
        drop(given);
        let Answer::Opened(number, known) = ask(&self.line, Request::Open(name.to_owned()))? else {
            return Ok(None);
        };
        Ok(Some(self.blob(number, known, None)))
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) { Err(Stopped::Cancelled) } else { Ok(()) }
    }

    fn emit(&self, part: Vec<u8>) -> io::Result<bool> {
        Ok(ask(&self.line, Request::Take(part))? == Answer::Flag(true))
    }
}

/// Bytes that the other process has.
#[derive(Debug)]
struct FarBlob {
    line: Shared,
    number: u64,
    known: Known,
    first: Mutex<First>,
}

/// Answers that came along with the opening, each for the first question alone: who asks again wants to know what is so
/// by then.
#[derive(Debug)]
struct First {
    head: Option<Vec<u8>>,
    now: Option<Stamp>,
}

impl FarBlob {
    /// The first bytes, where they came along and a buffer for the beginning is filled from them.
    fn take_head(&self, offset: u64, wanted: usize) -> Option<Vec<u8>> {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let head = first.head.take().filter(|_| offset == 0)?;
        (wanted <= head.len() || self.known.length == Some(head.len() as u64)).then_some(head)
    }

    fn take_stamp(&self) -> Option<Stamp> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).now.take()
    }

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
        if let Some(head) = self.take_head(offset, buffer.len()) {
            let count = head.len().min(buffer.len());
            if let (Some(to), Some(from)) = (buffer.get_mut(..count), head.get(..count)) {
                to.copy_from_slice(from);
            }
            return Ok(count);
        }
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
        if let Some(stamp) = self.take_stamp() {
            return Ok(Some(stamp));
        }
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
