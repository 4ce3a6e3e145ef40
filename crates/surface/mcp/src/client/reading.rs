//! What an address of a resource leads to.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Budget, Kind, Memory, Percent, Stamp, Web, WebNote};
use readstone_source::{Alone, Content, Converted, Finding, Nature, Opening, Piece, Sourced, version_of};
use rmcp::model::ResourceContents;

use super::catalog::{Catalog, short};
use super::connection::{Answer, Ask, Trouble};
use super::contents::{Unfit, make};
use super::error::Error;
use super::kept::{self, Found};
use super::{McpScheme, McpServer};

/// One address on its way to what it names.
pub(super) struct Call<'a> {
    pub(super) scheme: &'a McpScheme,
    /// What stands behind `mcp://`.
    pub(super) rest: &'a str,
    pub(super) reading: &'a Reading,
    pub(super) opening: &'a Opening<'a>,
    pub(super) budget: &'a Budget,
}

/// Codes with which servers say that there is no such resource.
const NOT_THERE: [i32; 2] = [-32002, -32602];
/// Servers that are asked for a resource whose server is not named.
const MOST_SEARCHED: usize = 32;

impl Call<'_> {
    /// What a server lists.
    pub(super) fn list(&self, server: &McpServer) -> Result<Sourced, Error> {
        let catalog = self.catalog(server)?;
        let text = catalog.text(&server.name);
        let content = Content::Converted(Converted::text(Kind::Web, text.into_bytes()));
        let path = format!("mcp://{}", server.name);
        let mut notes = Vec::new();
        if catalog.cut {
            notes.push(WebNote::Said(format!("{} entries are listed, and there are more", catalog.entries.len())));
        }
        if catalog.entries.is_empty() {
            notes.push(WebNote::Said("the server lists no resources".to_owned()));
        }
        let web = self.web(server, path.clone(), None, notes);
        Ok(self.sourced(path, Finding::Content(content), web))
    }

    /// What a resource holds.
    pub(super) fn read(&self, server: &McpServer, uri: &str) -> Result<Sourced, Error> {
        match kept::find(self, &place(server, uri)) {
            Found::Copy(contents) => return self.shown(server, uri, contents),
            // The reading without the selector finds it; the server need not be asked for a name with it.
            Found::Shorter => {
                let (address, servers) = (self.address(), vec![server.name.clone()]);
                return Err(Error::NotFound { address, servers, words: String::new(), near: Vec::new() });
            }
            Found::Nothing => {}
        }
        let (code, words) = match self.ask(server, &Ask::Read(uri.to_owned())) {
            Ok(answer) => return self.take(server, uri, answer),
            Err(Trouble::Refused(code, words)) => (code, words),
            Err(trouble) => return Err(self.error(server, trouble)),
        };
        let decoded = Percent::of(uri).exact().filter(|decoded| !decoded.contains('\0'));
        if let Some(decoded) = decoded
            && let Ok(answer) = self.ask(server, &Ask::Read(decoded.clone()))
        {
            return self.take(server, &decoded, answer);
        }
        let catalog = self.catalog(server)?;
        // What is not listed may still be a name with a selector behind it.
        let known = catalog.lists(uri) || (catalog.fits(uri) && !self.may_have_selector(uri));
        if known && !NOT_THERE.contains(&code) {
            return Err(self.error(server, Trouble::Refused(code, words)));
        }
        let near = catalog.near(uri).into_iter().map(|near| format!("mcp://{}/{near}", server.name)).collect();
        Err(Error::NotFound { address: self.address(), servers: vec![server.name.clone()], words, near })
    }

    /// A resource of the one server that has it.
    pub(super) fn search(&self, uri: &str) -> Result<Sourced, Error> {
        // A server with a selector behind it is no resource.
        let with_selector = uri.split_once(':').filter(|(_, behind)| !behind.starts_with("//"));
        let names_server = with_selector.is_some_and(|(head, _)| self.scheme.named(head).is_some());
        let mut holders = Vec::new();
        let mut near = Vec::new();
        let mut refusal = None;
        let all = self.scheme.servers.iter().take(if names_server { 0 } else { MOST_SEARCHED });
        for server in all {
            match self.catalog(server) {
                Ok(catalog) if catalog.fits(uri) => holders.push((server, catalog.lists(uri))),
                Ok(catalog) => {
                    near.extend(catalog.near(uri).into_iter().map(|near| format!("mcp://{}/{near}", server.name)));
                }
                Err(error @ Error::Timeout { .. }) => return Err(error),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        // One that lists it goes before those that may have it.
        if holders.iter().any(|(_, lists)| *lists) {
            holders.retain(|(_, lists)| *lists);
        }
        if let [(server, _)] = holders.as_slice() {
            return self.read(server, uri);
        }
        let address = self.address();
        if !holders.is_empty() {
            let servers = holders.into_iter().map(|(server, _)| server.name.clone()).collect();
            return Err(Error::Several { address, servers, uri: uri.to_owned() });
        }
        near.truncate(3);
        let none = Error::NotFound { address, servers: self.scheme.names(), words: String::new(), near };
        Err(refusal.unwrap_or(none))
    }

    fn address(&self) -> String {
        format!("mcp://{}", self.rest)
    }

    /// Whether there is a colon behind the scheme of a name, where a selector could begin.
    fn may_have_selector(&self, uri: &str) -> bool {
        let behind = uri.split_once(':').map_or("", |(_, behind)| behind);
        self.reading.tail.is_none() && behind.contains(':')
    }

    fn ask(&self, server: &McpServer, ask: &Ask) -> Result<Answer, Trouble> {
        self.scheme.ask(server, ask, self.opening.limits.fetch_bytes, self.budget)
    }

    fn catalog(&self, server: &McpServer) -> Result<Catalog, Error> {
        match self.ask(server, &Ask::List) {
            Ok(Answer::Catalog(catalog)) => Ok(catalog),
            Ok(Answer::Contents(_)) => Err(self.error(server, Trouble::Odd)),
            Err(trouble) => Err(self.error(server, trouble)),
        }
    }

    fn take(&self, server: &McpServer, uri: &str, answer: Answer) -> Result<Sourced, Error> {
        match answer {
            Answer::Contents(contents) => {
                kept::keep(self, &place(server, uri), &contents);
                self.shown(server, uri, contents)
            }
            Answer::Catalog(_) => Err(self.error(server, Trouble::Odd)),
        }
    }

    fn shown(&self, server: &McpServer, uri: &str, contents: Vec<ResourceContents>) -> Result<Sourced, Error> {
        let most = self.opening.limits.fetch_bytes;
        let empty = contents.is_empty().then(|| WebNote::Said("the server sent nothing".to_owned()));
        let made = make(contents, uri, most).map_err(|unfit| match unfit {
            Unfit::TooBig => Error::TooBig { address: self.address(), most },
            Unfit::Broken => failed(server, "sent bytes that are not in Base64", String::new()),
        })?;
        let path = place(server, uri);
        let stamp = Stamp::of_content(&version_of(&made.bytes), made.bytes.len() as u64);
        let blob = Arc::new(Memory::new(made.bytes));
        let piece = Piece { blob, path: path.clone(), name: made.name, stamp: Some(stamp), beside: Arc::new(Alone) };
        let mime = made.mime.as_deref().map(short);
        let web = self.web(server, uri.to_owned(), mime, empty.into_iter().collect());
        Ok(self.sourced(path, Finding::Piece(piece), web))
    }

    fn sourced(&self, path: String, found: Finding, web: Web) -> Sourced {
        let tail = self.reading.tail.clone();
        Sourced { path, found, tail, nature: Nature::Fixed, notes: Vec::new(), web: Some(web), host: None }
    }

    fn web(&self, server: &McpServer, final_url: String, content_type: Option<String>, notes: Vec<WebNote>) -> Web {
        let (url, origin) = (self.address(), server.name.clone());
        Web { url, final_url, content_type, method: "mcp", origin, notes, title: None, own: None, fence: String::new() }
    }

    fn error(&self, server: &McpServer, trouble: Trouble) -> Error {
        let name = server.name.clone();
        match trouble {
            Trouble::NoStart(why) => Error::NoStart { server: name, why },
            Trouble::Unreachable(why) => failed(server, "cannot be reached", why),
            Trouble::Stopped(stopped) => Error::Timeout { server: name, stopped },
            Trouble::TooLong => Error::TooBig { address: self.address(), most: self.opening.limits.fetch_bytes },
            Trouble::Refused(_, words) => failed(server, "refused", words),
            Trouble::Died(words) => failed(server, "ended before it answered", words),
            Trouble::Gone => failed(server, "ended before it answered", String::new()),
            Trouble::Garbage(words) => failed(server, "writes what is no message", words),
            Trouble::Asks => failed(server, "asks for what is not offered to servers", String::new()),
            Trouble::Odd => failed(server, "gave an answer to another question", String::new()),
        }
    }
}

fn failed(server: &McpServer, what: &'static str, words: String) -> Error {
    Error::Failed { server: server.name.clone(), what, words }
}

/// The address of a resource.
fn place(server: &McpServer, uri: &str) -> String {
    format!("mcp://{}/{uri}", server.name)
}
