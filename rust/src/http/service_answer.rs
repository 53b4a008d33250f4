//! Reads one HTTP answer.
//!
//! Shape: the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
//! Errors: the service's own problem; SERVICE_UNREACHABLE for an answer of something else: a proxy's page, a redirect, another program on that
//! port, a stream that breaks. Retryable if the same request may succeed later.
use super::{
    SEARCH_ID_HEADER,
    retry_after::read_retry_after,
    sse::{EventReader, ServerSentEvent},
};
use crate::{ErrorCode, Progress, SvcError, json_text::from_json};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER},
};
use serde_json::Value;
use std::time::SystemTime;

/// Separates the service's answers from another program's JSON.
pub(crate) type AnswerTest = fn(&Value) -> bool;
pub(crate) type ProgressListener<'a> = Box<dyn FnMut(Progress) + Send + 'a>;

/// The answer to a request that succeeded.
pub(crate) struct Answer {
    pub json: Value,
    /// The id that the service gave a search.
    pub search_id: Option<String>,
}

pub(super) async fn read(
    response: Response,
    base_url: &str,
    is_answer: AnswerTest,
    on_progress: Option<&mut ProgressListener<'_>>,
) -> Result<Answer, SvcError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let search_id = header_text(&headers, &SEARCH_ID_HEADER).map(str::to_owned);
    let content_type = header_text(&headers, &CONTENT_TYPE).unwrap_or_default();
    if status == StatusCode::OK && content_type.starts_with("text/event-stream") {
        let json = read_stream(response, base_url, is_answer, on_progress).await?;
        return Ok(Answer { json, search_id });
    }
    // The page of a proxy is not read.
    if !is_json(content_type) {
        return Err(foreign_answer(base_url, status, &headers, None));
    }
    let body = response.bytes().await.map_err(|_| unreachable(base_url, "the connection broke within the answer"))?;
    match from_json(&body) {
        Ok(json) if status == StatusCode::OK && is_answer(&json) => Ok(Answer { json, search_id }),
        Ok(Value::Object(document)) if status.is_client_error() || status.is_server_error() => {
            Err(SvcError::from_problem(document).unwrap_or_else(|| foreign_answer(base_url, status, &headers, None)))
        }
        Ok(_) => Err(foreign_answer(base_url, status, &headers, None)),
        Err(error) => Err(foreign_answer(base_url, status, &headers, Some(error))),
    }
}

/// The error for a service that does not answer.
pub(super) fn unreachable(base_url: &str, reason: &str) -> SvcError {
    let message = format!(
        "No answer from {base_url}: {reason}. Start a service with `npx svc-sdk serve`, or point base_url or SVC_BASE_URL to a running one."
    );
    SvcError::new(ErrorCode::ServiceUnreachable, message)
}

async fn read_stream(
    mut response: Response,
    base_url: &str,
    is_answer: AnswerTest,
    mut on_progress: Option<&mut ProgressListener<'_>>,
) -> Result<Value, SvcError> {
    let mut reader = EventReader::default();
    loop {
        let chunk = response.chunk().await.map_err(|_| unreachable(base_url, "the connection broke before the result"))?;
        let chunk = chunk.ok_or_else(|| unreachable(base_url, "the stream ended before the result"))?;
        for ServerSentEvent { event, data } in reader.read(&chunk) {
            let data = from_json(&data).unwrap_or_default();
            match (event.as_str(), &mut on_progress) {
                ("progress", Some(listener)) => progress_of(&data).map(listener).unwrap_or_default(),
                ("result", _) if is_answer(&data) => return Ok(data),
                ("result" | "error", _) => return Err(error_of_event(data, base_url)),
                _ => {}
            }
        }
    }
}

fn error_of_event(data: Value, base_url: &str) -> SvcError {
    let problem = if let Value::Object(document) = data { SvcError::from_problem(document) } else { None };
    problem.unwrap_or_else(|| not_retryable(format!("{base_url} sent something that is not a result")))
}

fn progress_of(data: &Value) -> Option<Progress> {
    let message = data["message"].as_str().map(str::to_owned);
    Some(Progress { progress: data["progress"].as_f64()?, total: data["total"].as_f64(), message })
}

/// The media type is JSON or ends with `+json`.
fn is_json(content_type: &str) -> bool {
    content_type.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "json")
}

fn foreign_answer(base_url: &str, status: StatusCode, headers: &HeaderMap, broken: Option<serde_json::Error>) -> SvcError {
    if status.is_redirection() {
        return not_retryable(format!(
            "{base_url} redirects. The key is not sent to another address: set base_url to the address that it redirects to"
        ));
    }
    let content_type = header_text(headers, &CONTENT_TYPE).unwrap_or("no content type");
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
