//! A run of a program that a model or your own code wrote. docs/code.md.
use super::{invoke_response::known_blocks, required_approval::RequiredApproval};
use crate::{ContentBlock, ErrorCode, SvcError, calendar::read_timestamp};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::time::SystemTime;

/// A run, as far as it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "status", rename_all = "camelCase")]
#[non_exhaustive]
pub enum CodeRun {
    /// The program has returned.
    Done(DoneRun),
    /// The program has failed.
    Failed(FailedRun),
    /// The program waits for some of its calls, and goes on by itself when one of them has its answer.
    Waiting(WaitingRun),
    /// The program runs.
    Running(RunningRun),
}

impl CodeRun {
    /// The id, for [`Tools::code_run`](super::Tools::code_run) and [`Tools::cancel`](super::Tools::cancel).
    pub fn id(&self) -> &str {
        match self {
            Self::Done(DoneRun { run, .. })
            | Self::Failed(FailedRun { run, .. })
            | Self::Waiting(WaitingRun { run, .. })
            | Self::Running(RunningRun { run, .. }) => run,
        }
    }
}

/// A program that has returned.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct DoneRun {
    /// `run_…`
    pub run: String,
    /// The returned JSON; null for none.
    #[serde(default)]
    pub result: Value,
    /// The texts that the program logged.
    pub log: Option<String>,
    /// Texts and images that the program emitted, in order.
    #[serde(default, deserialize_with = "known_blocks")]
    pub content: Vec<ContentBlock>,
    /// Calls, searches and descriptions that the program asked for.
    #[serde(default)]
    pub calls: u64,
}

impl DoneRun {
    /// The result as your own type.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for a result of another type.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, SvcError> {
        T::deserialize(&self.result)
            .map_err(|error| SvcError::new(ErrorCode::InvalidRequest, format!("The result of {} does not fit the type: {error}", self.run)))
    }
}

/// A program that has failed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FailedRun {
    /// `run_…`
    pub run: String,
    /// The failure.
    pub error: CodeRunError,
    /// The texts that the program logged.
    pub log: Option<String>,
    /// Texts and images that the program emitted, in order.
    #[serde(default, deserialize_with = "known_blocks")]
    pub content: Vec<ContentBlock>,
    /// Ids of the actions that ran, or may have run.
    #[serde(default)]
    pub ran: Vec<String>,
}

/// A program that waits for some of its calls.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct WaitingRun {
    /// `run_…`
    pub run: String,
    /// The calls.
    pub asks: Vec<RunAsk>,
    /// The texts that the program logged.
    pub log: Option<String>,
}

/// A program that runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RunningRun {
    /// `run_…`
    pub run: String,
    /// Calls so far.
    #[serde(default)]
    pub calls: u64,
}

/// A call of a program that waits for a decision, an account or long work. It has one of the first three members.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RunAsk {
    /// The question to a person.
    pub approval: Option<RequiredApproval>,
    /// The account that the call needs.
    pub connect: Option<RunConnect>,
    /// `inv_…`, of a call that goes on without its caller.
    pub handle: Option<String>,
    /// Action id.
    pub action: String,
    /// The payload that would run.
    #[serde(default)]
    pub payload: Map<String, Value>,
}

/// The account that a call of a program needs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunConnect {
    /// The toolkit.
    pub toolkit: String,
    /// A text of the toolkit about the account, such as `A GitHub token`.
    pub help: Option<String>,
    /// The page on which the user connects the account, if there is one.
    pub url: Option<String>,
    /// The end of `url`.
    #[serde(default, deserialize_with = "known_time")]
    pub expires_at: Option<SystemTime>,
    /// The page ends with a code, for [`Tools::confirm_connection`](super::Tools::confirm_connection).
    #[serde(default)]
    pub confirm: bool,
    /// Names of the user's connections, if the call has to choose one.
    #[serde(default)]
    pub connections: Vec<String>,
}

/// The failure of a program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct CodeRunError {
    /// A stable name.
    pub code: CodeRunErrorCode,
    /// The failure.
    pub message: String,
    /// The line of the program.
    pub at: Option<ProgramLine>,
    /// Further details, such as the calls of `DIVERGED`.
    #[serde(default)]
    pub details: Value,
}

/// A line of a program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ProgramLine {
    /// Its number, from 1.
    pub line: u32,
    /// Its text.
    pub source: String,
}

/// Why a program has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum CodeRunErrorCode {
    /// The program is above 100,000 characters.
    CodeTooLong,
    /// The program is not JavaScript.
    SyntaxError,
    /// The program threw.
    ProgramError,
    /// It needs too much memory.
    MemoryLimit,
    /// It computes for too long.
    CpuLimit,
    /// It took too long, calls included.
    Timeout,
    /// It made too many calls.
    TooManyCalls,
    /// It returned or logged too much.
    ResultTooLong,
    /// It ended while calls were in progress.
    CallsNotAwaited,
    /// It waits, and no call is in progress.
    NeverEnds,
    /// A replay left out calls that had run.
    Diverged,
    /// It was cancelled.
    Cancelled,
    /// Too many programs run. The same request may succeed later.
    Busy,
    /// The process that runs programs ended too often.
    SandboxLost,
    /// The agent key was revoked or has expired.
    KeyEnded,
    /// A code of a newer service.
    #[serde(other)]
    Other,
}

fn known_time<'de, D: Deserializer<'de>>(text: D) -> Result<Option<SystemTime>, D::Error> {
    Ok(Option::<String>::deserialize(text)?.and_then(|text| read_timestamp(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(run: Value) -> CodeRun {
        serde_json::from_value(run).unwrap()
    }

    #[test]
    fn each_state_of_a_run_is_read() {
        let CodeRun::Done(done) = read(json!({ "run": "run_1", "status": "done", "result": [1, 2], "calls": 3 })) else { panic!() };
        assert_eq!((done.json::<Vec<u8>>().unwrap(), done.calls), (vec![1, 2], 3));
        assert_eq!(done.json::<String>().unwrap_err().code, ErrorCode::InvalidRequest);

        let error = json!({ "code": "PROGRAM_ERROR", "message": "no", "at": { "line": 2, "source": "throw 'no'" } });
        let CodeRun::Failed(failed) = read(json!({ "run": "run_1", "status": "failed", "error": error, "ran": ["a__b"] })) else {
            panic!()
        };
        assert_eq!((failed.error.code, failed.error.at.unwrap().line), (CodeRunErrorCode::ProgramError, 2));
        let newer = json!({ "run": "run_1", "status": "failed", "error": { "code": "TOO_NEW", "message": "" }, "ran": [] });
        assert!(matches!(read(newer), CodeRun::Failed(FailedRun { error: CodeRunError { code: CodeRunErrorCode::Other, .. }, .. })));

        let connect = json!({ "toolkit": "mail", "url": "https://svc.example/c", "expiresAt": "2027-01-01T00:00:00Z", "confirm": true });
        let asks = json!([{ "action": "mail__send", "payload": { "to": "ada" }, "connect": connect }]);
        let CodeRun::Waiting(waiting) = read(json!({ "run": "run_1", "status": "waiting", "asks": asks })) else { panic!() };
        let connect = waiting.asks[0].connect.as_ref().unwrap();
        assert!(connect.confirm && connect.expires_at.is_some() && waiting.asks[0].payload["to"] == "ada");
        assert_eq!(read(json!({ "run": "run_1", "status": "running", "calls": 1 })).id(), "run_1");
    }
}
