//! Reads one HTTP answer.
//!
//! Shape: the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
//! Errors: the service's own problem; SERVICE_UNREACHABLE for an answer that is not the service's: a proxy's page, a redirect, another
//! program on that port, a stream that breaks, more bytes than a client reads. Retryable if the same request may succeed later. No message
//! contains the key or a credential, which some programs quote.
use super::{
    header_names::SEARCH_ID_HEADER,
    retry_after::read_retry_after,
    sse::{EventReader, ServerSentEvent},
};
use crate::{ErrorCode, Progress, SvcError, credential::HIDDEN, error_text::error_text, json_text::from_json};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER},
};
use serde_json::Value;
use std::time::SystemTime;

/// Distinguishes the service's answers from another program's JSON.
pub(crate) type AnswerTest = fn(&Value) -> bool;
pub(crate) type ProgressListener<'a> = Box<dyn FnMut(Progress) + Send + 'a>;

/// The most that a client reads of one answer, or of one event of a stream.
pub(super) const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// The expected kind of answer.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a> {
    pub base_url: &'a str,
    pub key: &'a str,
    /// Credentials that were sent.
    pub secrets: &'a [String],
    pub is_answer: AnswerTest,
}

impl Expected<'_> {
    fn without_key(&self, text: &str) -> String {
        text.replace(self.key, "svc_agent_…")
    }

    fn without_secrets(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN))
    }
}

/// The answer to a request that succeeded.
pub(crate) struct Answer {
    pub json: Value,
    /// The service's id of a search.
    pub search_id: Option<String>,
}

pub(super) async fn read(
    mut response: Response,
    expected: Expected<'_>,
    on_progress: Option<&mut ProgressListener<'_>>,
) -> Result<Answer, SvcError> {
    let status = response.status();
    let search_id = header_text(response.headers(), &SEARCH_ID_HEADER).map(str::to_owned);
    let content_type = header_text(response.headers(), &CONTENT_TYPE).unwrap_or_default();
    if status == StatusCode::OK && content_type.starts_with("text/event-stream") {
        let json = read_stream(response, expected, on_progress).await?;
        return Ok(Answer { json, search_id });
    }
    if status == StatusCode::NO_CONTENT && (expected.is_answer)(&Value::Null) {
        return Ok(Answer { json: Value::Null, search_id });
    }
    // A proxy's page is not read.
    if !is_json(content_type) {
        return Err(foreign_answer(expected, status, response.headers(), None));
    }
    let body = read_body(&mut response, expected.base_url).await?;
    let headers = response.headers();
    match from_json(&body) {
        Ok(json) if matches!(status, StatusCode::OK | StatusCode::ACCEPTED) && (expected.is_answer)(&json) => {
            Ok(Answer { json, search_id })
        }
        Ok(_) if status.is_client_error() || status.is_server_error() => {
            Err(problem_in(&body, expected).unwrap_or_else(|| foreign_answer(expected, status, headers, None)))
        }
        Ok(_) => Err(foreign_answer(expected, status, headers, None)),
        Err(error) => Err(foreign_answer(expected, status, headers, Some(error))),
    }
}

async fn read_body(response: &mut Response, base_url: &str) -> Result<Vec<u8>, SvcError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| unreachable(base_url, "the connection broke within the answer"))? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(too_large(base_url));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn problem_in(body: &[u8], expected: Expected<'_>) -> Option<SvcError> {
    let text = expected.without_key(&String::from_utf8_lossy(body));
    let Ok(Value::Object(mut document)) = from_json(text.as_bytes()) else { return None };
    // A secret that is a part of a code is one by chance.
    for (_, member) in document.iter_mut().filter(|(name, _)| !["type", "code"].contains(&name.as_str())) {
        hide_secrets(member, expected);
    }
    SvcError::from_problem(document)
}

fn hide_secrets(value: &mut Value, expected: Expected<'_>) {
    match value {
        Value::String(text) => *text = expected.without_secrets(text),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_secrets(item, expected)),
        Value::Object(members) => members.values_mut().for_each(|member| hide_secrets(member, expected)),
        _ => {}
    }
}

fn too_large(base_url: &str) -> SvcError {
    not_retryable(format!(
        "{base_url} sent too much: the answer has more than {} MiB, the limit of a client. Ask for less, such as one page; an action may have run",
        MAX_ANSWER_BYTES / 1024 / 1024
    ))
}

/// The error for a service that does not answer.
pub(super) fn unreachable(base_url: &str, reason: &str) -> SvcError {
    let message = format!(
        "No answer from {base_url}: {reason}. Start a service with `npx svc-service serve`, or point base_url or SVC_BASE_URL to a running one."
    );
    SvcError::new(ErrorCode::ServiceUnreachable, message)
}

async fn read_stream(
    mut response: Response,
    expected: Expected<'_>,
    mut on_progress: Option<&mut ProgressListener<'_>>,
) -> Result<Value, SvcError> {
    let base_url = expected.base_url;
    let mut reader = EventReader::default();
    loop {
        let chunk = response.chunk().await.map_err(|_| unreachable(base_url, "the connection broke before the result"))?;
        let chunk = chunk.ok_or_else(|| unreachable(base_url, "the stream ended before the result"))?;
        for ServerSentEvent { event, data: text } in reader.read(&chunk) {
            let data = from_json(&text).unwrap_or_default();
            match (event.as_str(), &mut on_progress) {
                ("progress", Some(listener)) => progress_of(&data).map(listener).unwrap_or_default(),
                ("result", _) if (expected.is_answer)(&data) => return Ok(data),
                ("result" | "error", _) => return Err(error_of_event(&text, expected)),
                _ => {}
            }
        }
        if reader.pending_bytes() > MAX_ANSWER_BYTES {
            return Err(too_large(base_url));
        }
    }
}

fn error_of_event(text: &[u8], expected: Expected<'_>) -> SvcError {
    problem_in(text, expected).unwrap_or_else(|| not_retryable(format!("{} sent something that is not a result", expected.base_url)))
}

fn progress_of(data: &Value) -> Option<Progress> {
    let message = data["message"].as_str().map(str::to_owned);
    Some(Progress { progress: data["progress"].as_f64()?, total: data["total"].as_f64(), message })
}

/// True if the media type is JSON or ends with `+json`.
fn is_json(content_type: &str) -> bool {
    content_type.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "json")
}

fn foreign_answer(expected: Expected<'_>, status: StatusCode, headers: &HeaderMap, broken: Option<serde_json::Error>) -> SvcError {
    let base_url = expected.base_url;
    if status.is_redirection() {
        return not_retryable(format!(
            "{base_url} redirects. The key is not sent to another address: set base_url to the address that it redirects to"
        ));
    }
    let content_type =
        error_text(&expected.without_secrets(&expected.without_key(header_text(headers, &CONTENT_TYPE).unwrap_or("no content type"))));
    let broken = broken.map(|error| format!(", broken JSON: {error}")).unwrap_or_default();
    let mut error = not_retryable(format!(
        "{base_url} answered {} ({content_type}{broken}), which is not an answer of an svc-sdk service: another program or a proxy speaks there. \
         Check base_url.",
        status.as_u16()
    ));
    error.retryable = matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT);
    let wait = header_text(headers, &RETRY_AFTER).and_then(|text| read_retry_after(text, SystemTime::now()));
    error.retry_after_ms = wait.map(|wait| wait.as_millis() as u64).filter(|&milliseconds| milliseconds > 0);
    error
}

fn not_retryable(message: String) -> SvcError {
    let mut error = SvcError::new(ErrorCode::ServiceUnreachable, message);
    error.retryable = false;
    error
}

fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
