import { expect, test } from 'vitest';
import type { OwnedKey } from '#sdk/protocol/admin';
import { keyState } from '../../../console/src/api/key-state';
import { scopeWords, toAllowList, toRows } from '../../../console/src/pages/keys/key-scope';
import { keysSearch } from '../../../console/src/pages/keys/keys-search';
import { freeName, unusedKeys } from '../../../console/src/pages/start/unused-key';
import { keyLabels } from '../../../console/src/parts/key-labels';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const ADA = { id: 'per_1', name: 'Ada' };

function makeKey(id: string, rest: Partial<OwnedKey> = {}): OwnedKey {
  return { id, kind: 'agent', name: id, createdAt: '2026-05-01T00:00:00Z', owner: ADA, ...rest };
}

test('a key is active until it expires, and revoked even if it has expired as well', () => {
  expect(keyState({}, NOW)).toBe('active');
  expect(keyState({ expiresAt: '2026-06-01T00:00:00.001Z' }, NOW)).toBe('active');
  expect(keyState({ expiresAt: '2026-06-01T00:00:00Z' }, NOW)).toBe('expired');
  expect(keyState({ expiresAt: '2026-05-01T00:00:00Z', revokedAt: '2026-05-02T00:00:00Z' }, NOW)).toBe('revoked');
});

test('the address of the list keeps known filters, orders and pages, and nothing else', () => {
  const search = { kind: 'agent', state: 'all', text: 'bot', sort: 'refused', order: 'asc', cursor: 'c', id: 'key_1', form: 'rules' };
  expect(keysSearch(search)).toEqual(search);
  expect(keysSearch({ kind: 'dog', state: 'lost', text: '', sort: 'hash', order: 'up', cursor: 5, id: 7, form: 'x', other: 1 })).toEqual(
    {},
  );
});

test('the allow list of a key becomes a row for each toolkit, and the same list again', () => {
  const allow = { toolkits: ['weather'], actions: ['shop__find_order', 'shop__refund', 'weather__today'] };
  const rows = toRows(allow);
  expect(rows).toEqual([
    { toolkit: 'weather', actions: [] },
    { toolkit: 'shop', actions: ['shop__find_order', 'shop__refund'] },
  ]);
  expect(toAllowList(rows)).toEqual({ toolkits: ['weather'], actions: ['shop__find_order', 'shop__refund'] });
});

test('the allow list of a key has a short description', () => {
  const words = (allow: OwnedKey['allow']) => scopeWords(makeKey('key_1', allow && { allow }));
  expect(words(undefined)).toBe('All actions');
  expect(words({ toolkits: [], actions: [] })).toBe('Nothing');
  expect(words({ toolkits: [], actions: ['shop__refund'] })).toBe('shop__refund');
  expect(words({ toolkits: ['weather', 'shop'], actions: ['text__count'] })).toBe('2 toolkits, 1 action');
  expect(scopeWords(makeKey('key_1', { rules: [{ match: {}, do: 'ask' }] }))).toBe('All actions, 1 rule');
  expect(scopeWords(makeKey('key_2', { kind: 'toolkit', toolkit: 'weather' }))).toBe('Serves weather');
});

test('the start page offers the newest unused key, under a name that is free', () => {
  const keys = [makeKey('in use', { lastUsedAt: '2026-05-03T01:00:00Z' }), makeKey('newer'), makeKey('older')];
  expect(unusedKeys(keys).map(({ id }) => id)).toEqual(['newer', 'older']);
  expect(freeName('weather', [])).toBe('weather');
  expect(freeName('weather', [{ name: 'weather' }, { name: 'weather-2' }])).toBe('weather-3');
});

test('keys of one name are labelled with their owners', () => {
  const grace = { id: 'per_2', name: 'Grace' };
  const { owner: _, ...nobodys } = makeKey('key_3', { name: 'bot' });
  const labels = keyLabels([makeKey('key_1', { name: 'bot' }), makeKey('key_2', { name: 'bot', owner: grace }), nobodys, makeKey('key_4')]);
  expect([...labels.values()]).toEqual(['bot (Ada)', 'bot (Grace)', 'bot (key_3)', 'key_4']);
});
