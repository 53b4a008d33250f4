//! The answer to a call.
use super::model_text::read_blocks;
use crate::{ContentBlock, ErrorCode, SvcError};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The answer to a call that succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvokeResponse {
    /// The id of the run.
    pub invocation_id: String,
    /// The handler's JSON.
    #[serde(default)]
    pub result: Value,
    /// MCP content blocks beside the result, in order.
    #[serde(default, deserialize_with = "known_blocks", skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<ContentBlock>,
    /// Corrected mistakes in the payload, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<String>,
    /// The result exceeds the service's limit: `result` is the beginning of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutSizes>,
    /// True for the stored answer of an earlier call with the same idempotency key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// The cost of a paid action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<CallPayment>,
}

impl InvokeResponse {
    /// The result as your own type.
    ///
    /// # Errors
    ///
    /// `INVALID_REQUEST` for a result of another type.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, SvcError> {
        T::deserialize(&self.result).map_err(|error| {
            let message = format!("The result of {} does not fit the type: {error}", self.invocation_id);
            SvcError::new(ErrorCode::InvalidRequest, message)
        })
    }
}

/// The content blocks of known types.
pub(super) fn known_blocks<'de, D: Deserializer<'de>>(content: D) -> Result<Vec<ContentBlock>, D::Error> {
    Ok(read_blocks(&Value::deserialize(content)?))
}

/// The sizes of a result that the service cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CutSizes {
    /// Bytes of the whole text.
    pub total_bytes: u64,
    /// Bytes of the returned beginning.
    pub kept_bytes: u64,
}

/// The cost of a call: `authorised` is the limit, `charged` is the cost. Decimal texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallPayment {
    /// The price.
    pub authorised: String,
    /// The cost of the call.
    pub charged: String,
    /// The currency of the service.
    pub currency: String,
}
