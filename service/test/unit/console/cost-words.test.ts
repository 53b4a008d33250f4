import { expect, test } from 'vitest';
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import type { CallPayment } from '#sdk/protocol/http';
import { costWords } from '../../../console/src/pages/action/try-it/cost-words';
import { formatAmount, formatPrice } from '../../../console/src/parts/format';

const PRICE = { amount: '0.05', currency: 'USD' };

const answered = (payment?: CallPayment, replayed?: true) =>
  ({
    state: 'ok',
    ms: 1,
    response: { result: null, invocationId: 'inv_1', ...(payment && { payment }), ...(replayed && { replayed }) },
  }) as const;

function failed(code: SvcErrorCode) {
  const error = new SvcError(code, 'No');
  return { state: 'failed', ms: 1, error, read: error.toJSON() } as const;
}

test('an amount is shown exactly, with its currency', () => {
  expect(formatAmount('0.000001', 'USD')).toBe('0.000001 USD');
  expect(formatAmount('999999999999.999999', 'credits')).toBe('999,999,999,999.999999 credits');
  expect(formatAmount('1234.5', 'EUR')).toBe('1,234.5 EUR');
  expect(formatPrice(PRICE)).toBe('up to 0.05 USD a call');
});

test('an answer shows the charge, and a replay shows no cost', () => {
  expect(costWords(answered({ authorised: '0.05', charged: '0.03', currency: 'USD' }), PRICE)).toBe(
    'Charged 0.03 USD of at most 0.05 USD.',
  );
  expect(costWords(answered({ authorised: '0.05', charged: '0.05', currency: 'USD' }), PRICE)).toBe('Charged 0.05 USD.');
  expect(costWords(answered({ authorised: '0.05', charged: '0.03', currency: 'USD' }, true), PRICE)).toBe(
    'The first call cost 0.03 USD. This answer cost nothing.',
  );
});

test('a failed call cost nothing, unless the action may still have run', () => {
  expect(costWords(failed('ACTION_FAILED'), PRICE)).toBe('Nothing was charged.');
  expect(costWords(failed('PAYMENT_REQUIRED'), PRICE)).toBe('Nothing was charged.');
  const held = 'Up to 0.05 USD may stay held until the outcome is known, for 24 hours at most.';
  for (const code of ['INVOCATION_TIMEOUT', 'OUTCOME_UNKNOWN', 'KEY_REVOKED'] as const) expect(costWords(failed(code), PRICE)).toBe(held);
  expect(costWords({ state: 'cancelled', ms: 1 }, PRICE)).toBe(held);
});

test('a free action shows no cost', () => {
  for (const tryOut of [answered(), failed('ACTION_FAILED'), { state: 'cancelled', ms: 1 } as const, { state: 'idle' } as const])
    expect(costWords(tryOut, undefined)).toBeUndefined();
});
