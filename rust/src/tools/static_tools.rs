//! Selected actions as separate tools: named by their ids, with unchanged payload schemas, sorted by id.
//!
//! Errors: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND, with the service's `didYouMean`; also for a toolkit without actions, because an agent does not
//! notice a missing tool.
use super::{
    action_info::{ActionInfo, describe_action},
    definitions::ToolDefinition,
    ids::{is_action_id, is_toolkit_id},
    search::has_actions,
    selection::ToolSelection,
    service_client::ServiceClient,
};
use crate::{ErrorCode, SvcError, http::ACTIONS_PATH};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use reqwest::Url;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};

/// The wildcard for all toolkits.
const EVERY_TOOLKIT: &str = "*";
/// 50 ids of 64 characters stay below 4 kB, which every server and proxy accepts as a URL.
const IDS_PER_REQUEST: usize = 50;
const PARALLEL_REQUESTS: usize = 5;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    actions: Vec<ActionInfo>,
    next_cursor: Option<String>,
}

/// A part of the selection: one list of pages.
enum Part {
    Toolkit(String),
    Actions(Vec<String>),
}

/// Creates one tool for each action of the toolkits and for each listed action.
pub(super) async fn static_tools(client: &ServiceClient, selection: &ToolSelection) -> Result<Vec<ToolDefinition>, SvcError> {
    let ids = without_duplicates(&selection.static_actions);
    let toolkits = without_duplicates(&selection.static_toolkits).into_iter().map(Part::Toolkit);
    let parts = toolkits.chain(ids.chunks(IDS_PER_REQUEST).map(|chunk| Part::Actions(chunk.into())));
    let found: Vec<Vec<ActionInfo>> =
        stream::iter(parts).map(|part| actions_of(client, part)).buffered(PARALLEL_REQUESTS).try_collect().await?;
    let by_id: BTreeMap<String, ActionInfo> = found.into_iter().flatten().map(|action| (action.action.clone(), action)).collect();
    Ok(by_id.into_values().map(to_definition).collect())
}

fn to_definition(action: ActionInfo) -> ToolDefinition {
    let mut definition = ToolDefinition::new(&action.action, describe_action(&action), action.payload_schema);
    definition.title = action.title;
    // Strict clients refuse a result that does not fit its schema.
    definition.result_schema = action.result_schema.filter(|_| action.result_misfits.is_empty());
    definition.annotations = action.annotations;
    definition.payment = action.payment;
    definition
}

fn without_duplicates(ids: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.iter().filter(|id| seen.insert(id.as_str())).cloned().collect()
}

async fn actions_of(client: &ServiceClient, part: Part) -> Result<Vec<ActionInfo>, SvcError> {
    match part {
        Part::Toolkit(toolkit) => actions_of_toolkit(client, &toolkit).await,
        Part::Actions(ids) => actions_by_id(client, &ids).await,
    }
}

async fn actions_of_toolkit(client: &ServiceClient, toolkit: &str) -> Result<Vec<ActionInfo>, SvcError> {
    let every = toolkit == EVERY_TOOLKIT;
    if !every && !is_toolkit_id(toolkit) {
        let message = format!("{toolkit:?} is not a toolkit id; one looks like \"weather\" or \"sample-database\"");
        return Err(SvcError::new(ErrorCode::ToolkitNotFound, message));
    }
    let query = if every { None } else { Some(("toolkit", toolkit)) };
    let actions = read_pages(client, query).await?;
    if !actions.is_empty() {
        return Ok(actions);
    }
    let subject = if every { "No toolkit has an action".into() } else { format!("Toolkit {toolkit:?} has no action") };
    Err(SvcError::new(ErrorCode::ActionNotFound, format!("{subject} that this key may use")))
}

async fn actions_by_id(client: &ServiceClient, ids: &[String]) -> Result<Vec<ActionInfo>, SvcError> {
    if let Some(id) = ids.iter().find(|id| !is_action_id(id)) {
        let message = format!("{id:?} is not an action id; one looks like \"weather__get_forecast\"");
        return Err(SvcError::new(ErrorCode::ActionNotFound, message));
    }
    let actions = read_pages(client, Some(("ids", &ids.join(",")))).await?;
    let found: HashSet<&str> = actions.iter().map(|action| action.action.as_str()).collect();
    let missing: Vec<&str> = ids.iter().map(String::as_str).filter(|id| !found.contains(id)).collect();
    if missing.is_empty() {
        return Ok(actions);
    }
    let message = format!("No toolkit offers {}, or this key may not use it", missing.join(", "));
    Err(SvcError::new(ErrorCode::ActionNotFound, message))
}

async fn read_pages(client: &ServiceClient, query: Option<(&str, &str)>) -> Result<Vec<ActionInfo>, SvcError> {
    let (mut actions, mut cursors, mut cursor) = (Vec::new(), HashSet::new(), None::<String>);
    loop {
        let path = path_of(query.into_iter().chain(cursor.as_deref().map(|cursor| ("cursor", cursor))));
        let page: Page = client.read(client.request(client.get(path, has_actions)).await?.json)?;
        actions.extend(page.actions);
        let Some(next) = page.next_cursor else { return Ok(actions) };
        if !cursors.insert(next.clone()) {
            let message = format!("The service returned the cursor {next} twice, so its pages would never end");
            return Err(SvcError::new(ErrorCode::Internal, message));
        }
        cursor = Some(next);
    }
}

fn path_of<'a>(query: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    // The host is not part of the path, so any host is valid.
    let mut url = Url::parse("http://host").expect("a constant URL");
    for (name, value) in query {
        url.query_pairs_mut().append_pair(name, value);
    }
    url.query().map_or_else(|| ACTIONS_PATH.into(), |query| format!("{ACTIONS_PATH}?{query}"))
}
