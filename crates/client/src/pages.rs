//! Following a read to its end.

use std::collections::VecDeque;

use crate::client::Client;
use crate::error::Error;
use crate::reply::{Reply, Target};
use crate::request::ReadRequest;

/// The pages of a read, each got when it is asked for.
///
/// The first page answers the request itself. Those after it follow `next` to the end of the file, also where the
/// request names a range: what `next` offers behind a range is what follows it in the file. A file that is answered with a
/// summary ends with it; who wants all of its text asks for `path:1-`. Addresses are followed one
/// at a time: where several were read at once, the rest of the first comes before the rest of the second.
///
/// What a page is bounded by, `max_lines` and `max_tokens`, holds for every page.
#[derive(Clone, Debug)]
pub struct Pages {
    client: Client,
    ahead: VecDeque<ReadRequest>,
}

impl Pages {
    pub(crate) fn new(client: Client, request: ReadRequest) -> Self {
        Self { client, ahead: VecDeque::from([request]) }
    }

    /// The next page; `None` behind the last one.
    ///
    /// After an error the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<Reply>, Error> {
        let Some(request) = self.ahead.front() else {
            return Ok(None);
        };
        let reply = self.client.read(request).await?;
        // As many trails as there were addresses, so that no answer makes this grow.
        let next: Vec<&str> = reply.receipt.targets.iter().filter_map(onward).take(request.count()).collect();
        if let Some(address) = next.iter().find(|address| request.is_for(address)) {
            return Err(goes_in_a_circle(address));
        }
        let following: Vec<ReadRequest> = next.into_iter().map(|address| request.following(address)).collect();
        self.ahead.pop_front();
        for request in following.into_iter().rev() {
            self.ahead.push_front(request);
        }
        Ok(Some(reply))
    }
}

/// The address of what follows a target. Behind the end `next` leads back into the file, and of a whole summary it opens
/// something that is folded: that is advice, and nothing follows.
fn onward(target: &Target) -> Option<&str> {
    let whole = target.summary.is_some() && target.cut_by.is_none();
    let ended = whole || target.notes.iter().any(|note| note.code == PAST_END);
    target.next.as_deref().filter(|_| !ended)
}

/// The code of the note that a request lies behind the end.
const PAST_END: &str = "view.past_end";

fn goes_in_a_circle(address: &str) -> Error {
    let what = format!("behind the page {address} the server offers the same page");
    Error::Unexpected { status: http::StatusCode::OK.as_u16(), what, excerpt: String::new() }
}
