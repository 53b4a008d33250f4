import { expect, test } from 'vitest';
import type { InvocationInfo, SessionEntry } from '#sdk/protocol/admin';
import { toWaterfall } from '../../../console/src/pages/session/session-entries';

const AT = '2026-11-24T09:00:00.000Z';
const key = { id: 'key_1' };
const search = (id: string, ...shown: string[]): SessionEntry => ({ kind: 'search', at: AT, id, key, query: id, shown });
const call = (id: string, rest: Partial<InvocationInfo> = {}): SessionEntry => ({
  kind: 'call',
  at: AT,
  call: { id, action: 'a__b', key, startedAt: AT, ...rest },
});

/** The calls after each search. */
const calledOf = (...entries: SessionEntry[]) =>
  toWaterfall(entries, 0).flatMap((entry) => (entry.kind === 'search' ? [entry.shown.map(({ call: id }) => id)] : []));

test('a shown action is marked with the first call that names the search', () => {
  const entries = [
    search('one', 'a__b', 'a__c'),
    search('two', 'a__b'),
    call('inv_1', { search: 'one' }),
    call('inv_2', { search: 'one' }),
  ];
  expect(calledOf(...entries)).toEqual([['inv_1', undefined], [undefined]]);
});

test('a call that names no search, or one that did not show its action or is not loaded, marks nothing', () => {
  expect(calledOf(search('one', 'a__c'), call('inv_1', { search: 'one' }), call('inv_2', { search: 'gone' }), call('inv_3'))).toEqual([
    [undefined],
  ]);
});

test('a call that runs lasts until now; one that a faster clock started has not lasted yet', () => {
  const running = [call('inv_1'), call('inv_2', { code: 'OK', ms: 7 })];
  const msAt = (now: number) => toWaterfall(running, now).map(({ ms }) => ms);
  expect(msAt(Date.parse(AT) + 500)).toEqual([500, 7]);
  expect(msAt(Date.parse(AT) - 500)).toEqual([0, 7]);
});
