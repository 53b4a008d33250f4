/**
 * Holds what the callers saw against what the handlers noted. Knows only these two books, nothing of the service.
 * Source: docs/protocol.md, section 5, "Idempotency".
 */
import { type CallRecord, lastOutcome, outcomeName } from './call-record.ts';

const LATE_AFTER_MS = 500;

/** What may come of a call when its toolkit processes are killed. Any other code is a fault here, documented or not. */
const EXPECTED_CODES = new Set(['OUTCOME_UNKNOWN', 'INVOCATION_TIMEOUT', 'TOOLKIT_OFFLINE', 'QUEUE_FULL']);
/** With these the service says that the call reached no handler. */
const NEVER_RAN_CODES = new Set(['TOOLKIT_OFFLINE', 'QUEUE_FULL']);

/** One sentence for each broken promise. `runs`: call number -> how often a handler began to work on it. */
export function findViolations(calls: CallRecord[], runs: ReadonlyMap<number, number>): string[] {
  const known = new Set(calls.map(({ number }) => number));
  const strangers = [...runs.keys()].filter((number) => !known.has(number)).map((number) => `call ${number} was run and never sent`);
  return [...strangers, ...calls.flatMap((call) => problemsOf(call, runs.get(call.number) ?? 0).map((it) => `call ${call.number} ${it}`))];
}

function problemsOf(call: CallRecord, runs: number): string[] {
  const names = call.attempts.map(({ outcome }) => outcomeName(outcome));
  const problems = call.attempts.flatMap(({ outcome, elapsedMs }) => {
    const late = elapsedMs > call.deadlineMs + LATE_AFTER_MS;
    return [
      ...(late ? [`took ${elapsedMs.toFixed(0)} ms with a deadline of ${call.deadlineMs} ms (${outcomeName(outcome)})`] : []),
      ...(outcome.kind === 'broken' ? [`got no proper answer: ${outcome.what}`] : []),
      ...(outcome.kind === 'error' && !EXPECTED_CODES.has(outcome.code) ? [`ended in ${outcome.code}`] : []),
      ...(outcome.kind === 'result' && outcome.number !== call.number ? [`got the result of call ${outcome.number}`] : []),
    ];
  });
  if (runs > 1) problems.push(`was run ${runs} times (${names.join(', ')})`);
  if (lastOutcome(call).kind === 'result' && runs === 0) problems.push('got a result and was never run');
  if (runs > 0 && names.every((name) => NEVER_RAN_CODES.has(name))) problems.push(`was run, but the service said ${names.join(', ')}`);
  const unknownAt = names.indexOf('OUTCOME_UNKNOWN');
  if (unknownAt >= 0 && names.slice(unknownAt).some((name) => name !== 'OUTCOME_UNKNOWN'))
    problems.push(`changed its answer after OUTCOME_UNKNOWN (${names.join(', ')})`);
  return problems;
}
