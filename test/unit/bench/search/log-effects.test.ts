import { expect, test } from 'vitest';
import { effectsOf } from '../../../../bench/search-eval/log-effects.ts';
import { figuresOf } from '../../../../bench/search-eval/metrics.ts';

const answer = (src: string, relevant: string[], ranking: string[]) => {
  const question = { qid: relevant.join(), src, query: 'text', relevant: new Set(relevant) };
  return { question, src, ranking, figures: figuresOf(ranking, question.relevant) };
};

test('each query counts as better, worse or the same, by source and by the history of its action', () => {
  const before = [answer('x', ['a'], ['b', 'a']), answer('x', ['b'], ['b', 'a']), answer('y', ['c', 'a'], ['a'])];
  const after = [answer('x', ['a'], ['a', 'b']), answer('x', ['b'], ['a', 'b']), answer('y', ['c', 'a'], ['a'])];
  const { total, sources, history } = effectsOf(
    before,
    after,
    new Map([
      ['a', 20],
      ['b', 4],
    ]),
  );
  expect(total).toMatchObject({ queries: 3, better: 1, worse: 1, firstChanged: 2, topFiveChanged: 2 });
  expect(sources.y).toMatchObject({ queries: 1, better: 0, worse: 0, firstChanged: 0 });
  expect(Object.entries(history).map(([bucket, { queries, better, worse }]) => [bucket, queries, better, worse])).toEqual([
    ['0', 1, 0, 0],
    ['1-4', 1, 0, 1],
    ['20+', 1, 1, 0],
  ]);
  expect(history['20+']?.ndcg10).toEqual({ lexical: 1 / Math.log2(3), withUsage: 1 });
});
