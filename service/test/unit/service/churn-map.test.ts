import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChurnMap } from '../../../src/lib/churn-map';

test('a ChurnMap has the same entries as a Map, in the same order', () => {
  const step = fc.tuple(fc.constantFrom('set', 'set', 'set', 'delete', 'clear'), fc.nat(40), fc.integer());
  const steps = fc.array(step, { minLength: 2_000, maxLength: 4_000, size: 'max' });
  fc.assert(
    fc.property(steps, (all) => {
      const [map, churn] = [new Map<number, number>(), new ChurnMap<number, number>()];
      for (const [what, key, value] of all) {
        if (what === 'delete') expect(churn.delete(key)).toBe(map.delete(key));
        else if (what === 'set') {
          map.set(key, value);
          churn.set(key, value);
        } else if (key === 0) {
          map.clear();
          churn.clear();
        }
        expect([churn.size, churn.has(key), churn.get(key)]).toEqual([map.size, map.has(key), map.get(key)]);
      }
      expect([[...churn], [...churn.keys()], [...churn.values()]]).toEqual([[...map], [...map.keys()], [...map.values()]]);
    }),
    { numRuns: 20 },
  );
});

test('entries may be deleted while it is iterated', () => {
  const churn = new ChurnMap<number, number>();
  for (let key = 0; key < 5_000; key++) churn.set(key, key);
  for (const key of churn.keys()) if (key % 2 === 0) churn.delete(key);
  expect(churn.size).toBe(2_500);
});
