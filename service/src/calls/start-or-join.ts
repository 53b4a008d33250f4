/** A request of a caller or of another node becomes a new call, or joins the call that runs with its idempotency key. */
import type { AttemptRequest } from '../hub/attempt';
import type { InvocationStart } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { CallRunner } from './call-runner';
import { type CallOrigin, PendingCall } from './pending-call';
import { requireSameCall } from './replay';

export interface StartOrJoinDeps {
  directory: CallDirectory;
  runner: Pick<CallRunner, 'start'>;
}

export interface RequestedCall {
  record: InvocationStart;
  request: AttemptRequest;
  /** Whether the request may join this running call. Default: any. */
  mayJoin?(running: PendingCall): boolean;
  /** Called for a new call only. */
  origin(): CallOrigin;
}

/** Synchronous, so the second of two equal requests joins the first. Throws IDEMPOTENCY_MISMATCH for a request that is not equal. */
export function startOrJoin(
  { directory, runner }: StartOrJoinDeps,
  { record, request, mayJoin, origin }: RequestedCall,
): { call: PendingCall; isNew: boolean } {
  const running = directory.inScope(record);
  if (running && (mayJoin === undefined || mayJoin(running))) {
    requireSameCall(running.record, record.requestHash);
    running.supplyPayload(request);
    return { call: running, isNew: false };
  }
  const call = new PendingCall(directory, record, request, origin());
  call.origin.observer?.callStarted(call);
  runner.start(call);
  return { call, isNew: true };
}
