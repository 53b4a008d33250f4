import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../../../console/src/pages/review/line-diff';
import { reviewLines } from '../../../console/src/pages/review/review-lines';

const marked = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => ({ same: '', removed: '-', added: '+' })[kind] + text)
    .join(' ');

test.each([
  ['abc', 'abc', 'a b c'],
  ['abc', 'axc', 'a -b +x c'],
  ['', 'ab', '+a +b'],
  ['ab', '', '-a -b'],
  ['abcd', 'bxd', '-a b -c +x d'],
  ['aa', 'a', 'a -a'],
])('%s -> %s', (before, after, diff) => expect(marked(before, after)).toBe(diff));

test('both texts can be read from the diff, also where it is too long to compare', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = diffLines(before, after);
      expect(diff.filter(({ kind }) => kind !== 'added').map((line) => line.text)).toEqual(before);
      expect(diff.filter(({ kind }) => kind !== 'removed').map((line) => line.text)).toEqual(after);
    }),
  );
  const long = (letter: string) => Array.from({ length: 2_000 }, (_, index) => `${letter}${index}`);
  expect(diffLines(long('a'), long('b'))).toHaveLength(4_000);
});

test('a review shows every text that a model reads, and the price', () => {
  const reviewed = {
    action: 'shop__pay',
    annotations: { destructive: true },
    description: 'Pays\nan invoice',
    payloadSchema: { type: 'object' },
    toolkit: { name: 'Shop', description: 'Tea' },
  };
  const lines = ['Description:', '  Pays', '  an invoice', 'Payload:', '  {', '    "type": "object"', '  }'];
  const annotations = ['Annotations:', '  {"destructive":true}'];
  const toolkit = ['Toolkit:', '  Shop', '  Tea'];
  expect(reviewLines(JSON.stringify(reviewed))).toEqual([...lines, ...annotations, ...toolkit]);
  const paid = { ...reviewed, payment: { amount: '0.05', currency: 'USD' } };
  expect(reviewLines(JSON.stringify(paid))).toEqual([...lines, ...annotations, 'Price of one call, at most:', '  0.05 USD', ...toolkit]);
});
