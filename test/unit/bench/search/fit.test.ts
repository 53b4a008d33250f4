import { expect, test } from 'vitest';
import { randomOf } from '../../../../bench/common/random';
import { fitWeights } from '../../../../bench/learn-rank/fit';
import { DEFAULT_RANK_WEIGHTS, FEATURES } from '../../../../service/src/catalog/search';

/** Queries whose right candidate is the one with the highest value of a feature. */
function listsDecidedBy(feature: string, src: string, count: number) {
  const random = randomOf(src);
  return Array.from({ length: count }, () => {
    const values = Array.from({ length: 20 }, () => FEATURES.map((name) => (name === 'meaning' ? 0 : random())));
    const decisive = values.map((row) => row[FEATURES.indexOf(feature as never)] as number);
    const best = decisive.indexOf(Math.max(...decisive));
    return { src, rows: Float64Array.from(values.flat()), relevant: values.map((_, i) => i === best), wanted: 1 };
  });
}

test('a decisive feature gets nearly all of the weight', () => {
  const { words, name, query, meaning } = fitWeights(listsDecidedBy('name', 'a', 200), DEFAULT_RANK_WEIGHTS);
  expect(words).toBe(1);
  expect(name).toBeGreaterThan(5);
  expect(query).toBeLessThan(name / 5);
  expect(meaning).toBe(DEFAULT_RANK_WEIGHTS.meaning);
});

test('each source has the same weight, for any number of queries', () => {
  const few = listsDecidedBy('name', 'few', 50);
  const many = listsDecidedBy('query', 'many', 500);
  const { name, query } = fitWeights([...few, ...many], DEFAULT_RANK_WEIGHTS);
  expect(name / query).toBeGreaterThan(0.5);
  expect(name / query).toBeLessThan(2);
});

test('a query whose answer is not a candidate teaches nothing', () => {
  const lists = listsDecidedBy('name', 'a', 50);
  const missed = listsDecidedBy('query', 'b', 50).map((list) => ({ ...list, relevant: list.relevant.map(() => false) }));
  expect(fitWeights([...lists, ...missed], DEFAULT_RANK_WEIGHTS)).toEqual(fitWeights(lists, DEFAULT_RANK_WEIGHTS));
});
