/** Requests about calls that go on without their caller, by their handles. docs/protocol.md, sections 12 and 13. */
import type { ApprovalInfo, DecideRequest } from '../protocol/approvals';
import { SvcError } from '../protocol/errors';
import { type InvokeResponse, PATHS, type UnfinishedInvocation } from '../protocol/http';
import { isApprovalInfo, isInvokeResponse } from './answers';
import type { SendRequest } from './http-client';

const MAX_WAIT_SECONDS = 60;
/** Time for the answer beside the wait. */
const ANSWER_MS = 10_000;

export interface ReadInvocation {
  /** Seconds. */
  wait?: number | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export async function readInvocation(
  send: SendRequest,
  handle: string,
  { wait = 0, timeoutMs, signal }: ReadInvocation,
): Promise<InvokeResponse | UnfinishedInvocation> {
  if (!Number.isInteger(wait) || wait < 0 || wait > MAX_WAIT_SECONDS)
    throw new SvcError('INVALID_REQUEST', `wait must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}, not ${String(wait)}`);
  return send({
    method: 'GET',
    path: `${pathOf(handle)}?wait=${wait}`,
    isAnswer: isInvokeResponse,
    timeoutMs: Math.max(timeoutMs, wait * 1_000 + ANSWER_MS),
    signal,
  });
}

export async function cancelInvocation(send: SendRequest, handle: string): Promise<void> {
  await send({ method: 'DELETE', path: pathOf(handle), isAnswer: (body): body is undefined => body === undefined });
}

export async function decideApproval(send: SendRequest, id: string, body: DecideRequest): Promise<ApprovalInfo> {
  return send({ method: 'POST', path: `${PATHS.approvals}/${encodeURIComponent(id)}`, body, isAnswer: isApprovalInfo });
}

function pathOf(handle: string): string {
  return `${PATHS.invocations}/${encodeURIComponent(handle)}`;
}
