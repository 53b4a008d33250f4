/** Separates the service's answers from another program's JSON, by the one field that each must have. The content is not checked. */
import type { ApprovalInfo } from '../protocol/approvals';
import type { ActionsPage, InvokeResponse, ResolveResponse, SearchResponse, UnfinishedInvocation } from '../protocol/http';
import { isObject } from '../protocol/json-object';
import type { RunAnswer, RunningRun } from '../protocol/runs';

export function isSearchResponse(body: unknown): body is SearchResponse {
  return isObject(body) && Array.isArray(body.actions);
}

export function isActionsPage(body: unknown): body is ActionsPage {
  return isObject(body) && Array.isArray(body.actions);
}

export function isInvokeResponse(body: unknown): body is InvokeResponse | UnfinishedInvocation {
  return isObject(body) && typeof body.invocationId === 'string';
}

/** A result has no status. */
export function isUnfinished(answer: InvokeResponse | UnfinishedInvocation): answer is UnfinishedInvocation {
  return 'status' in answer;
}

export function isResolveResponse(body: unknown): body is ResolveResponse {
  return isObject(body) && isObject(body.action) && isObject(body.payload);
}

export function isConnectSession(body: unknown): body is { url: string; expiresAt: string } {
  return isObject(body) && typeof body.url === 'string';
}

export function isConfirmedConnection(body: unknown): body is { toolkit: string; account?: string; name: string } {
  return isObject(body) && typeof body.toolkit === 'string';
}

export function isNothing(body: unknown): body is undefined {
  return body === undefined;
}

export function isApprovalInfo(body: unknown): body is ApprovalInfo {
  return isObject(body) && typeof body.id === 'string';
}

export function isCodeRun(body: unknown): body is RunAnswer | RunningRun {
  return isObject(body) && typeof body.run === 'string';
}
