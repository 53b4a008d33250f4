/** The time until calls succeed again. */
import { type CallRecord, isUnpaid, isWaiting, outcomeName, type Try } from './call-record.ts';

/** Time within which the service must recover. */
export const RECOVERED_WITHIN_MS = 5_000;
/** The work of a handler and its way there and back do not fit into a deadline that is hardly longer. */
const MARGIN_MS = 500;

export interface Recovery {
  /** Time from the end of the last fault to the start of the last failed try; 0 when none failed. */
  recoveryMs: number;
  /** Tries of calls that began later than 5 s after the last fault, and failed. */
  errorsAfterwards: number;
}

/** Only calls that began after the last fault count: older ones may still receive an error of that time. */
export function measureRecovery(calls: readonly CallRecord[], lastFaultEndedAt: number): Recovery {
  const later = calls.filter(({ tries }) => (tries[0]?.sentAt ?? 0) >= lastFaultEndedAt);
  const failed = later.flatMap((call) => call.tries.filter((made) => hasFailed(made, call)));
  const lateFrom = lastFaultEndedAt + RECOVERED_WITHIN_MS;
  return {
    recoveryMs: Math.max(0, ...failed.map(({ sentAt }) => sentAt - lastFaultEndedAt)),
    errorsAfterwards: later
      .filter((call) => (call.tries[0]?.sentAt ?? 0) >= lateFrom)
      .flatMap((call) => call.tries.filter((made) => hasFailed(made, call))).length,
  };
}

export function hasFailed({ outcome }: Try, { action, isAsked, workMs, deadlineMs }: CallRecord): boolean {
  const name = outcomeName(outcome);
  if (name === 'RESULT' || isUnpaid(outcome) || isWaiting(outcome)) return false;
  if (isAsked && name === 'APPROVAL_DENIED') return false;
  if (action === 'fails' && name === 'ACTION_FAILED') return false;
  return !(name === 'INVOCATION_TIMEOUT' && workMs + MARGIN_MS > deadlineMs);
}
