/**
 * A call that waits for a person's decision, or runs for long: held as long as clients wait for an answer. After that its answer has a handle.
 *
 * Units: milliseconds; seconds in requests to the service.
 */
import { type CallToolOptions, type RequiredApproval, SvcError, type ToolAnswer } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import type { OfferedTools } from './offered-tools';

/** How long a client waits: docs/mcp.md has the measured times. */
export const WAITS = {
  /** Most clients end a request after 60 s, also one whose progress they get. */
  holdMs: 45_000,
  /** Clients of revision 2026-07-28 make a call again 10 times. */
  rounds: 8,
  /** A call that takes longer becomes a task for a client that has tasks. */
  taskMs: 2_000,
};

const MAX_WAIT_SECONDS = 45;
/** The time between two looks at a service that answers at once, such as a node that stops. */
const PAUSE_MS = 500;

const OF_A_LOOK = new Set<string>([
  'NOT_FOUND',
  'INVALID_KEY',
  'KEY_EXPIRED',
  'KEY_REVOKED',
  'WRONG_KEY_KIND',
  'RATE_LIMITED',
  'INTERNAL',
  'SERVICE_STOPPING',
  'SERVICE_UNAVAILABLE',
  'SERVICE_UNREACHABLE',
]);

export interface HeldCall {
  tool: AgentTool;
  input: unknown;
  options: CallToolOptions;
  offered: Pick<OfferedTools, 'look'>;
}

/** @param approvalId the question of an earlier round, to wait for first */
export async function heldAnswer(call: HeldCall, holdMs: number, approvalId?: string): Promise<ToolAnswer> {
  const { tool, input, options } = call;
  const endsAt = performance.now() + holdMs;
  const secondsLeft = () => Math.min(MAX_WAIT_SECONDS, Math.round((endsAt - performance.now()) / 1_000));
  if (approvalId !== undefined) await decision(call, approvalId, secondsLeft);
  let answer = await tool.answer(input, options);
  for (let asked: string | undefined; secondsLeft() >= 1; ) {
    const approval = approvalOf(answer);
    if (answer.unfinished) {
      answer = await followed(call, answer, secondsLeft());
      continue;
    }
    if (!approval || !(await decision(call, approval.id, secondsLeft))) break;
    if (approval.id === asked) await pause(PAUSE_MS, options.signal);
    asked = approval.id;
    answer = await tool.answer(input, options);
  }
  return answer;
}

/** The question that a person has not answered. */
export function approvalOf({ error }: ToolAnswer): RequiredApproval | undefined {
  return error?.code === 'APPROVAL_REQUIRED' ? error.details.approval : undefined;
}

/** The outcome of a call that goes on, or its handle again. */
async function followed({ tool, options }: HeldCall, last: ToolAnswer, seconds: number): Promise<ToolAnswer> {
  const askedAt = performance.now();
  const answer = await tool.answer(undefined, { ...options, handle: last.unfinished?.invocationId, waitMs: seconds * 1_000 });
  const next = answer.error && isOfLook(answer.error) ? last : answer;
  if (!next.unfinished) return next;
  const { progress } = next.unfinished;
  if (progress) options.onProgress?.(progress);
  await pause(PAUSE_MS - (performance.now() - askedAt), options.signal);
  return next;
}

/** True for an error of the question about a call: the call itself goes on. */
export function isOfLook({ code }: SvcError): boolean {
  return OF_A_LOOK.has(code);
}

/** True once there is one. The call itself then says which. */
async function decision({ offered, options: { signal } }: HeldCall, id: string, secondsLeft: () => number): Promise<boolean> {
  const { look } = offered;
  for (let wait = secondsLeft(); look && wait >= 1; wait = secondsLeft()) {
    const askedAt = performance.now();
    if (!(await isPending(look, id, { wait, signal }))) return true;
    await pause(PAUSE_MS - (performance.now() - askedAt), signal);
  }
  return false;
}

async function isPending(look: NonNullable<OfferedTools['look']>, id: string, options: { wait: number; signal: AbortSignal | undefined }) {
  try {
    const found = await look(id, options);
    return 'approval' in found && found.approval?.status === 'pending';
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    // A node that stops, for example. Any other error is one of the call, which its next try has too.
    return error.retryable;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
