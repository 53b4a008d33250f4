import { expect, test } from 'vitest';
import type { Decision } from '../../../bench/chaos/approver.ts';
import { audit, type Books } from '../../../bench/chaos/audit.ts';
import { auditApprovals } from '../../../bench/chaos/audit-approvals.ts';
import type { CallRecord, Outcome, Try } from '../../../bench/chaos/call-record.ts';
import type { DoneFault } from '../../../bench/chaos/faults.ts';
import type { Run } from '../../../bench/chaos/ledger.ts';
import { measureRecovery } from '../../../bench/chaos/recovery.ts';

const result = (token = 'one', call = 1): Outcome => ({ kind: 'result', call, token });
const error = (code: string, token?: string): Outcome => ({ kind: 'error', code, message: 'because', token });
const broken: Outcome = { kind: 'broken', what: 'socket hang up' };

/** A try a second, each answered after 100 ms. */
const tries = (outcomes: Outcome[], elapsedMs = 100): Try[] =>
  outcomes.map((outcome, index) => ({
    through: 'node-1',
    sentAt: index * 1_000,
    answeredAt: index * 1_000 + elapsedMs,
    deadlineMs: 5_000,
    outcome,
  }));

const call = (outcomes: Outcome[], change: Partial<CallRecord> = {}): CallRecord => ({
  number: 1,
  caller: 'raw',
  agent: 0,
  toolkit: 'shop-1',
  action: 'charge',
  key: 'key-1',
  workMs: 10,
  deadlineMs: 5_000,
  isDetached: false,
  isAsked: false,
  asksAgain: false,
  firstNode: 0,
  tries: tries(outcomes),
  ...change,
});

const run = (change: Partial<Run> = {}): Run => ({
  call: 1,
  key: 'key-1',
  invocation: 'inv_1',
  attempt: 1,
  action: 'charge',
  life: 'shop-1-1.1',
  beganAt: 10,
  end: { at: 50, token: 'one', failed: false },
  ...change,
});

const { end: _, ...cutOff } = run();
const fault = (kind: DoneFault['kind'], target: string, from: number, to: number): DoneFault => ({
  kind,
  target,
  from,
  to,
  skipped: false,
});

function findings(record: CallRecord, runs: Run[], books: Partial<Books> = {}): string[] {
  const found = audit({
    calls: [record],
    runs: new Map(runs.length > 0 ? [[1, runs]] : []),
    faults: [],
    kills: new Map(),
    ...books,
  });
  return found.map(({ breach, what }) => `${breach}: ${what}`);
}

test.each([
  ['a result of the one run, told twice', call([result(), result()]), [run()]],
  [
    'a failure of the one run',
    call([error('ACTION_FAILED', 'one')], { action: 'fails' }),
    [run({ end: { at: 50, token: 'one', failed: true } })],
  ],
  ['a time-out whose retry gets the result of the one run', call([error('INVOCATION_TIMEOUT'), result()]), [run()]],
  [
    'a time-out that says to try again',
    call([{ ...error('INVOCATION_TIMEOUT'), retryable: true } as Outcome, result()]),
    [run({ beganAt: 1_010 })],
  ],
  ['a refused call whose retry runs', call([error('TOOLKIT_OFFLINE'), result()]), [run({ beganAt: 1_010 })]],
  [
    'a second run of what may run again',
    call([result('two')], { action: 'put' }),
    [cutOff, run({ end: { at: 60, token: 'two', failed: false } })],
  ],
  ['no answer to a retry after the result', call([result(), broken]), [run()]],
])('%s breaks no promise', (_, record, runs) => {
  expect(findings(record, runs)).toEqual([]);
});

