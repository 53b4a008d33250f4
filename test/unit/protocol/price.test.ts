import { expect, test } from 'vitest';
import { priceProblem } from '../../../src/protocol/amount';

test.each([{ amount: '0.05' }, { amount: '0' }, { amount: '999999999999.999999', currency: 'EUR' }, { amount: '1', per: 'call' }])(
  '%j is a price',
  (payment) => {
    expect(priceProblem('send', payment)).toBeUndefined();
  },
);

const ADVICE =
  'payment.amount of action "send" must be a decimal text with at most 12 digits before the point and 6 behind it, such as "0.05"';

test.each<[unknown, string]>([
  [0.05, 'number'],
  ['', '""'],
  ['1e-2', '"1e-2"'],
  ['1,5', '"1,5"'],
  ['+1', '"+1"'],
  ['-1', '"-1"'],
  ['.5', '".5"'],
  ['01', '"01"'],
  ['1.', '"1."'],
  [' 1', '" 1"'],
  ['1\n', '"1\\n"'],
  ['0.0000001', '"0.0000001"'],
  ['1000000000000', '"1000000000000"'],
  ['١', '"١"'],
  [undefined, 'undefined'],
  [null, 'object'],
  [1n, 'bigint'],
  [Object.create(null), 'object'],
  ['9'.repeat(10_000), `"${'9'.repeat(100)}"`],
])('a wrong amount is rejected, with the correction (%#)', (amount, shown) => {
  expect(priceProblem('send', { amount })).toBe(`${ADVICE}, not ${shown}`);
});

test.each([null, '0.05', 0.05, [], true])('%j has no amount', (payment) => {
  expect(priceProblem('send', payment)).toBe(`${ADVICE}, not undefined`);
});
