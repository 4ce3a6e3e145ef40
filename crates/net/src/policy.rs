//! Which addresses may be connected to.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use crate::allow::{Allow, Candidate};
use crate::error::Error;
use crate::place::Place;
use crate::url::WebUrl;

/// The ports of the web.
const PORTS: [u16; 2] = [80, 443];

/// What may be fetched: what is listed, and unless that is all, public addresses on ports 80 and 443.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetPolicy {
    /// How much of the public web may be fetched.
    pub web: Web,
    /// What is allowed beside that.
    pub allow: Vec<Allow>,
    /// The proxy everything goes through, as `http://host:port`; never taken from the environment.
    pub proxy: Option<String>,
}

/// How much of the public web may be fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Web {
    /// All of it.
    #[default]
    Public,
    /// What is listed, and nothing else: what was read elsewhere cannot be sent to anybody in an address.
    Listed,
}

impl NetPolicy {
    /// Refuses what the name and the port alone decide, before anybody is asked for the address.
    pub(crate) fn judge_name(&self, url: &WebUrl) -> Result<(), Error> {
        let (host, port) = (url.plain_host(), url.port());
        let blocked = |place| Error::Blocked { host: url.host().to_owned(), port, address: None, place, from: None };
        if Place::names_metadata(host) {
            return Err(blocked(Place::Metadata));
        }
        let listed = || self.allow.iter().filter(|entry| entry.has_port(port));
        // Not even a name is asked for, since the question would tell it.
        if self.web == Web::Listed && !listed().any(|entry| entry.may_be_for(host)) {
            return Err(unlisted(url));
        }
        if Place::names_localhost(host) {
            let local = listed().any(|entry| entry.may_be_local(host));
            return if local { Ok(()) } else { Err(blocked(Place::Loopback)) };
        }
        if url.ip().is_none() && !PORTS.contains(&port) && listed().next().is_none() {
            return Err(port_of(url));
        }
        Ok(())
    }

    /// Judges an address that the host of the URL leads to.
    pub(crate) fn judge(&self, url: &WebUrl, ip: IpAddr) -> Result<(), Error> {
        let own = || Place::of(ip) == Place::Public && is_own(ip);
        let place = if own() { Place::OwnAddress } else { Place::of(ip) };
        let port = url.port();
        let blocked = || Error::Blocked { host: url.host().to_owned(), port, address: Some(ip), place, from: None };
        if place == Place::Metadata {
            return Err(blocked());
        }
        let candidate = Candidate { host: url.plain_host(), port, ip, place };
        if self.allow.iter().any(|entry| entry.admits(candidate)) {
            return Ok(());
        }
        if place != Place::Public {
            return Err(blocked());
        }
        if self.web == Web::Listed {
            return Err(unlisted(url));
        }
        if PORTS.contains(&port) { Ok(()) } else { Err(port_of(url)) }
    }
}

fn unlisted(url: &WebUrl) -> Error {
    Error::Unlisted { host: url.host().to_owned(), port: url.port(), from: None }
}

fn port_of(url: &WebUrl) -> Error {
    Error::Port { host: url.host().to_owned(), port: url.port(), from: None }
}

/// Whether the address belongs to this machine: then a socket can be bound to it. No packet is sent for that.
fn is_own(ip: IpAddr) -> bool {
    let binds = |ip: IpAddr| UdpSocket::bind(SocketAddr::new(ip, 0)).is_ok();
    // A system may let sockets be bound to addresses it does not have; then only the way a packet would take tells.
    let foreign = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    binds(ip) && (!binds(foreign) || is_own_source(ip))
}

fn is_own_source(ip: IpAddr) -> bool {
    let any = if ip.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let local = UdpSocket::bind(any).and_then(|socket| {
        socket.connect(SocketAddr::new(ip, 9))?;
        socket.local_addr()
    });
    local.is_ok_and(|local| local.ip() == ip)
}

#[cfg(test)]
mod tests {
    use super::{is_own, is_own_source};

    #[test]
    fn n01_an_address_of_this_machine_is_told_from_one_of_another() {
        let own = "127.0.0.1".parse().unwrap();
        let foreign = "203.0.113.9".parse().unwrap();
        assert!(is_own(own) && is_own_source(own));
        assert!(!is_own(foreign) && !is_own_source(foreign));
    }
}
