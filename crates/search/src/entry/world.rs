//! The world, asked where addresses lead.

use readstone_base::Class;
use readstone_host::Host;
use readstone_source::{Opening, locate_exactly, open_path};

use super::{Lookout, Sight, scheme};

/// The world, asked where addresses lead.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Opens files.
    pub host: &'a Host,
    /// What is at hand while something is opened.
    pub opening: &'a Opening<'a>,
}

impl Lookout for World<'_> {
    fn look(&self, address: &str) -> Sight {
        // Standard input can be read once, and not to see whether it is there.
        let piped = address == "-" || address.starts_with("-:");
        let far = scheme(address)
            .is_some_and(|scheme| ["http", "https", "mcp"].iter().any(|far| scheme.eq_ignore_ascii_case(far)));
        if far || piped {
            return Sight::Unasked;
        }
        let behind = scheme(address).is_some() || address.contains([':', '?', '#']);
        let class = if scheme(address).is_some() {
            Some(Class::Missing)
        } else {
            match open_path(self.host, address, self.opening.budget) {
                Ok(_) => None,
                Err(error) => Some(readstone_base::Failure::class(&error)),
            }
        };
        match class {
            Some(Class::Missing | Class::Request) if behind => {
                seen(locate_exactly(self.host, address, self.opening).err().map(|fault| fault.class()))
            }
            other => seen(other),
        }
    }
}

/// What is refused may be there or not.
fn seen(class: Option<Class>) -> Sight {
    match class {
        None => Sight::There,
        Some(Class::Missing | Class::Request) => Sight::Missing,
        Some(
            Class::Denied | Class::TooBig | Class::Stale | Class::Broken | Class::Outside | Class::Stopped | Class::Bug,
        ) => Sight::Unasked,
    }
}
