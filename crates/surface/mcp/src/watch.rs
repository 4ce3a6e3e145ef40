//! What a client hears while a call runs and when it has ended.

use std::time::Duration;

use readstone_base::{Budget, Reply, Status, Visible};
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::json;

/// How soon and how often the progress of a tool is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    /// Work shorter than this says nothing.
    patience: Duration,
    rhythm: Duration,
}

/// Who waits for names can use them before all are found.
const LOOKING: Pace = Pace { patience: Duration::from_millis(200), rhythm: Duration::from_millis(200) };
const READING: Pace = Pace { patience: Duration::from_millis(500), rhythm: Duration::from_millis(250) };

fn pace(tool: &str) -> Pace {
    if matches!(tool, "find" | "search") { LOOKING } else { READING }
}

/// Tells the progress of a call to whoever asked for it, for ever.
pub(crate) async fn progress(peer: &Peer<RoleServer>, token: Option<ProgressToken>, tool: &str, budget: &Budget) {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let progress = budget.progress();
    let Pace { mut patience, rhythm } = pace(tool);
    let mut told = 0;
    drop(progress.names());
    loop {
        tokio::time::sleep(patience).await;
        patience = rhythm;
        let far = progress.how_far();
        // Progress must grow; a part of the work that starts anew keeps quiet until it has come further.
        let come = far.done.saturating_add(far.looked);
        let words = readstone_render::progress(tool, far).filter(|_| come > told);
        let Some(words) = words else {
            continue;
        };
        told = come;
        let names = progress.names().into_iter().map(|name| Visible::of(&name).text.into_owned());
        let message = std::iter::once(words).chain(names).collect::<Vec<_>>().join("\n");
        let mut notice = ProgressNotificationParam::new(token.clone(), number(come)).with_message(message);
        // How many files there are nobody knows before the last.
        notice.total = (far.looked == 0).then(|| number(far.total));
        // Whoever does not listen any more misses nothing.
        drop(peer.notify_progress(notice).await);
    }
}

#[expect(clippy::cast_precision_loss, reason = "the protocol counts in floating point, and these are bytes and files")]
fn number(value: u64) -> f64 {
    value as f64
}

/// Tells how a call ended, when the client wants to hear of such things.
pub(crate) async fn log(peer: &Peer<RoleServer>, least: Option<LoggingLevel>, reply: &Reply) {
    let (level, code) = match (reply.status, &reply.receipt.error) {
        (Status::Error(_), Some(error)) => (LoggingLevel::Warning, error.code),
        (Status::Ok | Status::Error(_), _) => (LoggingLevel::Debug, "ok"),
    };
    if least.is_none_or(|least| rank(level) < rank(least)) {
        return;
    }
    let bytes: usize = reply.parts.iter().map(|part| part.text().len()).sum();
    let data = json!({ "tool": reply.receipt.tool, "code": code, "reply_bytes": bytes });
    let message = LoggingMessageNotificationParam::new(level, data).with_logger("readstone");
    drop(peer.notify_logging_message(message).await);
}

fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
