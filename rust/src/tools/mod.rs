//! The agent's side: [`Tools`], two tools that find and run every action, in any agent loop.
mod action_info;
mod answer_tool;
mod approvals;
mod approved_call;
mod call;
mod call_tools;
mod caller;
mod caller_ask;
mod canonical_json;
mod client;
mod code_run;
mod code_runs;
mod connect_page;
mod connection_headers;
mod connections;
mod definitions;
mod describe_block;
mod describe_call;
mod for_user;
mod globally_unique;
mod idempotency_key;
mod ids;
mod invoke;
mod invoke_response;
mod max_payment;
mod model_arguments;
mod model_media;
mod model_run;
mod model_text;
mod options;
mod pending_usage;
mod questions;
mod required_approval;
mod required_connection;
mod resolve;
mod resolve_response;
mod run_code;
mod search;
mod search_memory;
mod selection;
mod service_client;
mod static_tools;
mod two_tools;
mod unfinished;
mod usage_header;

pub use action_info::{ActionInfo, MoreAction, ResultMisfit, describe_action};
pub use answer_tool::{AnswerTool, ToolAnswer};
pub use approvals::ApprovalMode;
pub use call_tools::CallTools;
pub use caller_ask::CallerAsk;
pub use client::Tools;
pub use code_run::{CodeRun, CodeRunError, CodeRunErrorCode, DoneRun, FailedRun, ProgramLine, RunAsk, RunConnect, RunningRun, WaitingRun};
pub use connect_page::{ConfirmConnection, ConfirmedConnection, ConnectSession, ConnectUrl};
pub use definitions::ToolDefinition;
pub use describe_call::{describe_call, describe_call_within};
pub use for_user::ForUser;
pub use invoke::{Invoke, StartInvoke};
pub use invoke_response::{CallPayment, CutSizes, InvokeResponse};
pub use model_media::ModelMedia;
pub use options::ToolsBuilder;
pub use required_approval::{ApprovalAnswer, ApprovalDecider, ApprovalQuestion, ApprovalStatus, DecidedApproval, RequiredApproval};
pub use required_connection::RequiredConnection;
pub use resolve::Resolve;
pub use resolve_response::{ResolveResponse, ResolvedApproval};
pub use run_code::{ReadRun, RunCode};
pub use search::{Search, SearchResponse};
pub use selection::ToolSelection;
pub use two_tools::{CallTool, CodeTool, SearchTools, get_tools};
pub use unfinished::{Invocation, ReadResult, UnfinishedInvocation, UnfinishedStatus};
pub use usage_header::ReportedUsage;

#[cfg(test)]
mod same_as_typescript;
#[cfg(test)]
mod same_names_as_typescript;
#[cfg(test)]
#[path = "../../tests/support"]
mod support {
    pub mod matching;
    pub mod repository;
}
#[cfg(test)]
#[path = "../../tests/tools_support/mod.rs"]
mod tools_support;
#[cfg(test)]
mod vector_retries;
