/** The contract of every store for the list of keys: its orders, filters and pages. */
import { describe, expect, test } from 'vitest';
import { KEY_SORTS } from '#sdk/protocol/admin';
import type { KeyListQuery, KeyPlace } from '../../src/store/key-list';
import type { Store } from '../../src/store/store';
import { aCall, aKey, aPerson, aToolkit } from './store-records';

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;
const DAY_STEP = { step: 3_600, from: NOW - (NOW % HOUR), to: NOW - (NOW % HOUR) + HOUR } as const;

const asked = (change: Partial<KeyListQuery> = {}): KeyListQuery => ({
  sort: 'created',
  order: 'desc',
  now: NOW,
  day: DAY_STEP,
  connected: [],
  ...change,
});

/** Five keys of two people: revoked, expired, busy, connected, unused. */
async function seeded(newStore: () => Promise<Store>) {
  const store = await newStore();
  await store.accounts.tables
    .insertInto('people')
    .values(aPerson({ id: 'per_1', name: 'Ólafur', email: 'o@example.com' }))
    .execute();
  const names = [
    aKey({ id: 'key_a', name: 'beta 100%', createdAt: 1_000, ownerId: 'per_1', expiresAt: NOW + 5_000 }),
    aKey({ id: 'key_b', name: 'Alpha', createdAt: 2_000, revokedAt: 3_000 }),
    aKey({ id: 'key_c', name: 'Äpfel', createdAt: 3_000, expiresAt: NOW - 1, ownerId: 'per_2' }),
    aKey({ id: 'key_d', name: 'gamma', createdAt: 4_000, kind: 'toolkit', toolkitId: 'weather' }),
    aKey({ id: 'key_e', name: 'beta 1000', createdAt: 4_000, expiresAt: NOW + 1_000 }),
  ];
  await store.catalog.insertToolkit(aToolkit('weather'));
  for (const key of names) await store.keys.insert(key);
  await store.invocations.start(aCall({ id: 'inv_1', agentKeyId: 'key_a', startedAt: 9_000 }));
  await store.invocations.start(aCall({ id: 'inv_2', agentKeyId: 'key_e', startedAt: 8_000 }));
  // A read of the list saves the calls of the buffer.
  await store.invocations.list({ limit: 1 });
  const count = { dimension: 'key', step: 3_600, start: DAY_STEP.from, bucket: 7 } as const;
  await store.counts.add([
    { ...count, name: 'key_a', code: 'OK', calls: 3 },
    { ...count, name: 'key_e', code: 'OK', calls: 5 },
    { ...count, name: 'key_a', code: 'RATE_LIMITED', calls: 7 },
    { ...count, name: 'key_b', code: 'OK', calls: 99, start: DAY_STEP.from - HOUR },
  ]);
  const ids = async (change: Partial<KeyListQuery>) => (await store.keys.page(asked(change))).items.map(({ id }) => id);
  return { store, ids };
}

export function keyListContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: list of keys`, () => {
    test('each order puts its keys first, and equal ones in the order of their ids', async () => {
      const { ids } = await seeded(newStore);
      expect(await ids({ sort: 'created' })).toEqual(['key_e', 'key_d', 'key_c', 'key_b', 'key_a']);
      expect(await ids({ sort: 'mine', mine: 'per_1' })).toEqual(['key_a', 'key_e', 'key_d', 'key_c', 'key_b']);
      expect(await ids({ sort: 'name', order: 'asc' })).toEqual(['key_b', 'key_a', 'key_e', 'key_d', 'key_c']);
      expect(await ids({ sort: 'lastUsed', connected: ['key_d', 'key_none'] })).toEqual(['key_d', 'key_a', 'key_e', 'key_c', 'key_b']);
      expect(await ids({ sort: 'expiry', order: 'asc' })).toEqual(['key_c', 'key_e', 'key_a', 'key_b', 'key_d']);
      expect(await ids({ sort: 'expiry', order: 'desc' })).toEqual(['key_a', 'key_e', 'key_c', 'key_d', 'key_b']);
      expect((await ids({ sort: 'calls' })).slice(0, 2)).toEqual(['key_a', 'key_e']);
      expect(await ids({ sort: 'refused', order: 'asc' })).toEqual(['key_b', 'key_c', 'key_d', 'key_e', 'key_a']);
    });

    test('the pages of each order hold every key once, and each page the number of all', async () => {
      const { store } = await seeded(newStore);
      for (const sort of KEY_SORTS)
        for (const order of ['asc', 'desc'] as const) {
          const seen: string[] = [];
          let after: KeyPlace | undefined;
          do {
            const page = await store.keys.page(asked({ sort, order, limit: 2, after, mine: 'per_1', connected: ['key_d'] }));
            expect(page.total).toBe(5);
            seen.push(...page.items.map(({ id }) => id));
            after = page.next;
          } while (after);
          expect(seen.toSorted(), `${sort} ${order}`).toEqual(['key_a', 'key_b', 'key_c', 'key_d', 'key_e']);
        }
    });

    test('words are found in name, id, toolkit and owner, in any case; % and _ are only characters', async () => {
      const { ids } = await seeded(newStore);
      expect(await ids({ words: 'BETA' })).toEqual(['key_e', 'key_a']);
      expect(await ids({ words: '100%' })).toEqual(['key_a']);
      expect(await ids({ words: 'key_ weather' })).toEqual(['key_d']);
      expect(await ids({ words: 'keyx' })).toEqual([]);
      expect(await ids({ words: 'äpfel' })).toEqual(['key_c']);
      expect(await ids({ words: 'ólafur beta' })).toEqual(['key_a']);
      expect(await ids({ words: String.raw`\ ' "` })).toEqual([]);
    });

    test('owner, kind and state filter, and the total counts only what fits', async () => {
      const { store, ids } = await seeded(newStore);
      expect(await ids({ ownerId: 'per_1' })).toEqual(['key_a']);
      expect(await ids({ kind: 'toolkit' })).toEqual(['key_d']);
      expect(await ids({ state: 'revoked' })).toEqual(['key_b']);
      expect(await ids({ state: 'expired' })).toEqual(['key_c']);
      expect(await ids({ state: 'active' })).toEqual(['key_e', 'key_d', 'key_a']);
      expect((await store.keys.page(asked({ state: 'active', limit: 1 }))).total).toBe(3);
      expect(await store.keys.activeCounts(NOW)).toEqual(new Map([['per_1', 1]]));
    });
  });
}
