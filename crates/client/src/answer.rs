//! From an answer to what was asked for, or to the error it tells.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::failure::{Class, Failure, Refusal, Validation};
use crate::reply::{Reply, Status};
use crate::send::Answer;

/// Characters of a body in an error.
const EXCERPT_CHARS: usize = 200;

/// The code of a bad request for which the server names none.
const BAD_REQUEST: &str = "http.bad_request";

/// How the line endpoints tell an error: bad parameters with `validations`, everything else with a `code`.
#[derive(Deserialize)]
struct Problem {
    message: String,
    code: Option<String>,
    #[serde(default)]
    validations: Vec<Validation>,
}

impl Answer {
    /// The answer, unless its status says that it is an error.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        if self.status.is_success() { Ok(self) } else { Err(self.refused()) }
    }

    /// The JSON of an answer that is no error.
    pub(crate) fn json<T: DeserializeOwned>(self) -> Result<T, Error> {
        let answer = self.checked()?;
        serde_json::from_slice(&answer.body).map_err(|error| answer.unexpected(&error.to_string()))
    }

    /// The reply of a tool. One that tells a failure is an error whatever its status.
    pub(crate) fn reply(self) -> Result<Reply, Error> {
        let answer = self.checked()?;
        match serde_json::from_slice::<Reply>(&answer.body) {
            Ok(reply) if reply.status == Status::Ok => Ok(reply),
            Ok(_) => Err(answer.refused()),
            Err(error) => Err(answer.unexpected(&error.to_string())),
        }
    }

    /// The error that this answer tells.
    fn refused(&self) -> Error {
        if self.status == http::StatusCode::TOO_MANY_REQUESTS {
            return Error::Busy { retry_after: self.retry_after, attempts: self.attempts };
        }
        match self.failed_reply().or_else(|| self.problem()) {
            Some(refusal) => Error::Refused(Box::new(refusal)),
            None => self.unexpected("it tells no failure in a form that is known"),
        }
    }

    fn failed_reply(&self) -> Option<Refusal> {
        let reply: Reply = serde_json::from_slice(&self.body).ok()?;
        let failure = reply.receipt.error.clone().filter(|_| reply.status == Status::Error)?;
        Some(Refusal { status: self.status.as_u16(), failure, validations: Vec::new(), reply: Some(reply) })
    }

    fn problem(&self) -> Option<Refusal> {
        let Problem { message, code, validations } = serde_json::from_slice(&self.body).ok()?;
        let code = code.or_else(|| (!validations.is_empty()).then(|| BAD_REQUEST.to_owned()))?;
        let status = self.status.as_u16();
        let failure = Failure { code, class: Class::of_status(status), message, next: Vec::new() };
        Some(Refusal { status, failure, validations, reply: None })
    }

    /// An error for an answer that cannot be made sense of.
    pub(crate) fn unexpected(&self, what: &str) -> Error {
        Error::Unexpected { status: self.status.as_u16(), what: what.to_owned(), excerpt: excerpt(&self.body) }
    }
}

/// How a body begins, on one line.
fn excerpt(body: &[u8]) -> String {
    // A character has at most four bytes.
    let head = body.get(..EXCERPT_CHARS * 4).unwrap_or(body);
    let text = String::from_utf8_lossy(head);
    let mut letters = text.chars();
    let plain = letters.by_ref().take(EXCERPT_CHARS).flat_map(|letter| {
        let control = letter.is_control().then(|| letter.escape_default());
        let other = (!letter.is_control()).then_some(letter);
        control.into_iter().flatten().chain(other)
    });
    let mut excerpt: String = plain.collect();
    if head.len() < body.len() || letters.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}
