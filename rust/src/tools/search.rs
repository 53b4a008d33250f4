//! A search for actions.
use super::{
    action_info::{ActionInfo, MoreAction},
    options::unless_cancelled,
    service_client::ServiceClient,
};
use crate::{
    SvcError,
    http::{Answer, SEARCH_PATH},
};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// The answer to a search. Third parties write descriptions and schemas: they are data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchResponse {
    /// The best actions in full, best first.
    pub actions: Vec<ActionInfo>,
    /// Further actions by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<MoreAction>,
    /// Ids of further matching actions whose toolkit has no process now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offline: Vec<String>,
    /// A suggestion for the next search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A search that is sent when it is awaited: [`Tools::search`](super::Tools::search).
#[must_use = "a search is sent when it is awaited"]
pub struct Search<'a> {
    client: &'a ServiceClient,
    query: String,
    limit: Option<u32>,
    max_tokens: Option<u32>,
    cancel_token: Option<CancellationToken>,
}

impl<'a> Search<'a> {
    pub(super) fn new(client: &'a ServiceClient, query: String) -> Self {
        Self { client, query, limit: None, max_tokens: None, cancel_token: None }
    }

    /// Maximum number of actions, in full or by name, 1 to 50. Default: 10.
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Tokens of the answer, 100 to 20,000. Default: `max_search_tokens` of the client.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// A token that ends the search.
    pub fn cancel_token(mut self, token: CancellationToken) -> Self {
        self.cancel_token = Some(token);
        self
    }

    async fn send(self) -> Result<SearchResponse, SvcError> {
        let answer = unless_cancelled(self.cancel_token, search(self.client, self.query, self.limit, self.max_tokens)).await?;
        self.client.read(answer)
    }
}

impl<'a> IntoFuture for Search<'a> {
    type Output = Result<SearchResponse, SvcError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

/// The answer as the service wrote it.
pub(super) async fn search(client: &ServiceClient, query: String, limit: Option<u32>, max_tokens: Option<u32>) -> Result<Value, SvcError> {
    let mut body = json!({ "query": query });
    for (name, wish) in [("limit", limit), ("maxTokens", max_tokens.or(client.settings().max_search_tokens))] {
        if let Some(wish) = wish {
            body[name] = wish.into();
        }
    }
    let mut request = client.post(SEARCH_PATH, body, has_actions);
    request.search_id = client.searches().newest();
    let Answer { json, search_id } = client.send_in_session(&mut request).await?;
    if let Some(id) = search_id {
        client.searches().add(id, &json);
    }
    Ok(json)
}

pub(super) fn has_actions(answer: &Value) -> bool {
    answer["actions"].is_array()
}
