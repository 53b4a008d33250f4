import type { Language } from '../common/language.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import { ACTION_NAMES } from './actions.ts';
import { type Books, BREACHES, type Breach, countInDoubt, describe, type Finding } from './audit.ts';
import type { ApprovalBooks } from './audit-approvals.ts';
import { type CallRecord, endOf, outcomeName } from './call-record.ts';
import { type DoneFault, FAULT_KINDS } from './faults.ts';
import type { Run } from './ledger.ts';

/** Faults this long before a call may have to do with it. */
const BEFORE_MS = 10_000;

/** Outcomes that leave the caller in doubt for good. */
const IN_DOUBT = ['OUTCOME_UNKNOWN', 'INVOCATION_TIMEOUT', 'INVOCATION_CANCELLED'];

export type Counts = Record<string, number>;

export interface Summary {
  calls: number;
  tries: number;
  /** The outcomes of the calls. */
  outcomes: Counts;
  /** Outcomes of all tries. */
  tryOutcomes: Counts;
  /** Action -> how many calls ran 0, 1, 2, … times. */
  runsPerCall: Record<string, Counts>;
  breaches: Record<Breach, number>;
  /** Code -> how many of these calls ran and did not run. */
  inDoubt: Record<string, { ran: number; didNotRun: number }>;
  faults: Counts;
  /** Latency of successful first tries. */
  latencyMs: { median: number; max: number };
}

export function summarise(books: Books, findings: readonly Finding[]): Summary {
  const { calls, runs, faults } = books;
  const tries = calls.flatMap((call) => call.tries);
  const done = faults.filter(({ skipped }) => !skipped);
  const firstTries = calls.flatMap(({ tries: [first] }) => (first?.outcome.kind === 'result' ? [first.answeredAt - first.sentAt] : []));
  const { median, max } = spreadOf(firstTries);
  const broken = (breach: string) => new Set(findings.filter((finding) => finding.breach === breach).map(({ call }) => call)).size;
  return {
    calls: calls.length,
    tries: tries.length,
    outcomes: countOf(calls.map((call) => outcomeName(endOf(call)))),
    tryOutcomes: countOf(tries.map(({ outcome }) => outcomeName(outcome))),
    runsPerCall: Object.fromEntries(
      ACTION_NAMES.map((action) => [
        action,
        countOf(calls.filter((call) => call.action === action).map(({ number }) => String(runs.get(number)?.length ?? 0))),
      ]),
    ),
    breaches: Object.fromEntries(Object.keys(BREACHES).map((breach) => [breach, broken(breach)])) as Record<Breach, number>,
    inDoubt: Object.fromEntries(IN_DOUBT.map((code) => [code, countInDoubt(books, code)])),
    faults: countOf(done.map(({ kind }) => kind)),
    latencyMs: { median, max },
  };
}

/** @param languages replica -> its language */
export function countRunsByLanguage(runs: Books['runs'], languages: ReadonlyMap<string, Language>): Counts {
  return countOf([...runs.values()].flat().map(({ life }) => languages.get(life.slice(0, life.lastIndexOf('.'))) ?? 'unknown'));
}

export function formatSummary(summary: Summary): string {
  const { outcomes, tryOutcomes, runsPerCall, breaches, inDoubt, faults } = summary;
  const names = [...new Set([...Object.keys(outcomes), ...Object.keys(tryOutcomes)])].toSorted();
  const mostRuns = Math.max(1, ...Object.values(runsPerCall).flatMap((counts) => Object.keys(counts).map(Number)));
  const runCounts = Array.from({ length: mostRuns + 1 }, (_, count) => count);
  return [
    formatTable(
      ['answer', 'calls in the end', 'tries'],
      names.map((name) => [name, `${outcomes[name] ?? 0}`, `${tryOutcomes[name] ?? 0}`]),
    ),
    formatTable(
      ['calls by runs', ...runCounts.map(String)],
      Object.entries(runsPerCall).map(([action, counts]) => [action, ...runCounts.map((count) => `${counts[count] ?? 0}`)]),
    ),
    formatTable(
      ['fault', 'times'],
      FAULT_KINDS.filter((kind) => faults[kind]).map((kind) => [kind, `${faults[kind]}`]),
    ),
    formatTable(
      ['promise broken', 'calls', 'meaning'],
      Object.entries(BREACHES).map(([breach, meaning]) => [breach, `${breaches[breach as Breach]}`, meaning]),
    ),
    formatTable(
      ['in the end', 'had run', 'had not'],
      Object.entries(inDoubt).map(([code, { ran, didNotRun }]) => [code, `${ran}`, `${didNotRun}`]),
    ),
  ].join('\n\n');
}

