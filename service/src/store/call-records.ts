/** Records of calls, made from their starts and outcomes. */
import { SvcError } from '#sdk/protocol/errors';
import { isSaidByHandler } from './call-engine';
import type { InvocationOutcome, InvocationRecord, InvocationStart } from './store';

export function recordOf(call: InvocationStart, node: string, outcome: InvocationOutcome | null): InvocationRecord {
  const { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, hold, madeBy, origin } = call;
  const record: InvocationRecord = { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, node, outcome };
  if (hold) record.hold = hold;
  if (madeBy !== undefined) record.madeBy = madeBy;
  if (origin !== undefined) record.origin = origin;
  return record;
}

/**
 * The record of a call that was refused, without its idempotency key.
 *
 * @param started the record of a paid call that may hold its price, which a refusal releases
 */
export function refusedRecord(
  call: InvocationStart,
  node: string,
  { code, endedAt, took }: InvocationOutcome,
  started: InvocationRecord | undefined,
): InvocationRecord {
  const outcome: InvocationOutcome = { code, body: null, endedAt };
  if (took !== undefined) outcome.took = took;
  if (started?.hold) outcome.charged = started.outcome?.charged ?? 0n;
  return recordOf({ ...call, idempotencyKey: null, hold: started?.hold }, node, outcome);
}

/** The outcome to record. Undefined when the recorded one is final. */
export function newOutcome(record: InvocationRecord, given: InvocationOutcome): InvocationOutcome | undefined {
  // The cost of a call is final, and its answer shows it.
  if (record.outcome && (!isSaidByHandler(given.code) || record.outcome.charged !== undefined)) return undefined;
  return record.idempotencyKey === null ? { ...given, body: null } : given;
}

export function neverStarted(id: string): SvcError {
  return new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
}
