//! `GET /api/v0/read-file`: the bytes of a file, streamed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode, Uri, header};
use hyper::body::{Frame, SizeHint};
use readstone_base::{Fault, TargetError};
use readstone_desk::{BUSY, Desk, Error};
use readstone_tools::{OpenFile, Toolbox};
use serde_json::json;

use crate::answer;
use crate::query::{BadParameter, Query};

/// How much of a file is in memory at a time.
const PIECE: u64 = 128 * 1024;

/// Answers with the bytes, from `offset` on and at most `limit` of them.
pub(crate) async fn read(State(desk): State<Arc<Desk>>, uri: Uri) -> Response {
    let asked = match ask(&uri) {
        Ok(asked) => asked,
        Err(bad) => return answer::bad_parameter(&bad),
    };
    let path = asked.path.clone();
    let opened = desk.run(Some(&asked.path), move |toolbox: &Toolbox, budget| toolbox.open_file(&path, budget)).await;
    let file = match opened {
        Ok(Ok(file)) => file,
        Ok(Err(fault)) => return failed(&fault),
        Err(error) => return refused(error),
    };
    let start = asked.offset.min(file.size());
    let end = asked.limit.map_or(file.size(), |limit| start.saturating_add(limit).min(file.size()));
    let kind = mime_guess::from_path(&asked.path).first_or_octet_stream();
    let mut answer = Response::new(Body::new(Pieces { desk, file, at: start, end, reading: None }));
    let headers = answer.headers_mut();
    let kind = HeaderValue::from_str(kind.as_ref()).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(end - start));
    answer
}

struct Asked {
    path: String,
    offset: u64,
    limit: Option<u64>,
}

fn ask(uri: &Uri) -> Result<Asked, BadParameter> {
    let query = Query::parse(uri.query(), &["path", "offset", "limit"])?;
    let path = query.text("path")?;
    Ok(Asked { path, offset: query.number("offset", 0)?.unwrap_or(0), limit: query.number("limit", 1)? })
}

/// The bytes of a file, a piece at a time; whoever drops it stops the reading.
struct Pieces {
    desk: Arc<Desk>,
    file: OpenFile,
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
            let (desk, file, start) = (Arc::clone(&this.desk), this.file.clone(), this.at);
            let end = this.end.min(start + PIECE);
            Box::pin(async move { desk.run(None, move |_, _| file.bytes(start, end)).await })
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

fn failed(fault: &Fault) -> Response {
    let error = TargetError::of(&**fault);
    let status = StatusCode::from_u16(error.class.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer::json(status, &json!({ "message": error.message, "code": error.code }))
}

fn refused(error: Error) -> Response {
    let error = TargetError::of(&error);
    let busy = error.code == BUSY;
    let status = if busy { 429 } else { error.class.http_status() };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = answer::json(status, &json!({ "message": error.message, "code": error.code }));
    if busy {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}