/** One sentence about the calls that go on without their callers, and those that a person decides about. */
export function formatLongCalls({ calls, decisions }: ApprovalBooks, { breaches }: Summary, elapsedMs: number): string {
  const made = calls.filter(({ isDetached, isAsked }) => isDetached || isAsked);
  const decided = countOf([...decisions.values()].map(({ decision }) => decision));
  const unknown = made.filter((call) => outcomeName(endOf(call)) === 'OUTCOME_UNKNOWN').length;
  return [
    `${made.filter(({ isDetached }) => isDetached).length} calls went on without their callers`,
    `${made.filter(({ isAsked }) => isAsked).length} were asked about (${decided.approve ?? 0} approved, ${decided.deny ?? 0} denied)`,
    `lost ${breaches.lost}, run twice ${breaches.doubled}, run without approval ${breaches.unapproved}, run after a denial ${breaches.denied}`,
    `unknown outcomes ${unknown}, in ${Math.round(elapsedMs / 1_000)} s`,
  ].join('; ');
}

/** Findings of the rarest kind first: thousands of late answers on a full machine would hide three wrong ones. */
export function byRarity(findings: readonly Finding[]): Finding[] {
  const counts = countOf(findings.map(({ breach }) => breach));
  return findings.toSorted((one, other) => (counts[one.breach] ?? 0) - (counts[other.breach] ?? 0));
}

/** All that is known of a call, in order, as lines: its tries, its runs, the faults around it. */
export function historyOf(call: CallRecord | undefined, number: number, { runs, faults }: Books): string[] {
  const begunAt = call?.tries[0]?.sentAt ?? runs.get(number)?.[0]?.beganAt ?? 0;
  const endedAt = call?.tries.at(-1)?.answeredAt ?? begunAt;
  const events = [
    ...(call?.tries ?? []).flatMap(({ through, sentAt, answeredAt, deadlineMs, outcome }, index) => [
      { at: sentAt, what: `try ${index + 1} through ${through}, deadline ${deadlineMs} ms` },
      { at: answeredAt, what: `try ${index + 1} received ${describe(outcome)}` },
    ]),
    ...(runs.get(number) ?? []).flatMap(eventsOfRun),
    ...faults.filter(({ from, to }) => to > begunAt - BEFORE_MS && from <= endedAt).flatMap(eventsOfFault),
  ];
  const title = call
    ? `${call.caller} caller, ${call.toolkit}__${call.action}${call.isAsked ? ', asked about' : ''}, work ${call.workMs} ms, key ${call.key}`
    : 'not sent by a caller';
  const lines = events.toSorted((a, b) => a.at - b.at).map(({ at, what }) => `  ${`${at - begunAt}`.padStart(7)} ms  ${what}`);
  return [`call ${number}: ${title}; it began at ${new Date(begunAt).toISOString()}`, ...lines];
}

function eventsOfRun({ beganAt, life, invocation, attempt, key, end }: Run) {
  const began = { at: beganAt, what: `${life} began ${invocation} under ${key}, attempt ${attempt}` };
  return end ? [began, { at: end.at, what: `${life} ended it with ${end.token}` }] : [began];
}

function eventsOfFault({ kind, target, from, to, skipped }: DoneFault) {
  if (skipped) return [];
  const name = `${kind} ${target}`;
  return to - from < 2
    ? [{ at: from, what: name }]
    : [
        { at: from, what: `${name} begins` },
        { at: to, what: `${name} is over` },
      ];
}

function countOf(names: readonly string[]): Counts {
  const counts: Counts = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
