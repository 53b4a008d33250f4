/** A call that the store has already -> what a retry of it is told. */
import { type ModelError, SvcError } from '../../protocol/errors';
import type { InvocationOutcome, InvocationStart } from '../store/store';
import type { Ended } from './pending-call';
import { asReplayed } from './response-json';

export function replay({ code, body }: InvocationOutcome): Ended {
  if (body === null) {
    const message = `The call ended with ${code} at another node, and without an idempotency key nothing of that is kept: do not call it again unless that does no harm`;
    return { error: new SvcError('OUTCOME_UNKNOWN', message) };
  }
  if (code === 'OK') return { responseJson: asReplayed(body) };
  const { code: told, message, ...details } = JSON.parse(body) as ModelError;
  return { error: new SvcError(told, message, details) };
}

/** @throws SvcError IDEMPOTENCY_MISMATCH */
export function requireSameCall(earlier: InvocationStart, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  const message = `This idempotency key belongs to ${earlier.id}, a call with another action or payload; use a fresh key`;
  throw new SvcError('IDEMPOTENCY_MISMATCH', message, { invocationId: earlier.id });
}
