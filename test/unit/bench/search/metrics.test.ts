import { expect, test } from 'vitest';
import { figuresOf } from '../../../../bench/search-eval/metrics.ts';

test('one relevant action in the third place', () => {
  const figures = figuresOf(['a', 'b', 'right', 'c'], new Set(['right']));
  expect(figures).toEqual({ ndcg10: 0.5, recall1: 0, recall3: 1, recall5: 1, recall10: 1, mrr: 1 / 3, hit1: 0 });
});

test('with several relevant actions, recall counts each, and nDCG compares with the best order', () => {
  const { ndcg10, recall1, recall3, mrr, hit1 } = figuresOf(['x', 'a', 'b'], new Set(['x', 'b', 'not-there']));
  // Gains 1 and 1/2 of 1, 1/log2(3) and 1/2.
  expect(ndcg10).toBeCloseTo(1.5 / 2.13093, 5);
  expect({ recall1, recall3, mrr, hit1 }).toEqual({ recall1: 1 / 3, recall3: 2 / 3, mrr: 1, hit1: 1 });
});

test('results after the tenth place do not count', () => {
  const ranking = [...'abcdefghij', 'right'];
  expect(Object.values(figuresOf(ranking, new Set(['right'])))).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('more than ten relevant actions cannot all be in the first ten, which costs recall and not nDCG', () => {
  const relevant = [...'abcdefghijkl'];
  const { ndcg10, recall10 } = figuresOf(relevant.slice(0, 10), new Set(relevant));
  expect(ndcg10).toBeCloseTo(1, 12);
  expect(recall10).toBeCloseTo(10 / 12, 12);
});

test('an empty result is worth nothing', () => {
  expect(figuresOf([], new Set(['right'])).ndcg10).toBe(0);
});
