import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMillionths } from '#sdk/protocol/amount';
import { readCharge } from '../../../src/hub/read-charge';

const HOLD = { amount: '0.05', currency: 'USD' };

test.each<[unknown, bigint]>([
  [undefined, 50_000n],
  [{ amount: '0.05' }, 50_000n],
  [{ amount: '0.050000' }, 50_000n],
  [{ amount: '0.03' }, 30_000n],
  [{ amount: '0.000001' }, 1n],
  [{ amount: '0' }, 0n],
  [{ amount: '0.03', currency: 'USD', note: 'half' }, 30_000n],
])('%j charges', (said, charged) => {
  expect(readCharge(said, HOLD)).toEqual({ charged });
});

test.each(['0.050001', '1', '999999999999.999999'])('%s is above the hold: the hold is charged, with a warning', (amount) => {
  const warning = `payment.amount is ${amount}, more than the 0.05 USD that the call holds. 0.05 is charged`;
  expect(readCharge({ amount }, HOLD)).toEqual({ charged: 50_000n, warning });
});

test.each([
  null,
  0.03,
  '0.03',
  [],
  ['0.03'],
  {},
  { amount: 0.03 },
  { amount: '-0.03' },
  { amount: '3e-2' },
  { amount: '0,03' },
  { amount: '0.0300000' },
  { amount: { amount: '0.03' } },
  { charged: '0.03' },
])('%j charges nothing, with a warning', (said) => {
  expect(readCharge(said, HOLD)).toEqual({
    charged: 0n,
    warning: expect.stringMatching(/^payment\.amount must be a decimal text .*\. Nothing is charged$/),
  });
});

test.each(['EUR', 'usd', null, 1])('an amount in the currency %j charges nothing, with a warning', (currency) => {
  const warning = 'payment.currency must be USD, or left out. Nothing is charged';
  expect(readCharge({ amount: '0.03', currency }, HOLD)).toEqual({ charged: 0n, warning });
});

test('a free call is not charged, and a payment in its answer is a mistake', () => {
  expect(readCharge({ amount: '0.03' }, undefined)).toEqual({ warning: expect.stringContaining('The action is free') });
});

test('every random charge is from 0 to the hold, and equals the written amount if there is no warning', () => {
  const amount = fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.nat(60_000).map((millionths) => (millionths / 1e6).toFixed(6)),
  );
  const said = fc.oneof(
    fc.jsonValue(),
    amount,
    fc.record({ amount, currency: fc.constantFrom('USD', 'EUR', undefined) }, { requiredKeys: ['amount'] }),
  );
  fc.assert(
    fc.property(said, (payment) => {
      const { charged = -1n, warning } = readCharge(payment, HOLD);
      expect(charged >= 0n && charged <= 50_000n).toBe(true);
      const asked = toMillionths((payment as { amount?: unknown } | null)?.amount);
      if (warning === undefined) expect(charged).toBe(asked);
    }),
    { numRuns: 2_000 },
  );
});
