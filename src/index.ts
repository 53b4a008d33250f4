/** The public door of `svc-sdk`: `Tools` for agents, `Toolkit` for those who serve actions. Adding a line here is making API. */
export {
  type ActionErrorCause,
  type ModelError,
  type PayloadIssue,
  type Problem,
  SvcError,
  type SvcErrorCode,
  type SvcErrorDetails,
} from './protocol/errors';
export type { ActionAnnotations, ActionInfo, InvokeResponse, JsonSchema, Progress, SearchResponse } from './protocol/http';
