import { expect, test } from 'vitest';
import { runGolden } from '../../../cli/lint/golden-run';

const results: Record<string, string[]> = {
  first: ['t__a', 't__b'],
  second: ['t__b', 't__c', 't__a'],
  both: ['t__a', 't__b', 't__c'],
  none: ['t__b'],
};
const run = (golden: Record<string, string[]>, k: number) =>
  runGolden(
    Object.entries(golden).map(([query, actions], i) => ({ query, actions, line: i + 1 })),
    { k, search: async (query) => results[query] ?? [] },
  );

test('recall is the share of the actions among the first k, over all queries alike', async () => {
  const golden = { first: ['t__a'], second: ['t__a'], both: ['t__a', 't__c'], none: ['t__a'] };
  expect(await run(golden, 2)).toEqual({
    k: 2,
    queries: 4,
    recall: (1 + 0 + 0.5 + 0) / 4,
    recallAt1: (1 + 0 + 0.5 + 0) / 4,
    mrr: (1 + 1 / 3 + 1 + 0) / 4,
    misses: [
      { query: 'second', line: 2, action: 't__a', rank: 3, outrankedBy: ['t__b', 't__c'] },
      { query: 'both', line: 3, action: 't__c', rank: 3, outrankedBy: ['t__b'] },
      { query: 'none', line: 4, action: 't__a', rank: null, outrankedBy: ['t__b'] },
    ],
  });
  expect(await run(golden, 3)).toMatchObject({ recall: 3 / 4, misses: [{ query: 'none' }] });
});
