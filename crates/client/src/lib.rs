//! A typed client for Readstone's HTTP surface.
//!
//! A [`Client`] speaks to one server, which `readstone serve` starts. [`read`](Client::read) gives a page of whatever an
//! address names, [`pages`](Client::pages) follows the pages to the end, [`find`](Client::find) gives paths by glob and
//! [`search`](Client::search) lines by regular expression, [`edit`](Client::edit) changes lines under a tag,
//! [`write`](Client::write) whole files, entries and rows, and [`undo`](Client::undo) takes that back;
//! [`read_file_lines`](Client::read_file_lines) and [`read_file`](Client::read_file) are the bounded line read and the
//! byte read, and [`call`](Client::call) calls any tool by its name.
//!
//! ```
//! use readstone_client::{Class, Client, Error, EditRequest, FindRequest, LinesRequest, ReadRequest, SearchRequest};
//! use readstone_client::{UndoRequest, WriteRequest};
//!
//! # // A server like the one of `readstone serve`, in this process: the example runs as it stands.
//! # async fn serve(directory: &std::path::Path) -> Result<String, Box<dyn std::error::Error>> {
//! #     let toolbox = readstone_tools::Toolbox::for_directory(directory)?;
//! #     let store = std::sync::Arc::<readstone_session::MemoryStore>::default();
//! #     let shelf = std::sync::Arc::new(readstone_session::MemoryShelf::new(1 << 20));
//! #     let sessions = readstone_session::Sessions::new(store, readstone_session::Room { snapshots: 1 << 20, drawer: 1 << 20 }, shelf, 16);
//! #     let options = readstone_http::Options {
//! #         listen: ([127, 0, 0, 1], 0).into(),
//! #         tokens: readstone_http::Tokens::default(),
//! #         hosts: Vec::new(),
//! #         origins: Vec::new(),
//! #     };
//! #     let desk = readstone_desk::Desk::new(toolbox, sessions);
//! #     let stop = tokio_util::sync::CancellationToken::new();
//! #     let server = readstone_http::Server::bind(desk, options, stop)?;
//! #     let url = format!("http://{}", server.address()?);
//! #     tokio::spawn(server.run());
//! #     Ok(url)
//! # }
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let files = tempfile::tempdir()?;
//! # let path = files.path().join("m.log").display().to_string();
//! # std::fs::write(&path, "first\nsecond\nthird\n")?;
//! # let url = serve(files.path()).await?;
//! // The url is what `readstone serve` prints: http://127.0.0.1:7333, say. Below its root lies a file m.log.
//! let client = Client::new(&url)?;
//!
//! // A page as a model reads it, and what a program needs to know of it.
//! let page = client.read(&ReadRequest::new("m.log").max_lines(2)).await?;
//! assert!(page.text().contains("\n1:first\n2:second\n"));
//! assert_eq!(page.next().collect::<Vec<_>>(), ["m.log:3-"]);
//!
//! // Every page to the end. Verbatim pages joined are the file.
//! let mut pages = client.pages(ReadRequest::new("m.log").max_lines(2).raw());
//! let mut text = String::new();
//! while let Some(page) = pages.next().await? {
//!     text += &page.text();
//! }
//! assert_eq!(text, "first\nsecond\nthird\n");
//!
//! // Paths by glob, lines by regular expression; a path that is shown can be read.
//! let found = client.find(&FindRequest::new("*.log")).await?.receipt.found.unwrap_or_default();
//! assert_eq!((found.paths.as_slice(), found.total), (["m.log".to_owned()].as_slice(), Some(1)));
//! let hits = client.search(&SearchRequest::new("SECOND", ".").ignore_case()).await?;
//! assert!(hits.text().contains("\n*2:second\n"));
//!
//! // Numbered lines within hard bounds, by the absolute path of a file.
//! let lines = client.read_file_lines(&LinesRequest::new(&path).offset(2).limit(1)).await?.into_result()?;
//! assert_eq!((lines.content.as_str(), lines.total_lines), ("2\tsecond", Some(3)));
//!
//! // Its bytes, from an offset on and as many as a limit says.
//! assert_eq!(client.read_file(&path, 6, Some(6)).await?, "second");
//!
//! // Lines are changed by their numbers, under the tag that a reply gave; the next edit goes on from this reply.
//! let tag = hits.receipt.targets[0].tag.clone().unwrap_or_default();
//! let edited = client.edit(&EditRequest::of("m.log", &tag, "replace 2:\n+2nd\n+2nd and a half\n")).await?;
//! let target = &edited.receipt.targets[0];
//! assert_eq!(target.change.as_ref().map(|change| change.moved(3)), Some(4));
//! let tag = target.tag.clone().unwrap_or_default();
//! client.edit(&EditRequest::of("m.log", &tag, "delete 3")).await?;
//! assert_eq!(client.read_file(&path, 0, None).await?, "first\n2nd\nthird\n");
//!
//! // Whole files are written, and every change can be taken back.
//! client.write(&WriteRequest::new("notes/new.txt", "text\n").if_new()).await?;
//! client.undo(&UndoRequest::last()).await?;
//!
//! // A failure is an error with a code to branch on and the calls that can be made instead.
//! match client.read(&ReadRequest::new("n.log")).await {
//!     Err(Error::Refused(refusal)) => assert_eq!((refusal.status, refusal.failure.class), (404, Class::Missing)),
//!     other => panic!("there is no n.log: {other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! There is one type, [`Error`]. A call that the server refused or that failed there is [`Error::Refused`], also when
//! it is answered with a whole reply. One answer is not made an error by itself: a line read answered with
//! `success: false` is data, as its contract has it; [`LinesResponse::into_result`] makes it [`Error::NotRead`].
//!
//! # What it does by itself
//!
//! - A request is sent again after the statuses 429 and 502 only, [`Builder::retries`] times, with pauses that double,
//!   starting at 100 ms, and are no shorter than the server's `Retry-After` asks; a pause is at most
//!   [`Builder::longest_pause`]. After the last attempt a 429 is [`Error::Busy`]. A request that may change something
//!   is sent again after a 429 only: behind a 502 it may have been carried out, and a second time would be one too
//!   many. Nothing else is tried again, but a request that never left because a kept connection had just been closed
//!   goes out on a new one.
//! - A call with all its attempts and pauses takes at most [`Builder::timeout`]. A future that is dropped ends its
//!   request, and the server stops the work.
//! - An answer is held in memory, and no more of it than [`Builder::max_body_bytes`].
//! - No redirect is followed and no proxy is taken from the environment, so a token goes to the server named and
//!   nowhere else. Over `http` it can be read on the way: use it on loopback, or `https` with the feature `tls`.
//!
//! It runs on tokio, with its timers and its sockets enabled.

mod answer;
mod builder;
mod change;
mod client;
mod connect;
mod error;
mod failure;
mod found;
mod lines;
mod pages;
mod query;
mod reply;
mod request;
mod retry;
mod seek;
mod send;

pub use builder::Builder;
pub use bytes::Bytes;
pub use change::{Change, EditRequest, Resolved, Shift, UndoRequest, WriteRequest};
pub use client::{Client, Tool};
pub use error::{Error, Transport};
pub use failure::{Class, Failure, Next, Refusal, Validation};
pub use found::{Found, Matches};
pub use lines::{LinesRequest, LinesResponse};
pub use pages::Pages;
pub use reply::{Cut, Hidden, Note, Part, Receipt, Reply, Shown, Span, Status, Summary, Target, Tokens, Totals};
pub use request::ReadRequest;
pub use seek::{FindRequest, SearchRequest};
