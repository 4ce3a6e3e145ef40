//! A socket that is never waited on for longer than the call lasts.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use readstone_base::{Budget, CancelToken, Stopped};
use readstone_host::{DescriptorWait, Readiness, Waited};

/// A peer that says nothing for this long is given up, for calls that have no deadline.
const SILENCE: Duration = Duration::from_secs(30);

/// Whether a fetch is still wanted, as the thread that does it sees it.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    budget: Budget,
    /// Cancelled when the caller has left.
    abandoned: CancelToken,
}

impl Watch {
    pub(super) fn new(budget: Budget, abandoned: CancelToken) -> Self {
        Self { budget, abandoned }
    }

    pub(super) fn check(&self) -> Result<(), Stopped> {
        self.budget.still_wanted()?;
        if self.abandoned.is_cancelled() { Err(Stopped::Deadline) } else { Ok(()) }
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
    wait: DescriptorWait,
    watch: Watch,
}

impl Line {
    /// Connects to an address that was judged.
    pub(super) fn open(address: SocketAddr, usual: Duration, watch: &Watch) -> io::Result<Self> {
        let tcp = TcpStream::connect_timeout(&address, watch.at_most(usual))?;
        tcp.set_nonblocking(true)?;
        tcp.set_nodelay(true)?;
        let wait = DescriptorWait::new(&[watch.budget.cancel_token(), &watch.abandoned])?;
        Ok(Self { tcp, wait, watch: watch.clone() })
    }

    /// Takes a step, and waits for the peer as often as the step needs it.
    fn step(
        &mut self,
        readiness: Readiness,
        mut step: impl FnMut(&mut TcpStream) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let late = || io::Error::from(ErrorKind::TimedOut);
        loop {
            self.watch.check().map_err(|_| late())?;
            match step(&mut self.tcp) {
                Err(cause) if waits(&cause) => {}
                done => return done,
            }
            match self.wait.until(&self.tcp, readiness, Some(SILENCE), &self.watch.budget)? {
                Waited::Ready => {}
                Waited::TimedOut | Waited::Stopped => return Err(late()),
            }
        }
    }
}

fn waits(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.step(Readiness::Read, |tcp| tcp.read(buffer))
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.step(Readiness::Write, |tcp| tcp.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}
