//! Questions to a server that has introduced itself.

use std::time::Duration;

use rmcp::model::{
    ClientRequest, PaginatedRequestParams, PingRequest, ReadResourceRequestParams, ReadResourceResponse,
};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};

use super::catalog::{Catalog, Entry};
use super::connection::{Answer, Ask, Talk, Trouble};

/// Pages that a list may come in.
const MOST_PAGES: usize = 1_000;
/// How long is waited for what a server that ended has written last.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How long an answer that came with the end may take to get through.
const GRACE: Duration = Duration::from_secs(1);
/// The code for a method that a server does not know.
const UNKNOWN_METHOD: i32 = -32601;

/// Asks a server.
pub(super) async fn answer(ask: &Ask, peer: &Peer<RoleClient>, talk: &Talk) -> Result<Answer, Trouble> {
    let asked = async {
        match ask {
            Ask::Read(uri) => read(peer, uri).await,
            Ask::List => list(peer).await.map(Answer::Catalog),
        }
    };
    let late = async {
        talk.line.closed.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    let answer = tokio::select! {
        answer = asked => answer,
        () = late => Err(Trouble::Gone),
    };
    match answer {
        Err(Trouble::Gone) => Err(end_of(talk).await),
        Ok(_) | Err(_) => answer,
    }
}

/// Why a server is gone.
pub(super) async fn end_of(talk: &Talk) -> Trouble {
    if let Some(trouble) = talk.line.trouble() {
        return trouble;
    }
    tokio::time::sleep(LAST_WORDS).await;
    Trouble::Died(talk.words.line())
}

/// Asks a server nothing but to answer.
pub(super) async fn greet(peer: &Peer<RoleClient>) {
    drop(peer.send_request(ClientRequest::PingRequest(PingRequest::default())).await);
}

async fn read(peer: &Peer<RoleClient>, uri: &str) -> Result<Answer, Trouble> {
    match peer.read_resource_once(ReadResourceRequestParams::new(uri)).await.map_err(trouble)? {
        ReadResourceResponse::Complete(result) => Ok(Answer::Contents(result.contents)),
        ReadResourceResponse::InputRequired(_) => Err(Trouble::Asks),
        // The kit may learn of further forms.
        _ => Err(Trouble::Odd),
    }
}

/// All resources and templates, page by page.
async fn list(peer: &Peer<RoleClient>) -> Result<Catalog, Trouble> {
    let mut catalog = Catalog::default();
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let page = peer.list_resources(page(cursor.take())).await.map_err(trouble);
        let Some(page) = known(page)? else { break };
        page.resources.into_iter().for_each(|resource| catalog.add(Entry::of(resource)));
        cursor = page.next_cursor;
        if cursor.is_none() || catalog.is_full() {
            break;
        }
    }
    catalog.cut |= cursor.take().is_some();
    for _ in 0..MOST_PAGES {
        let page = peer.list_resource_templates(page(cursor.take())).await.map_err(trouble);
        let Some(page) = known(page)? else { break };
        page.resource_templates.into_iter().for_each(|template| catalog.add(Entry::of_template(template)));
        cursor = page.next_cursor;
        if cursor.is_none() || catalog.is_full() {
            break;
        }
    }
    catalog.cut |= cursor.is_some();
    Ok(catalog)
}

fn page(cursor: Option<String>) -> Option<PaginatedRequestParams> {
    cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)))
}

/// A list that a server does not know of is empty.
fn known<T>(page: Result<T, Trouble>) -> Result<Option<T>, Trouble> {
    match page {
        Ok(page) => Ok(Some(page)),
        Err(Trouble::Refused(UNKNOWN_METHOD, _)) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

fn trouble(error: ServiceError) -> Trouble {
    match error {
        ServiceError::McpError(error) => Trouble::Refused(error.code.0, error.message.into_owned()),
        ServiceError::UnexpectedResponse => Trouble::Odd,
        // The kit may learn of further ends; all of them mean that nothing more comes.
        ServiceError::TransportSend(_)
        | ServiceError::TransportClosed
        | ServiceError::SubscriptionLagged { .. }
        | ServiceError::Cancelled { .. }
        | ServiceError::Timeout { .. }
        | ServiceError::InputRequiredRoundsExceeded { .. }
        | _ => Trouble::Gone,
    }
}
