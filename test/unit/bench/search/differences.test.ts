import { expect, test } from 'vitest';
import { differencesOf } from '../../../../bench/search-eval/differences.ts';
import { figuresOf } from '../../../../bench/search-eval/metrics.ts';

const answer = (src: string, ranking: string[]) => {
  const question = { qid: src, src, query: 'text', relevant: new Set(['right']) };
  return { question, src, ranking, figures: figuresOf(ranking, question.relevant) };
};

test('a difference that is the same for each query has no width, however hard the queries are', () => {
  const before = [answer('x', ['right']), answer('x', ['wrong', 'right']), answer('x', [])];
  expect(differencesOf(before, before).pooled).toMatchObject({ ndcg10: 0, intervals: { ndcg10: [0, 0] }, queries: 3 });
});

test('the difference of the sources is a mean, and its interval holds it', () => {
  const before = [answer('x', ['wrong', 'right']), answer('x', ['right']), answer('y', []), answer('y', [])];
  const after = [answer('x', ['right']), answer('x', ['right']), answer('y', ['right']), answer('y', [])];
  const { pooled, sources } = differencesOf(before, after);
  expect(sources.x?.hit1).toBe(0.5);
  expect(sources.y?.hit1).toBe(0.5);
  expect(pooled.hit1).toBe(0.5);
  const [from, to] = pooled.intervals.hit1;
  expect(from).toBeLessThan(0.5);
  expect(to).toBeGreaterThan(0.5);
});
