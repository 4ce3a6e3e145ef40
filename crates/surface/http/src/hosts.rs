//! Which names this server answers to.

use std::net::{IpAddr, SocketAddr};

/// The names and origins that requests may carry.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    local: bool,
    names: Vec<String>,
    origins: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(listen: SocketAddr, names: &[String], origins: &[String]) -> Self {
        let lower = |all: &[String]| all.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { local: listen.ip().is_loopback(), names: lower(names), origins: lower(origins) }
    }

    /// Whether a `Host` may be asked for. A page that rebinds a name always carries the name, so addresses are safe
    /// where the server is meant to be reached from elsewhere.
    pub(crate) fn serves(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let Some(name) = without_port(&authority) else {
            return false;
        };
        let address = address(name);
        let loopback = name == "localhost" || address.is_some_and(|address| address.is_loopback());
        let reached = !self.local && address.is_some();
        loopback || reached || self.names.iter().any(|host| host == name || *host == authority)
    }

    /// Whether the operator named this origin.
    pub(crate) fn names(&self, origin: &str) -> bool {
        self.origins.iter().any(|named| named.eq_ignore_ascii_case(origin))
    }

    /// Whether a page of this origin may call.
    pub(crate) fn trusts(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let Some(name) = authority.and_then(without_port) else {
            return false;
        };
        let loopback = name == "localhost" || address(name).is_some_and(|address| address.is_loopback());
        (self.local && loopback) || self.names.iter().any(|host| host == name)
    }
}

/// The host of an authority; `None` when it is none.
fn without_port(authority: &str) -> Option<&str> {
    let (name, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let end = rest.find(']')? + 2;
            (authority.get(..end)?, authority.get(end..)?)
        }
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let digits = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let sound = port.is_empty() || port.strip_prefix(':').is_some_and(digits);
    (sound && !name.is_empty()).then_some(name)
}

fn address(name: &str) -> Option<IpAddr> {
    name.trim_start_matches('[').trim_end_matches(']').parse().ok()
}
