//! The sessions of older protocol revisions, of which a server holds a bounded number.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};

/// Sessions in memory; the oldest makes room for a new one, and its client opens another.
#[derive(Debug)]
pub(crate) struct BoundedSessions {
    inner: LocalSessionManager,
    most: usize,
    opened: Mutex<VecDeque<SessionId>>,
}

/// A session that nobody has used for so long is closed.
const IDLE: Duration = Duration::from_hours(1);

type Failed = LocalSessionManagerError;

impl BoundedSessions {
    pub(crate) fn new(most: u64) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = Some(IDLE);
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        Self { inner, most, opened: Mutex::default() }
    }

    /// Notes a new session and gives the one that must make room for it.
    fn note(&self, id: &SessionId) -> Option<SessionId> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push_back(id.clone());
        if opened.len() > self.most { opened.pop_front() } else { None }
    }
}

impl SessionManager for BoundedSessions {
    type Error = Failed;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Failed> {
        let (id, transport) = self.inner.create_session().await?;
        if let Some(oldest) = self.note(&id) {
            // One that is gone already has made room.
            drop(self.inner.close_session(&oldest).await);
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failed> {
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failed> {
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failed> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).retain(|open| open != id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl futures_core::Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        self.inner.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Failed> {
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl futures_core::Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        self.inner.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl futures_core::Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        self.inner.resume(id, last_event_id).await
    }
}