test.each([
  ['a second run', call([result()]), [run(), run({ life: 'shop-1-2.1' })], 'doubled: ran 2 times'],
  ['a result without a run', call([result()]), [], 'lost: received a RESULT that no run gave'],
  ['a result of a run that has not ended', call([result()]), [cutOff], 'lost: received a RESULT that no run gave'],
  ["another call's result", call([result('one', 7)]), [run()], 'lost: got the result of call 7'],
  ['no final answer', call([broken]), [], 'lost: never got a final answer (BROKEN in the end)'],
  [
    'another result later',
    call([result(), result('two')], { action: 'put' }),
    [run(), run({ end: { at: 60, token: 'two', failed: false } })],
    'inconsistent: received RESULT one, later RESULT two',
  ],
  [
    'a refusal after the result',
    call([result(), error('TOOLKIT_OFFLINE')]),
    [run()],
    'inconsistent: received RESULT one, later TOOLKIT_OFFLINE (because)',
  ],
  ['an error that no fault explains', call([error('INTERNAL'), result()]), [run()], 'unexpected: received INTERNAL (because)'],
  ['a run under another key', call([result()]), [run({ key: 'inv_1' })], 'unexpected: ran under the key inv_1'],
  [
    'a run of a call that was called refused',
    call([error('QUEUE_FULL'), result()]),
    [run()],
    'contradicted: ran as inv_1, though every try was answered that it did not',
  ],
  [
    'a result that is there after the call was given up',
    call([error('INVOCATION_CANCELLED')]),
    [run()],
    'gaveUp: is INVOCATION_CANCELLED for good, and shop-1-1.1 had its result',
  ],
])('%s is a finding', (_, record, runs, expected) => {
  expect(findings(record, runs)).toEqual([expected]);
});

test('an unknown outcome is one when the process that ran the call was killed, and a finding when it was there', () => {
  const unknown = call([error('OUTCOME_UNKNOWN')]);
  expect(findings(unknown, [cutOff], { kills: new Map([['shop-1-1.1', 30]]) })).toEqual([]);
  expect(findings(unknown, [run()], { kills: new Map([['shop-1-1.1', 60]]) })).toEqual([]);
  expect(findings(unknown, [run()])).toEqual(['unknownKnowable: shop-1-1.1 had its result and was there']);
});

test('an unknown outcome of a call that did not run is one when a process was killed that may have had it', () => {
  const unknown = call([error('OUTCOME_UNKNOWN')]);
  const expected = ['unknownKnowable: it did not run, and no process that might have had it was killed meanwhile'];
  expect(findings(unknown, [], { faults: [fault('replica-kill', 'shop-1-2', 50, 900)] })).toEqual([]);
  expect(findings(unknown, [], { faults: [fault('replica-kill', 'shop-2-2', 50, 900)] })).toEqual(expected);
  expect(findings(unknown, [], { faults: [fault('replica-pause', 'shop-1-2', 50, 900)] })).toEqual(expected);
});

const approved = (change: Partial<Run> = {}) => run({ key: 'approval/apr_1', beganAt: 30, ...change });
const required: Outcome = { ...error('APPROVAL_REQUIRED'), approval: 'apr_1' } as Outcome;
const refused: Outcome = { ...error('APPROVAL_DENIED'), approval: 'apr_1' } as Outcome;
const withdrawn: Outcome = { ...error('APPROVAL_DENIED'), approval: 'apr_1', isWithdrawn: true } as Outcome;
const unfinished: Outcome = { kind: 'unfinished', handle: 'inv_1' };
const decided = (decision: 'approve' | 'deny', sentAt = 20) => new Map([['apr_1', { decision, sentAt }]]);

function askedFindings(outcomes: readonly Outcome[], runs: readonly Run[], decisions: ReadonlyMap<string, Decision>): string[] {
  const record = call([...outcomes], { isAsked: true });
  const found = auditApprovals({ calls: [record], runs: new Map([[1, [...runs]]]), decisions });
  return [...findings(record, [...runs]), ...found.map(({ breach, what }) => `${breach}: ${what}`)];
}

test.each([
  ['an approved run', [required, unfinished, result()], [approved()], decided('approve')],
  ['a denied call that does not run', [required, refused, refused], [], decided('deny')],
  [
    'an approved call that no process had room for, and that runs when it has asked anew',
    [required, withdrawn, result()],
    [approved()],
    decided('approve'),
  ],
])('%s of a call that a person decides about breaks no promise', (_, outcomes, runs, decisions) => {
  expect(askedFindings(outcomes, runs, decisions)).toEqual([]);
});

