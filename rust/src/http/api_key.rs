//! The key of a `Tools`: a fixed key, or one that the caller's function returns. A refused key is replaced.
use crate::{ErrorCode, SvcError, environment::read_agent_key};
use futures_util::future::BoxFuture;
use tokio::sync::Mutex;

type KeyFunction = Box<dyn Fn() -> BoxFuture<'static, Result<String, String>> + Send + Sync>;

/// The key for the next request, read every time: a program may set the variable after the `Tools` was made.
pub(crate) enum ApiKey {
    Environment,
    Fixed(String),
    Function { ask: KeyFunction, last: Mutex<Option<String>> },
}

impl ApiKey {
    pub fn from_function<F, Given, E>(function: F) -> Self
    where
        F: Fn() -> Given + Send + Sync + 'static,
        Given: Future<Output = Result<String, E>> + Send + 'static,
        E: std::fmt::Display,
    {
        let ask: KeyFunction = Box::new(move || {
            let given = function();
            Box::pin(async move { given.await.map_err(|error| error.to_string()) })
        });
        Self::Function { ask, last: Mutex::default() }
    }

    pub async fn current(&self) -> Result<String, SvcError> {
        match self {
            Self::Environment => read_agent_key(None),
            Self::Fixed(key) => read_agent_key(Some(key.clone())),
            Self::Function { ask, last } => {
                // Concurrent calls share one call of the function.
                let mut last = last.lock().await;
                if let Some(key) = &*last {
                    return Ok(key.clone());
                }
                Ok(last.insert(ask_for_key(ask).await?).clone())
            }
        }
    }

    /// A replacement for a refused key; `None` if there is none.
    pub async fn replacement(&self, refused: &str) -> Result<Option<String>, SvcError> {
        let Self::Function { ask, last } = self else { return Ok(None) };
        let mut last = last.lock().await;
        // Another call may have replaced the key already.
        if last.as_deref().is_none_or(|key| key == refused) {
            *last = None;
            *last = Some(ask_for_key(ask).await?);
        }
        Ok(last.clone().filter(|key| key != refused))
    }
}

async fn ask_for_key(ask: &KeyFunction) -> Result<String, SvcError> {
    let given = ask().await;
    let key = given.map_err(|error| SvcError::new(ErrorCode::InvalidKey, format!("The api_key function failed: {error}")))?;
    read_agent_key(Some(key))
}
