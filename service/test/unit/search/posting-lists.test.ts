import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PostingLists } from '../../../src/catalog/search/posting-lists';
import { ScoreBoard } from '../../../src/catalog/search/score-board';

const DOCUMENTS = 400;

function documentsOf(lists: PostingLists, term: number): number[] {
  const number = lists.find(term);
  if (number === undefined) return [];
  const scores = new ScoreBoard();
  scores.reserve(DOCUMENTS);
  lists.addScores(number, 1, scores);
  const found = scores.best(
    DOCUMENTS,
    (a, b) => a < b,
    () => true,
  );
  expect(found).toHaveLength(lists.count(number));
  return found.sort((a, b) => a - b);
}

test('lists contain the added and not removed documents, for any order', () => {
  const step = fc.record({
    term: fc.constantFrom(1, 2, -3),
    from: fc.nat(DOCUMENTS - 1),
    length: fc.integer({ min: 1, max: 150 }),
    add: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const lists = new PostingLists();
      const model = new Map([1, 2, -3].map((term) => [term, new Set<number>()]));
      for (const { term, from, length, add } of steps) {
        const held = model.get(term) as Set<number>;
        for (let document = from; document < Math.min(from + length, DOCUMENTS); document++) {
          if (add === held.has(document)) continue;
          if (add) {
            lists.add(term, document, 0.5);
            held.add(document);
          } else {
            lists.remove(lists.find(term) as number, document);
            held.delete(document);
          }
        }
      }
      for (const [term, held] of model) expect(documentsOf(lists, term)).toEqual([...held].sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});

test('a list without documents is removed and its number reused', () => {
  const lists = new PostingLists();
  const number = lists.add(1, 1, 0.5);
  expect(lists.remove(number, 1)).toBe(1);
  expect(lists.find(1)).toBeUndefined();
  expect(lists.add(2, 2, 0.5)).toBe(number);
  expect(documentsOf(lists, 2)).toEqual([2]);
});