test.each([
  [
    'a run without an approval',
    [required, result()],
    [approved()],
    new Map(),
    'unapproved: ran as inv_1 under approval/apr_1, which was not approved',
  ],
  [
    'a run before its approval',
    [required, result()],
    [approved()],
    decided('approve', 31),
    'unapproved: ran as inv_1 under approval/apr_1, which was not approved',
  ],
  [
    'a run under the key of the call',
    [result()],
    [run()],
    decided('approve'),
    'unapproved: ran as inv_1 under key-1, which was not approved',
  ],
  [
    'a run after a denial',
    [required, refused],
    [approved()],
    decided('deny'),
    'denied: ran as inv_1 under approval/apr_1, which was denied',
  ],
  ['a refusal without a denial', [refused], [], decided('approve'), 'lost: was refused by apr_1, which was not denied'],
  ['a question in the end', [required], [], decided('approve'), 'lost: never got a final answer (APPROVAL_REQUIRED in the end)'],
  [
    'a second question',
    [required, result(), required],
    [approved()],
    decided('approve'),
    'inconsistent: received RESULT one, later APPROVAL_REQUIRED (because)',
  ],
] as const)('%s of a call that a person decides about is a finding', (_, outcomes, runs, decisions, expected) => {
  expect(askedFindings(outcomes, runs, decisions)).toEqual([expected]);
});

test('a call that goes on without its caller is lost without an outcome, and a handle answers no other call', () => {
  expect(findings(call([unfinished, result()], { isDetached: true }), [run()])).toEqual([]);
  expect(findings(call([unfinished], { isDetached: true }), [run()])).toEqual(['lost: never got a final answer (UNFINISHED in the end)']);
  expect(findings(call([unfinished, result()]), [run()])).toEqual(['unexpected: received UNFINISHED inv_1']);
});

test('an answer hangs from 5 s after its deadline on, without the time in which its node was paused', () => {
  const late = (elapsedMs: number) => call([], { tries: tries([result()], elapsedMs) });
  expect(findings(late(10_000), [run()])).toEqual([]);
  expect(findings(late(10_001), [run()])).toEqual(['hung: waited 10001 ms with a deadline of 5000 ms (RESULT)']);
  expect(findings(late(12_000), [run()], { faults: [fault('node-pause', 'node-1', 1_000, 3_000)] })).toEqual([]);
});

test('a run of an unknown call is a finding', () => {
  expect(audit({ calls: [], runs: new Map([[9, [run()]]]), faults: [], kills: new Map() })).toEqual([
    { breach: 'unexpected', call: 9, what: 'was run and never sent' },
  ]);
});

test('the recovery ends with the last failed try of a call that began after the last fault', () => {
  const at = (beganAt: number, outcome: Outcome) =>
    call([], { tries: tries([outcome]).map((made) => ({ ...made, sentAt: beganAt, answeredAt: beganAt + 100 })) });
  const calls = [at(900, broken), at(1_200, broken), at(1_300, result()), at(7_000, result())];
  expect(measureRecovery(calls, 1_000)).toEqual({ recoveryMs: 200, errorsAfterwards: 0 });
  expect(measureRecovery([...calls, at(6_500, broken)], 1_000)).toEqual({ recoveryMs: 5_500, errorsAfterwards: 1 });
});

test('a time-out of a call whose work does not fit into its deadline is not a failure', () => {
  const slow = call([error('INVOCATION_TIMEOUT')], { workMs: 4_600 });
  expect(measureRecovery([slow], 0).recoveryMs).toBe(0);
  expect(
    measureRecovery([{ ...slow, workMs: 10, tries: tries([error('INVOCATION_TIMEOUT')]).map((made) => ({ ...made, sentAt: 5 })) }], 0),
  ).toEqual({
    recoveryMs: 5,
    errorsAfterwards: 0,
  });
});
