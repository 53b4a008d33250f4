/**
 * Compares the answers of the callers with the ledgers of the handlers. It reads only these and the faults, nothing of the service.
 * Source: docs/protocol.md, section 5, "Idempotency".
 */
import { ACTIONS } from './actions.ts';
import { type CallRecord, endOf, finalAnswer, isKeptGivingUp, isUnpaid, type Outcome, outcomeName, type Try } from './call-record.ts';
import type { DoneFault } from './faults.ts';
import type { Run } from './ledger.ts';

/** The promises, named by their violations. */
export const BREACHES = {
  lost: 'received a result that no run gave, or no final answer',
  doubled: 'ran more than once',
  unapproved: 'ran without an approval',
  denied: 'ran after a denial',
  hung: 'no answer within the deadline and 5 s',
  inconsistent: 'received different answers under one key',
  unknownKnowable: 'OUTCOME_UNKNOWN, but it could be known',
  gaveUp: 'INVOCATION_TIMEOUT or _CANCELLED for good, though there is a result',
  overspent: 'charged and held more than the budget of a day',
  doubleBooked: 'charged more than once, or another amount than the handler said',
  lostBookings: 'a result was received, and its charge is not booked',
  contradicted: 'ran, though every try received the answer that it did not',
  unexpected: 'received an answer that no fault explains',
} as const;

export type Breach = keyof typeof BREACHES;

export interface Finding {
  breach: Breach;
  call: number;
  what: string;
}

export interface Books {
  calls: readonly CallRecord[];
  /** Call number -> its runs. */
  runs: ReadonlyMap<number, Run[]>;
  faults: readonly DoneFault[];
  /** `<replica>.<life>` -> when it was killed. */
  kills: ReadonlyMap<string, number>;
}

const HUNG_AFTER_MS = 5_000;
/** Codes of calls that reached no handler. */
const NEVER_RAN = new Set(['TOOLKIT_OFFLINE', 'QUEUE_FULL', 'SERVICE_UNAVAILABLE', 'PAYMENT_REQUIRED']);
/** The only other outcomes that a try may have after the final answer. */
const NO_ANSWER_NOW = new Set(['BROKEN', 'SERVICE_UNREACHABLE', 'SERVICE_UNAVAILABLE', 'SERVICE_STOPPING', 'INVOCATION_TIMEOUT']);
/** A broken socket looks like a disconnected caller, so a call may be cancelled without a request. */
const EXPECTED = new Set([...NO_ANSWER_NOW, 'RESULT', 'OUTCOME_UNKNOWN', 'TOOLKIT_OFFLINE', 'QUEUE_FULL', 'INVOCATION_CANCELLED']);

export function audit(books: Books): Finding[] {
  const known = new Set(books.calls.map(({ number }) => number));
  const strangers = [...books.runs.keys()].filter((number) => !known.has(number));
  return [
    ...strangers.map((call): Finding => ({ breach: 'unexpected', call, what: 'was run and never sent' })),
    ...books.calls.flatMap((call) => onceEach(findingsOf(call, books)).map((problem) => ({ ...problem, call: call.number }))),
  ];
}

/** Calls with an unknown outcome for their callers, by their state in the ledger. */
export function countInDoubt({ calls, runs }: Books, code: string): { ran: number; didNotRun: number } {
  const inDoubt = calls.filter((call) => outcomeName(endOf(call)) === code);
  const ran = inDoubt.filter(({ number }) => runs.has(number)).length;
  return { ran, didNotRun: inDoubt.length - ran };
}

type Problem = Omit<Finding, 'call'>;

function findingsOf(call: CallRecord, books: Books): Problem[] {
  const runs = books.runs.get(call.number) ?? [];
  return [
    ...call.tries.flatMap((made) => problemsOfTry(made, call, runs, books.faults)),
    ...problemsOfRuns(call, runs),
    ...problemsOfEnd(call, runs, books),
    ...inconsistencies(call),
  ];
}

/** Reports one of each kind: each of a hundred tries may break the same promise. */
function onceEach(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.toReversed().map((problem) => [problem.breach, problem])).values()];
}

function problemsOfTry(made: Try, call: CallRecord, runs: readonly Run[], faults: readonly DoneFault[]): Problem[] {
  const { outcome } = made;
  const name = outcomeName(outcome);
  const problems: Problem[] = [];
  const waitedMs = made.answeredAt - made.sentAt - pausedMs(made, faults);
  if (waitedMs > made.deadlineMs + HUNG_AFTER_MS)
    problems.push({ breach: 'hung', what: `waited ${waitedMs} ms with a deadline of ${made.deadlineMs} ms (${name})` });
  if (outcome.kind === 'result' && outcome.call !== call.number)
    problems.push({ breach: 'lost', what: `got the result of call ${String(outcome.call)}` });
  if (isFromHandler(outcome) && !runs.some(({ end }) => end?.token === outcome.token))
    problems.push({ breach: 'lost', what: `received a ${name} that no run gave` });
  if (!isExpected(made, call)) problems.push({ breach: 'unexpected', what: `received ${describe(outcome)}` });
  return problems;
}

function isFromHandler(outcome: Outcome): outcome is Outcome & { token?: unknown } {
  return outcome.kind === 'result' || outcomeName(outcome) === 'ACTION_FAILED';
}

