//! What a client hears while a call runs and when it has ended.

use std::time::Duration;

use readstone_base::{Budget, Reply, Status};
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::json;

/// Work shorter than this says nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often progress is told.
const RHYTHM: Duration = Duration::from_millis(250);

/// Tells the progress of a call to whoever asked for it, for ever.
pub(crate) async fn progress(peer: &Peer<RoleServer>, token: Option<ProgressToken>, budget: &Budget) {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let (mut wait, mut told) = (PATIENCE, 0);
    loop {
        tokio::time::sleep(wait).await;
        wait = RHYTHM;
        let (done, total) = budget.progress().get();
        // Progress must grow; a part of the work that starts anew keeps quiet until it has come further.
        if done <= told {
            continue;
        }
        told = done;
        let message = format!("{} of {} MB", done >> 20, total >> 20);
        let progress = ProgressNotificationParam::new(token.clone(), number(done));
        // Whoever does not listen any more misses nothing.
        drop(peer.notify_progress(progress.with_total(number(total)).with_message(message)).await);
    }
}

#[expect(clippy::cast_precision_loss, reason = "the protocol counts in floating point, and these are bytes")]
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
