//! One request to the service. Retries and the deadline are left out of this draft.
use crate::{ErrorCode, SvcError};
use serde_json::Value;

#[derive(Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    base_url: String,
    key: String,
}

pub(crate) fn base_url() -> String {
    std::env::var("SVC_BASE_URL")
        .ok()
        .filter(|url| !url.is_empty())
        .unwrap_or_else(|| "http://127.0.0.1:8787".into())
        .trim_end_matches('/')
        .into()
}

impl Http {
    pub(crate) fn new(key: String, base_url: String) -> Self {
        Self {
            client: reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a TLS backend"),
            base_url,
            key,
        }
    }

    pub(crate) async fn post(&self, path: &str, body: &Value, idempotency_key: Option<&str>) -> Result<Value, SvcError> {
        let mut request =
            self.client.post(format!("{}{path}", self.base_url)).bearer_auth(&self.key).json(body).header("svc-timeout-ms", "60000");
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key)
        }
        let response = request.send().await.map_err(|error| self.unreachable(error))?;
        let ok = response.status().is_success();
        let answer: Value = response.json().await.map_err(|error| self.unreachable(error))?;
        if ok {
            return Ok(answer);
        }
        let Value::Object(problem) = answer else { return Err(SvcError::new(ErrorCode::ServiceUnreachable, "no problem document")) };
        Err(SvcError::from_problem(problem).unwrap_or_else(|| SvcError::new(ErrorCode::ServiceUnreachable, "no problem document")))
    }

    fn unreachable(&self, error: reqwest::Error) -> SvcError {
        let mut it = SvcError::new(ErrorCode::ServiceUnreachable, format!("No answer from {}: {}", self.base_url, error.without_url()));
        it.retryable = true;
        it
    }
}
