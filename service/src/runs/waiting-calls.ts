/** Looks whether a call that waits for a person, an account or long work may go on. */
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import type { HandledCalls } from '../calls/handles';
import type { CallApprovalStore } from '../store/approval-store';
import type { RunRights } from './kept-run';
import { ENDED_KEY, type ProgramCallsDeps } from './program-calls';
import { RunCaller, type RunCallerDeps } from './run-caller';
import type { RunMemory, WaitingCall } from './run-memory';

/** The store or the node failed, and not the call. */
const SAYS_NOTHING: ReadonlySet<string> = new Set<SvcErrorCode>(['SERVICE_UNAVAILABLE', 'SERVICE_STOPPING', 'INTERNAL', 'RATE_LIMITED']);

export interface WaitingCallsDeps extends RunCallerDeps, Pick<ProgramCallsDeps, 'accountsOf'> {
  approvals: Pick<CallApprovalStore, 'find'>;
  handles: Pick<HandledCalls, 'follow'>;
}

export interface WaitingRunParts {
  agentKeyId: string;
  rights: RunRights;
  memory: RunMemory;
}

/** Resolves with whether one of them may. Rejects when the store does not answer. */
export async function mayGoOn(run: WaitingRunParts, deps: WaitingCallsDeps): Promise<boolean> {
  for (const call of run.memory.waiting) if (await hasAnswer(call, run, deps)) return true;
  return run.memory.waiting.length === 0;
}

async function hasAnswer(call: WaitingCall, run: WaitingRunParts, deps: WaitingCallsDeps): Promise<boolean> {
  const { ask } = call;
  if (ask.approval) return (await deps.approvals.find(ask.approval.id))?.status !== 'pending';
  let caller: RunCaller;
  try {
    caller = await RunCaller.open(deps, run.agentKeyId, run.rights.caller);
  } catch (error) {
    // The next attempt ends with it.
    if (SvcError.is(error) && ENDED_KEY.has(error.code)) return true;
    throw error;
  }
  try {
    const now = await caller.now();
    if (ask.handle !== undefined) return await hasEnded(call.key, ask.handle, now.key, run, deps);
    return (await deps.accountsOf({ ...now, connectionNames: run.rights.connectionNames }, ask.action)) !== call.accounts;
  } finally {
    caller.release();
  }
}

async function hasEnded(
  key: string,
  handle: string,
  caller: Parameters<HandledCalls['follow']>[1],
  { memory }: WaitingRunParts,
  { handles }: WaitingCallsDeps,
): Promise<boolean> {
  try {
    return (await handles.follow(handle, caller, { waitMs: 0, onDisconnect() {} })).status === 200;
  } catch (error) {
    if (!SvcError.is(error) || SAYS_NOTHING.has(error.code)) throw error;
    // A failure that its handler calls retryable frees the key of the call, so the replay would make it again.
    memory.keep(key, { ok: false, errorJson: JSON.stringify(error) });
    return true;
  }
}
