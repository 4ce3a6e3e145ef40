//! `GET /api/v0/read-file`: the bytes of a file, streamed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, Uri, header};
use hyper::body::{Frame, SizeHint};
use readstone_base::{Fault, TargetError};
use readstone_desk::{Counted, Desk, Error, SessionName};
use readstone_tools::{OpenFile, Toolbox};

use crate::answer;
use crate::query::{BadParameter, Query};
use crate::types::media_type;

/// How much of a file is in memory at a time.
const PIECE: u64 = 128 * 1024;
/// How long an answer that has begun waits before it asks a busy server again.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers with the bytes, from `offset` on and at most `limit` of them.
pub(crate) async fn read(
    State(desk): State<Arc<Desk>>,
    Extension(SessionName(session)): Extension<SessionName>,
    uri: Uri,
) -> Response {
    let asked = match ask(&uri) {
        Ok(asked) => asked,
        Err(bad) => return answer::bad_parameters(&bad),
    };
    let budget = desk.budget();
    let began = budget.clock().elapsed();
    let path = asked.path.clone();
    let opened = desk.run(Some(&asked.path), move |toolbox: &Toolbox, budget| toolbox.open_file(&path, budget)).await;
    let opened = match opened {
        Ok(Ok(file)) => Ok(file),
        Ok(Err(fault)) => Err(TargetError::of(&*fault)),
        Err(error) => Err(TargetError::of(&error)),
    };
    let span = opened.as_ref().map_or((0, 0), |file| asked.span(file.size()));
    desk.count(
        &session,
        &Counted {
            tool: "read_file_bytes",
            paths: vec![asked.path.as_str()],
            bytes: span.1 - span.0,
            codes: opened.as_ref().err().map(|error| error.code).into_iter().collect(),
            took: budget.clock().elapsed().saturating_sub(began),
        },
    );
    match opened {
        Ok(file) => stream(desk, file, &asked, span),
        Err(error) => answer::problem(&error),
    }
}

/// The bytes as an answer.
fn stream(desk: Arc<Desk>, file: OpenFile, asked: &Asked, (start, end): (u64, u64)) -> Response {
    let kind = HeaderValue::from_static(media_type(&asked.path));
    let path = asked.path.clone();
    let mut answer = Response::new(Body::new(Pieces { desk, file, path, at: start, end, reading: None }));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(end - start));
    answer
}

struct Asked {
    path: String,
    offset: u64,
    limit: Option<u64>,
}

impl Asked {
    /// Where the bytes begin and end in a file of this size.
    fn span(&self, size: u64) -> (u64, u64) {
        let start = self.offset.min(size);
        (start, self.limit.map_or(size, |limit| start.saturating_add(limit).min(size)))
    }
}

fn ask(uri: &Uri) -> Result<Asked, Vec<BadParameter>> {
    let mut query = Query::parse(uri.query(), &["path", "offset", "limit"]);
    let path = query.text("path");
    let (offset, limit) = (query.number("offset", 0).unwrap_or(0), query.number("limit", 1));
    query.check()?;
    Ok(Asked { path, offset, limit })
}

/// The bytes of a file, a piece at a time; whoever drops it stops the reading.
struct Pieces {
    desk: Arc<Desk>,
    file: OpenFile,
    path: String,
    at: u64,
    end: u64,
    reading: Option<Reading>,
}

type Reading = Pin<Box<dyn Future<Output = Result<Result<Vec<u8>, Fault>, Error>> + Send>>;

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        if this.at >= this.end {
            return Poll::Ready(None);
        }
        let reading = this.reading.get_or_insert_with(|| {
            let (desk, file, path) = (Arc::clone(&this.desk), this.file.clone(), this.path.clone());
            let (start, end) = (this.at, this.end.min(this.at + PIECE));
            Box::pin(piece(desk, file, path, (start, end)))
        });
        let read = std::task::ready!(reading.as_mut().poll(context));
        this.reading = None;
        Poll::Ready(Some(match read {
            Ok(Ok(bytes)) if !bytes.is_empty() => {
                this.at += bytes.len() as u64;
                Ok(Frame::data(bytes.into()))
            }
            // The length was promised; a file that became shorter breaks the answer off, which the caller sees.
            Ok(Ok(_)) => Err(std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the file became shorter")),
            Ok(Err(fault)) => Err(std::io::Error::other(fault.to_string())),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.end - self.at)
    }
}

/// A piece of a file. An answer that has begun waits for a busy server rather than to break off.
async fn piece(
    desk: Arc<Desk>,
    file: OpenFile,
    path: String,
    span: (u64, u64),
) -> Result<Result<Vec<u8>, Fault>, Error> {
    loop {
        let own = file.clone();
        match desk.run(Some(&path), move |_, _| own.bytes(span.0, span.1)).await {
            Err(Error::Busy | Error::Late) => tokio::time::sleep(PAUSE).await,
            read @ (Ok(_) | Err(Error::Stuck | Error::Hung | Error::Broken)) => return read,
        }
    }
}
