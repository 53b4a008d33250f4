import { expect, test } from 'vitest';
import { fuseByReciprocalRank } from '../../../src/service/embeddings/reciprocal-ranks';

test('what both rankings name is before what only one does, and equal ones go by id', () => {
  expect(
    fuseByReciprocalRank([
      ['a', 'b', 'c'],
      ['c', 'd'],
    ]),
  ).toEqual(['c', 'a', 'b', 'd']);
  expect(
    fuseByReciprocalRank([
      ['z', 'y'],
      ['y', 'z'],
    ]),
  ).toEqual(['y', 'z']);
  expect(fuseByReciprocalRank([['b'], ['a']])).toEqual(['a', 'b']);
  expect(fuseByReciprocalRank([[], ['a']])).toEqual(['a']);
});
