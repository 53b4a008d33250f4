import { expect, test } from 'vitest';
import type { InvocationInfo, InvocationsPage } from '#sdk/protocol/admin';
import { type CallLog, logOf, withNewest, withOlder, withUnseen } from '../../../console/src/pages/calls/call-log';

const call = (second: number, code?: InvocationInfo['code']): InvocationInfo => ({
  id: `inv_${second}`,
  action: 'weather__today',
  key: { id: 'key_1' },
  startedAt: new Date(second * 1_000).toISOString(),
  ...(code && { code, ms: 5 }),
});
const page = (seconds: number[], nextCursor?: string): InvocationsPage => ({
  invocations: seconds.map((second) => call(second, 'OK')),
  ...(nextCursor && { nextCursor }),
});
const ids = (calls: readonly InvocationInfo[]) => calls.map(({ id }) => Number(id.slice('inv_'.length)));
const shown = (log: CallLog) => ids(log.shown);

test('new calls are put on top while one follows, and wait while one does not', () => {
  const log = logOf(page([3, 2, 1]));
  expect(shown(withNewest(log, page([5, 4, 3]), true))).toEqual([5, 4, 3, 2, 1]);

  const waiting = withNewest(log, page([5, 4, 3]), false);
  expect([shown(waiting), ids(waiting.unseen)]).toEqual([
    [3, 2, 1],
    [5, 4],
  ]);
  expect(shown(withUnseen(waiting, page([5, 4, 3])))).toEqual([5, 4, 3, 2, 1]);
});

test('when more than a page arrived, the list restarts instead of hiding a gap', () => {
  const log = withNewest(logOf(page([3, 2, 1], 'inv_1')), page([9, 8, 7], 'inv_7'), false);
  expect([log.gap, shown(log)]).toEqual([true, [3, 2, 1]]);
  expect(withUnseen(log, page([9, 8, 7], 'inv_7'))).toEqual({ ...logOf(page([9, 8, 7], 'inv_7')) });
});

test('a call that ended is shown as ended, and rows of others are not touched', () => {
  const [running, ended] = [call(2), call(1, 'OK')];
  const log = withNewest(logOf({ invocations: [running, ended] }), { invocations: [call(2, 'ACTION_FAILED'), call(1, 'OK')] }, false);
  expect(log.shown[0]?.code).toBe('ACTION_FAILED');
  expect(log.shown[1]).toBe(ended);
});

test('a call that a filter admits late is listed by its time', () => {
  expect(shown(withNewest(logOf(page([5, 3])), page([5, 4, 3]), true))).toEqual([5, 4, 3]);
});

test('older pages go to the end, without a call twice', () => {
  const log = withOlder(logOf(page([5, 4], 'inv_4')), page([4, 3], 'inv_3'));
  expect([shown(log), log.nextCursor]).toEqual([[5, 4, 3], 'inv_3']);
});

test('a list that only grows at the top begins anew some time', () => {
  const many = logOf(page(Array.from({ length: 1_001 }, (_, second) => 2_000 - second)));
  expect(shown(withNewest(many, page([2_001, 2_000]), true))).toEqual([2_001, 2_000]);
});

test('calls of one millisecond are in the order of their ids, for any order of arrival', () => {
  const at = new Date(0).toISOString();
  const of = (...ids: string[]) => ({
    invocations: ids.map((id) => ({ id, action: 'shop__buy', key: { id: 'key_1' }, code: 'OK' as const, startedAt: at, ms: 1 })),
  });
  const log = withNewest(logOf(of('inv_3', 'inv_1')), of('inv_4', 'inv_3', 'inv_2', 'inv_1'), true);
  expect(log.shown.map(({ id }) => id)).toEqual(['inv_4', 'inv_3', 'inv_2', 'inv_1']);
});
