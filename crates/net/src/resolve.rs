//! Names to addresses.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};

/// Where the addresses of a name come from; asked once for every hop.
pub trait Resolve: Send + Sync + std::fmt::Debug {
    /// The addresses of a host, best first.
    fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The resolver of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok((host, port).to_socket_addrs()?.collect())
    }
}
