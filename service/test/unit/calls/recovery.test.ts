import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANSWERS, type AttemptFate, RECOVERY_RULES, recover, type Stored, storedAs } from '../../../src/calls/recovery';
import { record } from './new-call';

const FATES = Object.keys(ANSWERS) as AttemptFate[];
const STORED: Stored[] = ['not asked', 'nothing', 'key free', 'this node', 'other node', 'outcome', 'retryable', 'given up', 'not kept'];
const either = [true, false];

const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

test('docs/operations.md shows the rules, row by row', () => {
  const section = page.split('\n## When a call may run again\n')[1]?.split('\n## ')[0]?.split('\nHow long ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| last attempt'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
  const conditions = {
    wanted: 'a caller waits',
    waited: 'waited',
    forwardable: 'forwardable',
    keyed: 'idempotency key',
    repeatable: 'repeatable',
    payload: 'payload',
    attemptsLeft: 'attempts left',
  };
  const expected = RECOVERY_RULES.map(({ attempt, stored, if: condition = {}, answer, because }) => [
    attempt.join(', '),
    stored?.join(', ') ?? '',
    Object.entries(condition)
      .map(([name, value]) => `${value ? '' : 'no: '}${conditions[name as keyof typeof conditions]}`)
      .join(', '),
    answer,
    because,
  ]);
  expect(rows).toEqual(expected);
});

function* situations() {
  for (const attempt of FATES)
    for (const stored of STORED)
      for (const wanted of either)
        for (const waited of either)
          for (const keyed of either)
            for (const forwardable of either)
              for (const repeatable of either)
                for (const payload of either)
                  for (const attemptsLeft of either)
                    yield { attempt, stored, wanted, waited, keyed, forwardable, repeatable, payload, attemptsLeft };
}

test('a handler that may have run an action runs it again only where the action is repeatable', () => {
  for (const situation of situations()) {
    const { attempt, stored, repeatable, payload, attemptsLeft } = situation;
    const answer = recover(situation);
    if (answer === 'send once more') {
      expect(situation).toMatchObject({ repeatable: true, payload: true, attemptsLeft: true, wanted: true });
      expect(['lost', 'moved']).toContain(attempt);
    }
    // A freed key shows that the other node made the same decision.
    if (answer === 'start over' || answer === 'run') expect(['key free', 'nothing']).toContain(stored);
    if (answer === 'run again') expect(situation).toMatchObject({ attempt: 'none', stored: 'retryable' });
    if (answer === 'send again') expect(attempt).toBe('unsent');
    if (answer === 'release the key') expect(repeatable).toBe(true);
    if (attempt === 'lost' && stored === 'this node' && situation.wanted && !(repeatable && (attemptsLeft || !payload)))
      expect(answer).toBe('OUTCOME_UNKNOWN');
  }
});

test('every answer of a rule is handled by its caller', () => {
  for (const { attempt, answer } of RECOVERY_RULES) for (const fate of attempt) expect(ANSWERS[fate], fate).toContain(answer);
  for (const fate of FATES) {
    const given = new Set(RECOVERY_RULES.filter(({ attempt }) => attempt.includes(fate)).map(({ answer }) => answer));
    expect([...given].toSorted(), fate).toEqual([...ANSWERS[fate]].toSorted());
  }
});

test('every situation that can occur has a separate rule', () => {
  const used = new Set<number>();
  for (const situation of situations()) {
    const rule = RECOVERY_RULES.findIndex(
      ({ attempt, stored, if: condition = {} }) =>
        attempt.includes(situation.attempt) &&
        (!stored || stored.includes(situation.stored)) &&
        Object.entries(condition).every(([name, value]) => situation[name as keyof typeof situation] === value),
    );
    if (rule !== -1) used.add(rule);
    // A new call queries the store first.
    else expect(situation).toMatchObject({ attempt: 'none', stored: 'not asked' });
  }
  expect(used.size).toBe(RECOVERY_RULES.length);
});

test.each([
  ['nothing', undefined],
  ['this node', {}],
  ['other node', { node: 'node_there' }],
  ['key free', { idempotencyKey: null }],
  ['key free', { outcome: { code: 'TOOLKIT_OFFLINE', body: null, endedAt: 1 } }],
  ['outcome', { outcome: { code: 'OK', body: '{}', endedAt: 1 } }],
  ['outcome', { outcome: { code: 'TOOLKIT_OFFLINE', body: '{}', endedAt: 1 } }],
  ['outcome', { outcome: { code: 'ACTION_FAILED', body: '{"code":"ACTION_FAILED","message":"no","retryable":false}', endedAt: 1 } }],
  ['outcome', { outcome: { code: 'INTERNAL', body: '{"code":"INTERNAL","message":"no","retryable":true}', endedAt: 1 } }],
  ['retryable', { outcome: { code: 'ACTION_FAILED', body: '{"code":"ACTION_FAILED","message":"no","retryable":true}', endedAt: 1 } }],
  ['not kept', { outcome: { code: 'ACTION_FAILED', body: null, endedAt: 1 } }],
  ['not kept', { outcome: { code: 'OK', body: null, endedAt: 1 } }],
  ['given up', { outcome: { code: 'OUTCOME_UNKNOWN', body: '{}', endedAt: 1 } }],
] as const)('the state in the store counts as "%s"', (stored, change) => {
  expect(storedAs(change && { ...record, ...change }, 'order-1', 'node_here')).toBe(stored);
});
