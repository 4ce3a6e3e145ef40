//! The client and its calls.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::builder::Builder;
use crate::change::{EditRequest, UndoRequest, WriteRequest};
use crate::error::Error;
use crate::lines::{LinesRequest, LinesResponse};
use crate::pages::Pages;
use crate::query::{escape, with_query};
use crate::reply::Reply;
use crate::request::ReadRequest;
use crate::retry::Repeat;
use crate::seek::{FindRequest, SearchRequest};
use crate::send::{Answer, Asked, Line};

/// Tools that leave the world as it is.
const READING: [&str; 4] = ["read", "find", "search", "read_file"];

/// A client of one server. A clone is another handle on the same, with the same connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) line: Arc<Line>,
}

/// A tool that the server offers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its name as a person reads it.
    #[serde(default)]
    pub title: String,
    /// What it is for, written for a model.
    #[serde(default)]
    pub description: String,
    /// Whether it leaves the world as it is.
    #[serde(default)]
    pub read_only: bool,
    /// The JSON schema of its input.
    #[serde(default)]
    pub input_schema: Value,
}

/// The token is never shown.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

impl Client {
    /// A client of the server at a URL such as `http://127.0.0.1:7333`, which may have a path where a proxy puts the
    /// server below one.
    pub fn new(base_url: &str) -> Result<Self, Error> {
        Self::builder(base_url).build()
    }

    /// A client that is set up further.
    pub fn builder(base_url: &str) -> Builder {
        Builder::new(base_url)
    }

    /// Reads one address or several. Some of several may fail while the call succeeds; then their targets in the
    /// receipt carry an `error`.
    pub async fn read(&self, request: &ReadRequest) -> Result<Reply, Error> {
        self.send("read", request).await
    }

    /// Finds paths by glob. That nothing was found is no error; then [`Receipt::found`](crate::Receipt) has no paths.
    pub async fn find(&self, request: &FindRequest) -> Result<Reply, Error> {
        self.send("find", request).await
    }

    /// Searches contents by regular expression. The targets of the receipt are the things that hold matches; that
    /// there are none is no error.
    pub async fn search(&self, request: &SearchRequest) -> Result<Reply, Error> {
        self.send("search", request).await
    }

    /// Changes lines of files by a patch: of all the files it names, or of none. The targets of the receipt have the new
    /// tags, and in their `change` how lines moved; the text shows the lines that went and came. A patch that is refused is [`Error::Refused`], and the
    /// targets of its reply have the tags there are.
    pub async fn edit(&self, request: &EditRequest) -> Result<Reply, Error> {
        self.send("edit", request).await
    }

    /// Writes a whole file, an entry of an archive, a row of a database, or the resolution of a merge conflict.
    pub async fn write(&self, request: &WriteRequest) -> Result<Reply, Error> {
        self.send("write", request).await
    }

    /// Takes back the last change of this session, byte by byte, if what it changed is still as it was made. Sessions
    /// are told apart by [`Builder::session`].
    pub async fn undo(&self, request: &UndoRequest) -> Result<Reply, Error> {
        self.send("undo", request).await
    }

    /// Reads from the first page to the last of a file; see [`Pages`].
    pub fn pages(&self, request: ReadRequest) -> Pages {
        Pages::new(self.clone(), request)
    }

    /// Calls a tool by its name, with a JSON object of arguments.
    pub async fn call(&self, tool: &str, arguments: &Value) -> Result<Reply, Error> {
        self.post(tool, arguments.to_string().into_bytes()).await
    }

    /// The tools that the server offers.
    pub async fn tools(&self) -> Result<Vec<Tool>, Error> {
        let offered: Offered = self.get("/v1/tools".to_owned()).await?.json()?;
        Ok(offered.tools)
    }

    /// Reads numbered lines of a file within hard bounds. What stands against it is told in the answer; see
    /// [`LinesResponse::into_result`].
    pub async fn read_file_lines(&self, request: &LinesRequest) -> Result<LinesResponse, Error> {
        self.get(request.target()).await?.json()
    }

    /// Reads the bytes of the file at an absolute path, from `offset` on: `limit` of them, or those up to the end. There
    /// are fewer where the file ends, and none behind its end. More than
    /// [`max_body_bytes`](Builder::max_body_bytes) are [`Error::TooLong`].
    pub async fn read_file(&self, path: &str, offset: u64, limit: Option<u64>) -> Result<Bytes, Error> {
        let number = |number: u64| Some(number.to_string());
        let pairs = [
            ("path", Some(path.to_owned())),
            ("offset", number(offset).filter(|_| offset > 0)),
            ("limit", limit.and_then(number)),
        ];
        let answer = self.get(with_query("/api/v0/read-file", pairs)).await?.checked()?;
        Ok(answer.body)
    }

    /// Whether the server is there. It needs no token.
    pub async fn health(&self) -> Result<(), Error> {
        let answer = self.get("/healthz".to_owned()).await?.checked()?;
        match answer.body.trim_ascii() {
            b"ok" => Ok(()),
            _ => Err(answer.unexpected("it is not the answer of a healthy server")),
        }
    }

    async fn get(&self, path: String) -> Result<Answer, Error> {
        self.line.send(&Asked::get(path)).await
    }

    async fn send(&self, tool: &str, request: &impl Serialize) -> Result<Reply, Error> {
        let body = serde_json::to_vec(request).map_err(|error| Error::Invalid(error.to_string()))?;
        self.post(tool, body).await
    }

    async fn post(&self, tool: &str, body: Vec<u8>) -> Result<Reply, Error> {
        // Of a tool that is not known here, nothing is known of what it does.
        let repeat = if READING.contains(&tool) { Repeat::Freely } else { Repeat::Undone };
        self.line.send(&Asked::post(format!("/v1/tools/{}", escape(tool)), body, repeat)).await?.reply()
    }
}

#[derive(Deserialize)]
struct Offered {
    tools: Vec<Tool>,
}
