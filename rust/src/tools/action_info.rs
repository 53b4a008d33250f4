//! Actions in the form that agents read. Third parties write descriptions and schemas: they are data.
use crate::{Annotations, Payment};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An action in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ActionInfo {
    /// `<toolkit id>__<action name>`
    pub action: String,
    /// The effect of the action.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of the payload.
    #[serde(default)]
    pub payload_schema: Value,
    /// A name for people. A search leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The result as a type on one line: `{id:int, note?:string|null}[]`. Only in a search; `None`: unknown, or the token budget was short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// JSON Schema of the result, if the toolkit declares it. A search has it only for an action that is asked for by its exact id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_schema: Option<Value>,
    /// Places of results that did not fit `result_schema`. A search leaves it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub result_misfits: Vec<ResultMisfit>,
    /// The toolkit's promises about the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The most that one call costs. `None`: the action is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<Payment>,
    /// The description is cut, or the schema is reduced. A search for the exact id returns the whole action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shortened: bool,
}

/// A place of an action's results that did not fit its schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultMisfit {
    /// JSON Pointer with names of the schema; `*` is an index or any other name.
    pub path: String,
    /// How many checked results did not fit there.
    pub results: u64,
}

/// An action that a search only names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MoreAction {
    /// `<toolkit id>__<action name>`
    pub action: String,
    /// One sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Id of an action whose description mentions this action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_by: Option<String>,
}

/// The description of an action for models and people before a call, with the price of a paid action.
pub fn describe_action(action: &ActionInfo) -> String {
    let description = &action.description;
    let Some(Payment { amount, currency }) = &action.payment else { return description.clone() };
    let stop = if description.ends_with(['.', '!', '?']) { "" } else { "." };
    let currency = currency.as_deref().unwrap_or_default();
    format!("{description}{stop} Costs up to {amount} {currency} a call.")
}
