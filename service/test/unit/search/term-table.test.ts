import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TermTable } from '../../../src/catalog/search/term-table';

test('a table holds what was set and not deleted, as a Map does', () => {
  const step = fc.record({
    term: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer()),
    number: fc.nat(4_000_000),
    remove: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5_000, size: 'max' }), (steps) => {
      const table = new TermTable();
      const model = new Map<number, number>();
      for (const { term, number, remove } of steps) {
        if (remove) {
          table.delete(term);
          model.delete(term);
        } else {
          table.set(term, number);
          model.set(term, number);
        }
      }
      for (const { term } of steps) expect(table.get(term)).toBe(model.get(term));
    }),
    { numRuns: 50 },
  );
});
