import { expect, test } from 'vitest';
import type { OwnedKey } from '#sdk/protocol/admin';
import { keyState } from '../../../console/src/api/key-state';
import { filterKeys } from '../../../console/src/pages/keys/key-filter';
import { scopeWords, toAllowList, toRows } from '../../../console/src/pages/keys/key-scope';
import { activeKeys, freeName, unusedKeys } from '../../../console/src/pages/start/unused-key';

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

test('the list shows active keys by default, newest first', () => {
  const keys = [
    makeKey('old'),
    makeKey('new', { createdAt: '2026-05-02T00:00:00Z' }),
    makeKey('gone', { revokedAt: '2026-05-03T00:00:00Z' }),
  ];
  const shown = (search: Parameters<typeof filterKeys>[1]) => filterKeys(keys, search, NOW).map(({ id }) => id);
  expect(shown({})).toEqual(['new', 'old']);
  expect(shown({ state: 'revoked' })).toEqual(['gone']);
  expect(shown({ state: 'all' })).toEqual(['new', 'old', 'gone']);
});

test('each word of the filter has to be in name, id, toolkit or owner, in any case', () => {
  const keys = [
    makeKey('key_1', { name: 'Support bot' }),
    makeKey('key_2', { kind: 'toolkit', toolkit: 'weather', owner: { id: 'per_2', name: 'Grace' } }),
  ];
  const shown = (text: string) => filterKeys(keys, { text }, NOW).map(({ id }) => id);
  expect(shown(' BOT support')).toEqual(['key_1']);
  expect(shown('grace weather')).toEqual(['key_2']);
  expect(shown('bot weather')).toEqual([]);
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

test('the start page offers the newest unused key of the person', () => {
  const keys = [
    makeKey('older'),
    makeKey('newer', { createdAt: '2026-05-02T00:00:00Z' }),
    makeKey('in use', { createdAt: '2026-05-03T00:00:00Z', lastUsedAt: '2026-05-03T01:00:00Z' }),
    makeKey('revoked', { createdAt: '2026-05-03T00:00:00Z', revokedAt: '2026-05-04T00:00:00Z' }),
    makeKey('of another', { createdAt: '2026-05-05T00:00:00Z', owner: { id: 'per_2', name: 'Grace' } }),
  ];
  const idsOf = (kind: 'agent' | 'toolkit') => unusedKeys(activeKeys(keys, kind, ADA.id, NOW)).map(({ id }) => id);
  expect(idsOf('agent')).toEqual(['newer', 'older']);
  expect(idsOf('toolkit')).toEqual([]);
  expect(freeName('weather', [])).toBe('weather');
  expect(freeName('weather', [{ name: 'weather' }, { name: 'weather-2' }])).toBe('weather-3');
});
