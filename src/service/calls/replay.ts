/** Turns the recorded outcome of a call into the answer to its retry. */
import { type ModelError, SvcError } from '../../protocol/errors';
import type { InvocationOutcome, InvocationStart } from '../store/store';
import type { Ended } from './pending-call';
import { asReplayed } from './response-json';

export function replay({ code, body }: InvocationOutcome): Ended {
  if (body === null) {
    const message = `The call ended with ${code} at another node, and the result of a call without an idempotency key is not stored: repeat it only if a second run does no harm`;
    return { error: new SvcError('OUTCOME_UNKNOWN', message) };
  }
  if (code === 'OK') return { responseJson: asReplayed(body) };
  const { code: errorCode, message, ...details } = JSON.parse(body) as ModelError;
  return { error: new SvcError(errorCode, message, details) };
}

/** @throws SvcError IDEMPOTENCY_MISMATCH */
export function requireSameCall(earlier: InvocationStart, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  const message = `This idempotency key belongs to ${earlier.id}, a call with another action or payload; use a fresh key`;
  throw new SvcError('IDEMPOTENCY_MISMATCH', message, { invocationId: earlier.id });
}
