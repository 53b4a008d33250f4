/** The contract of every store for vectors. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store';

export function vectorContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: vectors`, () => {
    const aVector = (actionId: string, fingerprint = 'first', vector = Int8Array.of(-127, 0, 127)) => ({ actionId, fingerprint, vector });
    const all = (store: Store) => store.vectors.page({ after: '', limit: 100 });

    test('vectors are stored, replaced and removed', async () => {
      const store = await newStore();
      await store.vectors.put([aVector('b__b'), aVector('a__a')]);
      expect(await all(store)).toEqual([aVector('a__a'), aVector('b__b')]);
      const changed = aVector(
        'b__b',
        'second',
        Int8Array.from({ length: 4_096 }, (_, index) => index),
      );
      await store.vectors.put([changed, aVector('c__c')]);
      await store.vectors.remove(['a__a', 'unknown']);
      expect(await all(store)).toEqual([changed, aVector('c__c')]);
    });

    test('a part of a larger array is stored as that part', async () => {
      const store = await newStore();
      await store.vectors.put([aVector('a__a', 'part', Int8Array.of(1, 2, 3, 4).subarray(1, 3))]);
      expect(await all(store)).toEqual([aVector('a__a', 'part', Int8Array.of(2, 3))]);
    });

    test('pages follow each other in the order of code points, without gap or repetition', async () => {
      const store = await newStore();
      const ids = ['A__z', 'a-b__x', 'a__a', 'a__b', 'ab__a', 'b__a', 'é__a'];
      await store.vectors.put(ids.toReversed().map((id) => aVector(id)));
      const found: string[] = [];
      for (let page = await store.vectors.page({ after: '', limit: 2 }); page.length > 0; ) {
        found.push(...page.map(({ actionId }) => actionId));
        page = await store.vectors.page({ after: found.at(-1) ?? '', limit: 2 });
      }
      expect(found).toEqual(ids);
    });

    test('thousands are put and removed at once, and an empty list is allowed', async () => {
      const store = await newStore();
      const many = Array.from({ length: 2_500 }, (_, index) => aVector(`a__${index}`));
      await store.vectors.put(many);
      expect(await store.vectors.page({ after: '', limit: 10_000 })).toHaveLength(2_500);
      await store.vectors.remove(many.map(({ actionId }) => actionId));
      await store.vectors.put([]);
      await store.vectors.remove([]);
      expect(await all(store)).toEqual([]);
    });
  });
}
