import { expect, test, vi } from 'vitest';
import { KnownKeys } from '../../../src/keys/known-keys';
import type { KeyRecord } from '../../../src/store/store';

const record = (id: string): KeyRecord => ({
  id,
  kind: 'toolkit',
  name: id,
  hash: `hash of ${id}`,
  toolkitId: 'weather',
  allow: null,
  callsPerMinute: null,
  budget: null,
  rules: null,
  code: false,
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  ownerId: null,
  clientId: null,
});

test('the cache is bounded, and a held key is watched after its eviction', () => {
  const onEnd = vi.fn();
  const known = new KnownKeys(onEnd);
  const key = record('key_held');
  known.remember(key);
  known.hold(key);
  for (let count = 0; count < 10_000; count++) known.remember(record(`key_${count}`));
  expect(known.get(key.hash)).toBeUndefined();
  expect(known.get('hash of key_0')).toBeDefined();

  const everybody = Array.from({ length: 10_000 }, (_, count) => record(`key_${count}`));
  const current = [{ ...key, revokedAt: 5 }, ...everybody];
  expect(known.hashes()).toHaveLength(10_001);
  known.refresh(known.hashes(), current);
  known.refresh(known.hashes(), current);
  expect(onEnd.mock.calls).toEqual([['key_held', 'KEY_REVOKED']]);
});

test('a key that is missing in the store becomes invalid', () => {
  const onEnd = vi.fn();
  const known = new KnownKeys(onEnd);
  known.remember(record('key_lost'));
  known.refresh(known.hashes(), []);
  expect(known.get('hash of key_lost')).toBeUndefined();
  expect(onEnd.mock.calls).toEqual([['key_lost', 'KEY_REVOKED']]);
});

test('changes beside the secret take effect', () => {
  const known = new KnownKeys(vi.fn());
  const key = record('key_slow');
  known.remember(key);
  known.refresh(known.hashes(key.id), [{ ...key, callsPerMinute: 5 }]);
  expect(known.get(key.hash)?.callsPerMinute).toBe(5);
});

test('a key that is cached during the read of the store is not treated as missing', () => {
  const onEnd = vi.fn();
  const known = new KnownKeys(onEnd);
  known.remember(record('key_old'));
  const asked = known.hashes();
  known.remember(record('key_new'));
  known.refresh(asked, [record('key_old')]);
  expect(known.get('hash of key_new')).toBeDefined();
  expect(onEnd).not.toHaveBeenCalled();
});
