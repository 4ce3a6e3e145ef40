//! The one way from a scheme to what knows it.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::Fault;
use readstone_source::{Ground, Opening, Scheme, Sourced, Sources};

use crate::error::Error;

/// Leads every address with a scheme to what knows the scheme.
#[derive(Clone, Debug, Default)]
pub struct Router {
    web: Option<Arc<dyn Sources>>,
    schemes: Vec<Arc<dyn Scheme>>,
}

impl Router {
    /// The same router with web addresses leading there.
    #[must_use]
    pub fn with_web(self, web: Arc<dyn Sources>) -> Self {
        Self { web: Some(web), ..self }
    }

    /// The same router with one more scheme.
    #[must_use]
    pub fn with(mut self, scheme: Arc<dyn Scheme>) -> Self {
        self.schemes.push(scheme);
        self
    }

    /// The forms of the addresses there are.
    pub fn known(&self) -> Vec<&'static str> {
        let web = self.web.iter().flat_map(|_| ["http://…", "https://…"]);
        web.chain(self.schemes.iter().map(|scheme| scheme.form())).collect()
    }
}

impl Sources for Router {
    fn open(&self, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let address = reading.place.as_str();
        let (name, rest) = address.split_once("://").unwrap_or(("https", address));
        let is_web = name.eq_ignore_ascii_case("http") || name.eq_ignore_ascii_case("https");
        if let Some(web) = self.web.as_ref().filter(|_| is_web) {
            return web.open(reading, opening);
        }
        match self.schemes.iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name)) {
            Some(scheme) => scheme.open(rest, reading, opening),
            None => Err(Box::new(Error::UnknownScheme { address: address.to_owned(), known: self.known() })),
        }
    }

    fn ground(&self, address: &str, opening: &Opening<'_>) -> Result<Option<Ground>, Fault> {
        let Some((name, rest)) = address.split_once("://") else { return Ok(None) };
        match self.schemes.iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name)) {
            Some(scheme) => scheme.ground(rest, opening),
            None => Ok(None),
        }
    }
}
