import { expect, test } from 'vitest';
import { toDirections } from '../../../src/embeddings/directions';

const read = (embeddings: unknown[], count = embeddings.length, dimensions?: number) => toDirections(embeddings, { count, dimensions });

test('the largest number becomes 127, however large or small it is', () => {
  for (const size of [1, 5e-324 * 1e3, 1e300, 0.02]) expect(read([[size, -size / 2, 0]])).toEqual([Int8Array.of(127, -63, 0)]);
});

test.each<[string, unknown[], number, number | undefined, string]>([
  ['too few', [[1]], 2, undefined, 'WRONG_COUNT'],
  ['too many', [[1], [1]], 1, undefined, 'WRONG_COUNT'],
  ['another size than asked for', [[1, 2]], 1, 3, 'WRONG_SIZE'],
  ['two sizes', [[1, 2], [1]], 2, undefined, 'WRONG_SIZE'],
  ['empty', [[]], 1, undefined, 'NO_DIRECTION'],
  ['missing', [undefined], 1, undefined, 'NO_DIRECTION'],
  ['a gap', new Array(1), 1, undefined, 'NO_DIRECTION'],
  ['text', ['AACAPw=='], 1, undefined, 'NO_DIRECTION'],
  ['NaN', [[Number.NaN, 1]], 1, undefined, 'NO_DIRECTION'],
  ['infinite', [[Number.POSITIVE_INFINITY, 1]], 1, undefined, 'NO_DIRECTION'],
  ['numbers as texts', [['1', '2']], 1, undefined, 'NO_DIRECTION'],
])('%s is refused', (_, embeddings, count, dimensions, kind) => {
  expect(() => read(embeddings, count, dimensions)).toThrow(expect.objectContaining({ kind }));
});
