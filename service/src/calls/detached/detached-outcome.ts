/** The outcome of a detached call that has ended. Its result is in the record of its run, under its idempotency key. */
import { type ModelError, SvcError } from '#sdk/protocol/errors';
import { isRetryable } from '../../store/call-engine';
import type { DetachedRecord } from '../../store/detached-store';
import type { InvocationRecord } from '../../store/store';
import { type EndedRecord, replay, replayStored } from '../replay';

/**
 * Returns the JSON text of the `InvokeResponse`.
 *
 * @throws SvcError the error of the call
 */
export function outcomeOf(call: DetachedRecord, run: InvocationRecord | undefined): string {
  const { code, body = null } = run?.outcome ?? {};
  if (code === 'OK' && body !== null) return body;
  // A late outcome of a handler replaces the reason why the call was given up.
  if (code !== undefined && body !== null) throw errorIn(replay({ code, body, endedAt: 0 }));
  if (call.error !== null) throw readError(call.error);
  if (run?.outcome) throw errorIn(replayStored(run as EndedRecord));
  throw new SvcError('OUTCOME_UNKNOWN', `${call.id} ran before, and its result is no longer kept`, { invocationId: call.id });
}

/** Whether the next call with the idempotency key runs: this one ended without a run, or with a failure that its handler calls retryable. */
export function mayRunAgain(call: DetachedRecord, run: InvocationRecord | undefined): boolean {
  if (call.endedAt === null) return false;
  return run === undefined || (run.outcome !== null && isRetryable(run.outcome));
}

function errorIn(ended: ReturnType<typeof replay>): unknown {
  return 'error' in ended ? ended.error : undefined;
}

function readError(json: string): SvcError {
  const { code, message, ...details } = JSON.parse(json) as ModelError;
  return new SvcError(code, message, details);
}
