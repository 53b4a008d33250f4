/** The public door of `svc-sdk`: `Tools` for agents, `Toolkit` for those who serve actions. Adding a line here is making API. */
export { toMillionths } from './protocol/amount';
export type { ApprovalInfo, ApprovalStatus, DecideRequest, RequiredApproval } from './protocol/approvals';
export type { CallerAsk } from './protocol/ask';
export type { ByteStream } from './protocol/byte-stream';
export type { ActionAuth, ConnectionSource, Credential, RequiredConnection, ToolkitAuth } from './protocol/connections';
export type { AudioBlock, ContentBlock, ImageBlock, LinkBlock, ResourceBlock, TextBlock } from './protocol/content';
export {
  type ActionErrorCause,
  type ModelError,
  type PayloadIssue,
  type Problem,
  type RefusedPayment,
  SvcError,
  type SvcErrorCode,
  type SvcErrorDetails,
} from './protocol/errors';
export type { RejectedAction, ToolkitDetails } from './protocol/frames';
export type {
  ActionAnnotations,
  ActionInfo,
  CallPayment,
  FoundAction,
  InvokeResponse,
  JsonSchema,
  MoreAction,
  Payment,
  Progress,
  ResolveResponse,
  SearchResponse,
  UnfinishedInvocation,
} from './protocol/http';
export type { LintFinding, LintRule } from './protocol/lint';
export { mayProgramCall } from './protocol/program-calls';
export type { ApprovalDecider, Rule } from './protocol/rules';
export type { DoneRun, FailedRun, RunAnswer, RunAsk, RunError, RunErrorCode, RunningRun, WaitingRun } from './protocol/runs';
export type { ToolkitCategory, ToolkitProfile } from './protocol/toolkit-profile';
export type { ActionConnection } from './toolkit/action-connection';
export type {
  ActionDefinition,
  ActionHandler,
  ActionWithHandler,
  PlainPayloadDescription,
  ResultDescription,
} from './toolkit/action-definition';
export type { ActionErrorOptions } from './toolkit/action-error';
export type { Attachment, AttachmentDetails, Bytes, FileDetails, LinkDetails } from './toolkit/attachment';
export type { ActionContext, ResultOptions } from './toolkit/context';
export type { Middleware, OnRejected, ToolkitOptions } from './toolkit/options';
export type { PayloadOf } from './toolkit/payload-type';
export type { StopOptions } from './toolkit/shutdown';
export {
  type ResultSchema,
  type SchemaOutput,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  type ValidatingSchema,
  withJsonSchema,
} from './toolkit/standard-schema';
export type { CallWarning, Registration, StatusListener, ToolkitStatus, WarningListener } from './toolkit/status';
export { Toolkit } from './toolkit/toolkit';
export type { ToolkitUpdate } from './toolkit/toolkit-details';
export type { ApprovalAnswer, ApprovalQuestion, AskToApprove } from './tools/caller-approvals';
export type { AskToConnect, FindCredential } from './tools/caller-connections';
export type { ChatCompletionTool, ChatCompletionToolCall, ChatCompletionToolMessage } from './tools/chat-completions';
export type { CodeRunState } from './tools/code-runs';
export type { ToolDefinition } from './tools/definitions';
export { describeAction } from './tools/describe-action';
export { type CallToDescribe, describeCall } from './tools/describe-call';
export type { FetchLike } from './tools/http-client';
export type { ModelMedia } from './tools/model-media';
export type { ReportedUsage } from './tools/pending-usage';
export { resultType } from './tools/result-type';
export type { FetchResponse } from './tools/service-answer';
export {
  type CallToolOptions,
  type CallToolsOptions,
  type ConfirmConnectionOptions,
  type ConfirmedConnection,
  type ConnectUrlOptions,
  type ForOptions,
  type GetToolsOptions,
  type InvokeOptions,
  type ReadResultOptions,
  type ResolveOptions,
  type RunCodeOptions,
  type SearchOptions,
  type ToolAnswer,
  Tools,
  type ToolsOptions,
} from './tools/tools';
