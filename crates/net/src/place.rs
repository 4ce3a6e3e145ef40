//! What an address is: a place on the public web, or one of the many that are not.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The public network.
    Public,
    /// This machine, by an address that never leaves it.
    Loopback,
    /// This machine, by an address that others know.
    OwnAddress,
    /// A private network (RFC 1918, unique local, or site-local).
    Private,
    /// The shared addresses of a provider (RFC 6598).
    Shared,
    /// The local link.
    LinkLocal,
    /// The service that hands credentials to machines of a cloud.
    Metadata,
    /// No address at all: it stands for this machine or this network.
    Unspecified,
    /// Many machines at once.
    Multicast,
    /// Addresses for examples and measurements.
    Documentation,
    /// Addresses nobody may have, or that belong to a protocol.
    Reserved,
    /// An IPv4 address that is written as or reached through an IPv6 one.
    Embedded,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "public",
            Self::Loopback => "loopback (this machine)",
            Self::OwnAddress => "an address of this machine",
            Self::Private => "in a private network",
            Self::Shared => "in the shared network of a provider",
            Self::LinkLocal => "on the local link",
            Self::Metadata => "the metadata service of a cloud",
            Self::Unspecified => "an unspecified address (this machine or this network)",
            Self::Multicast => "a multicast or broadcast address",
            Self::Documentation => "reserved for documentation and tests",
            Self::Reserved => "a reserved address",
            Self::Embedded => "an IPv4 address inside an IPv6 address",
        })
    }
}

impl Place {
    /// What an address is by itself, whichever machine looks at it.
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(ip) => of_v4(ip),
            IpAddr::V6(ip) => of_v6(ip),
        }
    }

    /// Whether this name is known to lead to the credentials of a machine in a cloud.
    pub(crate) fn names_metadata(host: &str) -> bool {
        METADATA_HOSTS.iter().any(|known| host.eq_ignore_ascii_case(known))
    }

    /// Whether this name means the machine itself.
    pub(crate) fn names_localhost(host: &str) -> bool {
        let last = host.rsplit('.').next().unwrap_or_default();
        last.eq_ignore_ascii_case("localhost") || host.eq_ignore_ascii_case("localhost.localdomain")
    }
}

const METADATA_HOSTS: [&str; 8] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "instance-data",
    "instance-data.ec2.internal",
];

const METADATA_V4: [Ipv4Addr; 8] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(169, 254, 0, 23),
    Ipv4Addr::new(169, 254, 42, 42),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];

const METADATA_V6: [Ipv6Addr; 4] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),
];

const NETS_V4: [(Ipv4Addr, u32, Place); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8, Place::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Place::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Place::Shared),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Place::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Place::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Place::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Place::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Place::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Place::Reserved),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Place::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Place::Documentation),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Place::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Place::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Place::Multicast),
    (Ipv4Addr::BROADCAST, 32, Place::Multicast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Place::Reserved),
];

/// Only `2000::/3` is given out at all; these parts of it are not the public web either.
const NETS_V6: [(Ipv6Addr, u32, Place); 10] = [
    (Ipv6Addr::UNSPECIFIED, 128, Place::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Place::Loopback),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Place::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Place::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Place::Private),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Place::Multicast),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Place::Documentation),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Place::Documentation),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Place::Reserved),
    (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3, Place::Public),
];

fn of_v4(ip: Ipv4Addr) -> Place {
    if METADATA_V4.contains(&ip) {
        return Place::Metadata;
    }
    NETS_V4
        .iter()
        .find(|(net, bits, _)| within(IpAddr::V4(ip), IpAddr::V4(*net), *bits))
        .map_or(Place::Public, |(_, _, place)| *place)
}

fn of_v6(ip: Ipv6Addr) -> Place {
    if METADATA_V6.contains(&ip) {
        return Place::Metadata;
    }
    let inner = embedded(ip);
    if !inner.is_empty() {
        let metadata = inner.into_iter().any(|inner| of_v4(inner) == Place::Metadata);
        return if metadata { Place::Metadata } else { Place::Embedded };
    }
    NETS_V6
        .iter()
        .find(|(net, bits, _)| within(IpAddr::V6(ip), IpAddr::V6(*net), *bits))
        .map_or(Place::Reserved, |(_, _, place)| *place)
}

/// The IPv4 addresses that a packet to this IPv6 address may end at.
fn embedded(ip: Ipv6Addr) -> Vec<Ipv4Addr> {
    let bits = ip.to_bits();
    let v4 = |bits: u128| Ipv4Addr::from_bits(u32::try_from(bits & 0xffff_ffff).unwrap_or_default());
    match ip.segments() {
        // Mapped, translated (RFC 2765), and the prefix that all NAT64 know.
        [0, 0, 0, 0, 0, 0xffff, _, _] | [0, 0, 0, 0, 0xffff, 0, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => {
            vec![v4(bits)]
        }
        // The NAT64 of a network may divide its own prefix, and puts the address behind 48, 56, 64 or 96 bits; what it
        // puts there stands around the bits from 64 to 71, which are none of it (RFC 6052).
        [0x64, 0xff9b, 1, ..] => {
            let closed = ((bits >> 64) << 56) | (bits & 0x00ff_ffff_ffff_ffff);
            vec![v4(closed >> 40), v4(closed >> 32), v4(closed >> 24), v4(bits)]
        }
        // Compatible.
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 || low > 1 => vec![v4(bits)],
        // 6to4 has it after the prefix; Teredo has the client's inverted at the end.
        [0x2002, ..] => vec![v4(bits >> 80)],
        [0x2001, 0, ..] => vec![v4(!bits)],
        _ => Vec::new(),
    }
}

/// Whether an address lies in a network given by its first bits.
pub(crate) fn within(address: IpAddr, net: IpAddr, bits: u32) -> bool {
    match (address, net) {
        (IpAddr::V4(address), IpAddr::V4(net)) => {
            let shift = 32u32.saturating_sub(bits);
            address.to_bits().checked_shr(shift).unwrap_or(0) == net.to_bits().checked_shr(shift).unwrap_or(0)
        }
        (IpAddr::V6(address), IpAddr::V6(net)) => {
            let shift = 128u32.saturating_sub(bits);
            address.to_bits().checked_shr(shift).unwrap_or(0) == net.to_bits().checked_shr(shift).unwrap_or(0)
        }
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
    }
}
