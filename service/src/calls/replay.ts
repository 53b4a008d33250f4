/** Turns the recorded outcome of a call into the answer to its retry. */
import { type ModelError, SvcError } from '#sdk/protocol/errors';
import type { InvocationOutcome, InvocationRecord, InvocationStart } from '../store/store';
import type { Ended } from './call-state';
import { asReplayed } from './response-json';

/** Why a recorded outcome of a call with an idempotency key has no body. */
export const NOT_KEPT = 'Its result is no longer kept, because newer results of this agent key exceed `keptResultBytesPerKey`';

/** @param outcome with a body */
export function replay({ code, body }: InvocationOutcome & { body: string }): Ended {
  if (code === 'OK') return { responseJson: asReplayed(body) };
  const { code: errorCode, message, ...details } = JSON.parse(body) as ModelError;
  return { error: new SvcError(errorCode, message, details) };
}

export type EndedRecord = InvocationRecord & { outcome: InvocationOutcome };

export function replayStored({ id, idempotencyKey, outcome: { code, body, endedAt } }: EndedRecord): Ended {
  if (body !== null) return replay({ code, body, endedAt });
  const message =
    idempotencyKey === null
      ? `The call ended with ${code} at another node, and the result of a call without an idempotency key is not stored: repeat it only if a second run does no harm`
      : `The call ran before and ended with ${code}. ${NOT_KEPT}. It was not run again; with a fresh idempotency key it would run a second time`;
  return { error: new SvcError('OUTCOME_UNKNOWN', message, { invocationId: id }) };
}

/** @throws SvcError IDEMPOTENCY_MISMATCH */
export function requireSameCall(earlier: InvocationStart, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  const message = `This idempotency key belongs to ${earlier.id}, a call with another action, payload or user; use a fresh key`;
  throw new SvcError('IDEMPOTENCY_MISMATCH', message, { invocationId: earlier.id });
}
