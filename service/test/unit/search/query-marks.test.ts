import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueryMarks } from '../../../src/catalog/search/query-marks';

test('each list keeps its first mark until all are cleared, for any lists in one slot', () => {
  const marks = new QueryMarks();
  const entry = fc.record({ list: fc.nat({ max: 4_000_000 }), word: fc.nat({ max: 500 }), isSynonym: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 160 }), (entries) => {
      const known = new Map<number, number>();
      for (const { list, word, isSynonym } of entries) {
        marks.set(list, word, isSynonym);
        if (!known.has(list)) known.set(list, isSynonym ? -word - 1 : word + 1);
      }
      for (const [list, mark] of known) expect(marks.get(list)).toBe(mark);
      for (const { list } of entries) if (!known.has(list + 1)) expect(marks.get(list + 1)).toBe(0);
      marks.clear();
      for (const { list } of entries) expect(marks.get(list)).toBe(0);
    }),
  );
});