function isExpected({ outcome }: Try, { action, isAsked, isDetached }: CallRecord): boolean {
  const name = outcomeName(outcome);
  if (outcome.kind === 'unfinished') return isAsked || isDetached;
  if (name === 'APPROVAL_REQUIRED' || name === 'APPROVAL_DENIED') return isAsked;
  if (action === 'fails' && name === 'RESULT') return false;
  if (name === 'PAYMENT_REQUIRED') return action === 'buy';
  return name === 'ACTION_FAILED' ? action === 'fails' : EXPECTED.has(name);
}

function problemsOfRuns(call: CallRecord, runs: readonly Run[]): Problem[] {
  const problems: Problem[] = [];
  if (runs.length > 1 && !ACTIONS[call.action].repeatable) problems.push({ breach: 'doubled', what: `ran ${runs.length} times` });
  const strange = call.isAsked ? undefined : runs.find(({ key }) => key !== call.key);
  if (strange) problems.push({ breach: 'unexpected', what: `ran under the key ${strange.key}` });
  // The answers to the retries of the SDK are unknown, and for a repeatable action "nothing ran" refers to the last attempt: neither counts.
  const unexplained =
    call.caller === 'raw' &&
    !ACTIONS[call.action].repeatable &&
    runs.find(({ beganAt }) => !call.tries.some((made) => mayHaveRun(made, beganAt)));
  if (unexplained)
    problems.push({ breach: 'contradicted', what: `ran as ${unexplained.invocation}, though every try was answered that it did not` });
  return problems;
}

function mayHaveRun({ sentAt, outcome }: Try, beganAt: number): boolean {
  return sentAt <= beganAt && !NEVER_RAN.has(outcomeName(outcome));
}

function problemsOfEnd(call: CallRecord, runs: readonly Run[], books: Books): Problem[] {
  const unknown = call.tries.find(({ outcome }) => outcomeName(outcome) === 'OUTCOME_UNKNOWN');
  if (unknown) return knownBy(call, runs, unknown.answeredAt, books).map((what) => ({ breach: 'unknownKnowable', what }));
  const last = call.tries.at(-1);
  if (!last || call.tries.some(({ outcome }) => finalAnswer(outcome) !== undefined)) return [];
  const name = outcomeName(last.outcome);
  if (isUnpaid(last.outcome)) return [];
  if (!isKeptGivingUp(last)) return [{ breach: 'lost', what: `never got a final answer (${name} in the end)` }];
  const result = runs.find(({ end, life }) => end && !end.failed && !books.kills.has(life));
  return result ? [{ breach: 'gaveUp', what: `is ${name} for good, and ${result.life} had its result` }] : [];
}

/** Longest time from a kill until the service notices it. */
const HEARD_MS = 1_000;

/** Explains in at most one sentence why the outcome was knowable when the service called it unknown at `toldAt`. */
function knownBy({ toolkit, tries }: CallRecord, runs: readonly Run[], toldAt: number, { kills, faults }: Books): string[] {
  if (runs.length === 0) {
    const sentAt = tries[0]?.sentAt ?? 0;
    // A killed process may receive calls until the service notices its end, and a killed node may or may not have sent the calls that it had claimed.
    const mayHaveHadIt = ({ kind, target, from }: DoneFault) =>
      (kind === 'node-kill' || (kind === 'replica-kill' && target.startsWith(`${toolkit}-`))) &&
      from >= sentAt - HEARD_MS &&
      from <= toldAt;
    return faults.some(mayHaveHadIt) ? [] : ['it did not run, and no process that might have had it was killed meanwhile'];
  }
  const knower = runs.find(({ end, life }) => {
    const killedAt = kills.get(life);
    return end && (killedAt === undefined || (end.at <= toldAt && killedAt > toldAt));
  });
  return knower ? [`${knower.life} had its result and was there`] : [];
}

function inconsistencies({ tries }: CallRecord): Problem[] {
  const first = tries.find(({ outcome }) => finalAnswer(outcome) !== undefined);
  if (!first) return [];
  const told = finalAnswer(first.outcome);
  // Earlier tries may have been on their way while the answer changed.
  const others = tries.filter(({ sentAt }) => sentAt >= first.answeredAt).filter(({ outcome }) => !NO_ANSWER_NOW.has(outcomeName(outcome)));
  const other = others.find(({ outcome }) => finalAnswer(outcome) !== told);
  return other ? [{ breach: 'inconsistent', what: `received ${describe(first.outcome)}, later ${describe(other.outcome)}` }] : [];
}

/** How long the node behind the try was blocked. */
function pausedMs({ through, sentAt, answeredAt }: Try, faults: readonly DoneFault[]): number {
  return faults
    .filter(({ kind, target }) => kind === 'node-pause' && target === through)
    .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, answeredAt) - Math.max(from, sentAt)), 0);
}

export function describe(outcome: Outcome): string {
  if (outcome.kind === 'result') return `RESULT ${String(outcome.token)}`;
  if (outcome.kind === 'unfinished') return `UNFINISHED ${outcome.handle}`;
  if (outcome.kind === 'broken') return `BROKEN (${outcome.what})`;
  return `${outcome.code} (${outcome.message})`;
}
