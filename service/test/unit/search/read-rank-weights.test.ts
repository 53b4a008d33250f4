import { expect, test } from 'vitest';
import { DEFAULT_RANK_WEIGHTS, readRankWeights, WORDS_ALONE } from '../../../src/catalog/search';

test('weights are the built-in ones, none, or one for each feature', () => {
  expect(readRankWeights()).toBe(DEFAULT_RANK_WEIGHTS);
  expect(readRankWeights('off')).toBe(WORDS_ALONE);
  expect(readRankWeights({ ...DEFAULT_RANK_WEIGHTS, name: 0 })).toMatchObject({ name: 0 });
});

test.each([
  ['a feature too few', { words: 1 }],
  ['a feature too many', { ...DEFAULT_RANK_WEIGHTS, luck: 1 }],
  ['a weight below 0', { ...DEFAULT_RANK_WEIGHTS, name: -1 }],
  ['a weight that is no number', { ...DEFAULT_RANK_WEIGHTS, name: '1' }],
  ['an infinite weight', { ...DEFAULT_RANK_WEIGHTS, name: Number.POSITIVE_INFINITY }],
  ['nothing', null],
  ['another word', 'on'],
])('%s is refused', (_, setting) => {
  expect(() => readRankWeights(setting as never)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});
