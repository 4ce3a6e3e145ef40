//! What is allowed beyond the public web: one entry of a list that a config or a flag gives.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

use crate::error::Error;
use crate::place::{Place, within};

/// The forms of an entry, for the error about one that is none of them.
pub(crate) const FORMS: &str = "loopback, private, localhost, a host (files.example), an address (10.1.2.3, ::1), a \
     network (10.0.0.0/8) or * for every public host, each with or without a port (files.example:8443, [::1]:80, \
     [fd00::/8]:80, *:8443)";

/// Hosts that may be fetched from though they are not on the public web, or ports that are not the usual ones.
///
/// An entry without a port allows every port. The metadata services of clouds are never allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Allow {
    what: What,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum What {
    /// Addresses that never leave the machine.
    Loopback,
    /// Loopback, private, shared and link-local addresses.
    Private,
    /// The name `localhost` and names under it.
    Localhost,
    /// Every public host.
    Public,
    /// Whatever this name leads to.
    Name(String),
    /// The addresses that begin with these bits.
    Net { first: IpAddr, bits: u8 },
}

/// A host and the address it leads to, before it is connected to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    pub(crate) ip: IpAddr,
    pub(crate) place: Place,
}

impl Allow {
    /// Whether this entry is for the candidate.
    pub(crate) fn admits(&self, candidate: Candidate<'_>) -> bool {
        let Candidate { host, port, ip, place } = candidate;
        self.has_port(port)
            && match &self.what {
                What::Loopback => place == Place::Loopback,
                What::Private => {
                    matches!(place, Place::Loopback | Place::Private | Place::Shared | Place::LinkLocal)
                }
                What::Localhost => Place::names_localhost(host),
                What::Public => place == Place::Public,
                What::Name(name) => host.eq_ignore_ascii_case(name),
                What::Net { first, bits } => within(ip, *first, u32::from(*bits)),
            }
    }

    /// Whether this entry is for that port of something.
    pub(crate) fn has_port(&self, port: u16) -> bool {
        self.port.is_none_or(|own| own == port)
    }

    /// Whether this entry can be for a host, whatever its address turns out to be.
    pub(crate) fn may_be_for(&self, host: &str) -> bool {
        match &self.what {
            What::Name(name) => host.eq_ignore_ascii_case(name),
            What::Localhost => Place::names_localhost(host),
            What::Loopback | What::Private | What::Public | What::Net { .. } => true,
        }
    }

    /// Whether this entry can be for a name that means the machine itself.
    pub(crate) fn may_be_local(&self, host: &str) -> bool {
        match &self.what {
            What::Loopback | What::Private | What::Localhost => true,
            What::Name(name) => host.eq_ignore_ascii_case(name),
            What::Public | What::Net { .. } => false,
        }
    }
}

impl FromStr for Allow {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let entry = text.trim();
        parse(entry).map_err(|why| Error::BadAllow { entry: entry.to_owned(), why })
    }
}

fn parse(entry: &str) -> Result<Allow, &'static str> {
    if let Ok(ip) = entry.parse::<IpAddr>() {
        return Ok(Allow { what: single(ip)?, port: None });
    }
    let (what, port) = split_port(entry)?;
    let what = match what {
        "" => return Err("it names nothing"),
        "loopback" => What::Loopback,
        "private" => What::Private,
        "localhost" => What::Localhost,
        "*" => What::Public,
        net if net.contains('/') => network(net)?,
        host => named(host)?,
    };
    Ok(Allow { what, port })
}

/// What is allowed, and the port behind it.
fn split_port(entry: &str) -> Result<(&str, Option<u16>), &'static str> {
    let (what, port) = if let Some(rest) = entry.strip_prefix('[') {
        let (inside, behind) = rest.split_once(']').ok_or("its bracket is not closed")?;
        if behind.is_empty() {
            return Ok((inside, None));
        }
        (inside, behind.strip_prefix(':').ok_or("only :PORT may follow the bracket")?)
    } else {
        match entry.rsplit_once(':') {
            None => return Ok((entry, None)),
            // The colons of an IPv6 network without brackets.
            Some((head, _)) if head.contains(':') => return Ok((entry, None)),
            Some(parts) => parts,
        }
    };
    match port.parse::<u16>() {
        Ok(0) | Err(_) => Err("its port is not a number from 1 to 65535"),
        Ok(port) => Ok((what, Some(port))),
    }
}

fn single(ip: IpAddr) -> Result<What, &'static str> {
    if Place::of(ip) == Place::Metadata {
        return Err("the metadata service of a cloud is never allowed");
    }
    let bits = if ip.is_ipv4() { 32 } else { 128 };
    Ok(What::Net { first: ip, bits })
}

fn network(text: &str) -> Result<What, &'static str> {
    let (first, bits) = text.split_once('/').ok_or("it is no network")?;
    let first: IpAddr = first.parse().map_err(|_| "no address stands before its slash")?;
    let most = if first.is_ipv4() { 32 } else { 128 };
    match bits.parse::<u8>() {
        Ok(bits) if bits <= most => Ok(What::Net { first, bits }),
        Ok(_) | Err(_) => Err("the number behind its slash is not one of bits"),
    }
}

fn named(text: &str) -> Result<What, &'static str> {
    if text.contains('*') {
        return Err("a star stands for every public host and cannot be a part of a name");
    }
    if let Ok(ip) = text.parse::<IpAddr>() {
        return single(ip);
    }
    match Host::parse(text) {
        Ok(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_owned();
            if Place::names_metadata(&name) {
                return Err("the metadata service of a cloud is never allowed");
            }
            Ok(What::Name(name))
        }
        Ok(Host::Ipv4(ip)) => single(IpAddr::V4(ip)),
        Ok(Host::Ipv6(ip)) => single(IpAddr::V6(ip)),
        Err(_) => Err("it is no host name"),
    }
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.what {
            What::Loopback => "loopback".to_owned(),
            What::Private => "private".to_owned(),
            What::Localhost => "localhost".to_owned(),
            What::Public => "*".to_owned(),
            What::Name(name) => name.clone(),
            What::Net { first: IpAddr::V4(ip), bits: 32 } => ip.to_string(),
            What::Net { first: IpAddr::V6(ip), bits: 128 } => ip.to_string(),
            What::Net { first, bits } => format!("{first}/{bits}"),
        };
        match self.port {
            Some(port) if what.contains(':') => write!(f, "[{what}]:{port}"),
            Some(port) => write!(f, "{what}:{port}"),
            None => f.write_str(&what),
        }
    }
}
