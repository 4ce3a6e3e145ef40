//! A socket that is never waited on for longer than the call lasts.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use readstone_base::{Budget, Stopped};

/// How long a read waits before it asks whether anybody still wants it.
const TICK: Duration = Duration::from_millis(25);
/// A peer that says nothing for this many ticks is given up, for calls that have no deadline: 30 seconds.
const SILENT_TICKS: u32 = 1200;

/// Whether a fetch is still wanted, as the thread that does it sees it.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    budget: Budget,
    abandoned: Arc<AtomicBool>,
}

impl Watch {
    pub(super) fn new(budget: Budget, abandoned: Arc<AtomicBool>) -> Self {
        Self { budget, abandoned }
    }

    pub(super) fn check(&self) -> Result<(), Stopped> {
        self.budget.still_wanted()?;
        if self.abandoned.load(Ordering::Relaxed) { Err(Stopped::Deadline) } else { Ok(()) }
    }

    /// The time there is for something that takes `usual` at most.
    fn at_most(&self, usual: Duration) -> Duration {
        self.budget.left().map_or(usual, |left| left.min(usual)).max(Duration::from_millis(1))
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct Line {
    tcp: TcpStream,
    watch: Watch,
}

impl Line {
    /// Connects to an address that was judged.
    pub(super) fn open(address: SocketAddr, usual: Duration, watch: &Watch) -> io::Result<Self> {
        let tcp = TcpStream::connect_timeout(&address, watch.at_most(usual))?;
        tcp.set_read_timeout(Some(TICK))?;
        tcp.set_write_timeout(Some(TICK))?;
        tcp.set_nodelay(true)?;
        Ok(Self { tcp, watch: watch.clone() })
    }

    fn patiently(&mut self, mut step: impl FnMut(&mut TcpStream) -> io::Result<usize>) -> io::Result<usize> {
        for _ in 0..SILENT_TICKS {
            self.watch.check().map_err(|_| io::Error::from(ErrorKind::TimedOut))?;
            match step(&mut self.tcp) {
                Err(cause) if waits(&cause) => {}
                done => return done,
            }
        }
        Err(ErrorKind::TimedOut.into())
    }
}

fn waits(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.patiently(|tcp| tcp.read(buffer))
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(|tcp| tcp.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}
