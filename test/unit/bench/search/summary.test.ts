import { expect, test } from 'vitest';
import { figuresOf } from '../../../../bench/search-eval/metrics.ts';
import { summarise } from '../../../../bench/search-eval/summary.ts';

const RIGHT = figuresOf(['a'], new Set(['a']));
const WRONG = figuresOf(['b'], new Set(['a']));

test('each source has the same weight, for any number of queries', () => {
  const judged = [{ src: 'small', figures: WRONG }, ...Array.from({ length: 9 }, () => ({ src: 'large', figures: RIGHT }))];
  const { pooled, sources } = summarise(judged);
  expect(pooled).toMatchObject({ ndcg10: 0.5, queries: 10 });
  expect(sources).toMatchObject({ large: { ndcg10: 1, queries: 9 }, small: { ndcg10: 0, queries: 1 } });
});

test('an interval is about two standard errors to each side, and the same in every run', () => {
  const judged = Array.from({ length: 400 }, (_, index) => ({ src: 'coin', figures: index % 2 === 0 ? RIGHT : WRONG }));
  const [from, to] = summarise(judged).pooled.intervals.hit1;
  // 1.96 times the square root of 0.25 / 400.
  expect(from).toBeCloseTo(0.451, 2);
  expect(to).toBeCloseTo(0.549, 2);
  expect(summarise(judged)).toEqual(summarise(judged));
});

test('if every query has the same figures, the interval has zero width', () => {
  const { intervals } = summarise([{ src: 'sure', figures: RIGHT }]).pooled;
  expect(intervals.ndcg10).toEqual([1, 1]);
});
