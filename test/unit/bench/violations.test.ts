import { expect, test } from 'vitest';
import type { CallRecord, Outcome } from '../../../bench/soak/call-record.ts';
import { findViolations } from '../../../bench/soak/violations.ts';

const RESULT: Outcome = { kind: 'result', number: 1 };
const error = (code: string): Outcome => ({ kind: 'error', code });
const call = (outcomes: Outcome[], elapsedMs = 100): CallRecord => ({
  number: 1,
  deadlineMs: 1_000,
  attempts: outcomes.map((outcome) => ({ outcome, elapsedMs })),
});
const violations = (record: CallRecord, runs: number) => findViolations([record], new Map(runs > 0 ? [[record.number, runs]] : []));

test.each([
  ['a result of one run', [RESULT], 1],
  ['an unknown outcome, run or not', [error('OUTCOME_UNKNOWN'), error('OUTCOME_UNKNOWN')], 1],
  ['a time-out whose retry gets the result of the one run', [error('INVOCATION_TIMEOUT'), RESULT], 1],
  ['a refused call whose retry runs', [error('TOOLKIT_OFFLINE'), RESULT], 1],
])('%s breaks no promise', (_, outcomes, runs) => {
  expect(violations(call(outcomes), runs)).toEqual([]);
});

test.each([
  ['a second run', [RESULT], 2, 'call 1 was run 2 times (RESULT)'],
  ['a result without a run', [RESULT], 0, 'call 1 got a result and was never run'],
  ["another call's result", [{ kind: 'result', number: 7 } as Outcome], 1, 'call 1 got the result of call 7'],
  ['an error that a lost toolkit does not explain', [error('INTERNAL')], 0, 'call 1 ended in INTERNAL'],
  ['no answer', [{ kind: 'broken', what: 'socket hang up' } as Outcome], 0, 'call 1 got no proper answer: socket hang up'],
  ['a run of a call that was called refused', [error('QUEUE_FULL')], 1, 'call 1 was run, but the service said QUEUE_FULL'],
  [
    'a result after an unknown outcome',
    [error('OUTCOME_UNKNOWN'), RESULT],
    1,
    'call 1 changed its answer after OUTCOME_UNKNOWN (OUTCOME_UNKNOWN, RESULT)',
  ],
])('%s is a violation', (_, outcomes, runs, expected) => {
  expect(violations(call(outcomes), runs)).toEqual([expected]);
});

test('an answer is late from 500 ms after its deadline on', () => {
  expect(violations(call([RESULT], 1_500), 1)).toEqual([]);
  expect(violations(call([RESULT], 1_501), 1)).toEqual(['call 1 took 1501 ms with a deadline of 1000 ms (RESULT)']);
});

test('a run of a call that nobody sent is a violation', () => {
  expect(findViolations([], new Map([[9, 1]]))).toEqual(['call 9 was run and never sent']);
});
