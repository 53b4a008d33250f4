import { expect, test } from 'vitest';
import type { KeyKind } from '#sdk/protocol/http';
import { changesOf } from '../../../console/src/pages/audit/audit-words';
import { checkBudget, readBudget, toBudgetValues } from '../../../console/src/pages/keys/budget-form';
import { budgetUse, budgetWords } from '../../../console/src/pages/keys/budget-use';

const faults = (perCall: string, perDay: string, kind: KeyKind = 'agent') => {
  const budget = { perCall, perDay };
  return [checkBudget.perCall(perCall, { kind, budget }), checkBudget.perDay(perDay, { kind, budget })];
};

test('a budget is both amounts or none', () => {
  expect(faults('', ' ')).toEqual([null, null]);
  expect(faults('0.1', '5')).toEqual([null, null]);
  expect(faults('0.1', '')).toEqual([null, 'Enter both amounts, or leave both empty']);
  expect(faults('', '5')).toEqual(['Enter both amounts, or leave both empty', null]);
  expect(readBudget(toBudgetValues())).toBeNull();
  expect(readBudget({ perCall: ' 0.10 ', perDay: '5' })).toEqual({ perCall: '0.10', perDay: '5' });
});

test.for(['0,05', '1e3', '-1', '+1', '.5', '5.', '1 000', '0.0000001', '1000000000000', 'five', '0x10', 'NaN', '٣'])(
  'the amount %s is refused with the advice of the API',
  (amount) => {
    const advice = 'The amount must be a decimal text with at most 12 digits before the point and 6 behind it, such as "0.05"';
    expect(faults(amount, amount)).toEqual([advice, advice]);
    expect(faults(amount, amount, 'toolkit')).toEqual([null, null]);
  },
);

test('a budget is described in words', () => {
  expect(budgetWords({ perCall: '0.1', perDay: '1250' }, 'USD')).toBe('0.1 USD per call, 1,250 USD per day');
  expect(budgetWords(undefined, 'USD')).toBe('None: free actions only');
});

test('the remaining budget of a day is exact, and never negative', () => {
  const use = (perDay: string, charged: string, held: string) => budgetUse({ perDay }, { charged, held });
  expect(use('5', '1.2', '0.05')).toEqual({ left: '3.75', chargedPercent: 24, heldPercent: 1 });
  expect(use('999999999999.999999', '0.000001', '0')).toMatchObject({ left: '999999999999.999998', chargedPercent: 0 });
  // The budget was lowered below what calls had used.
  expect(use('1', '0.9', '0.4')).toEqual({ left: '0', chargedPercent: 90, heldPercent: 10 });
  expect(use('1', '3', '1')).toEqual({ left: '0', chargedPercent: 100, heldPercent: 0 });
});

test('the audit log shows the old and the new budget', () => {
  const changed = (from: object, to: object) =>
    changesOf({
      id: 'aud_1',
      at: '2026-01-31T08:00:00Z',
      actor: { kind: 'person', id: 'per_1', name: 'Ada' },
      what: 'key.change',
      subject: 'key_1',
      details: { from, to },
    });
  const budget = { perCall: '0.1', perDay: '5' };
  expect(changed({ kind: 'agent', budget }, { kind: 'agent' })).toEqual([{ name: 'budget', from: '0.1 per call, 5 per day', to: 'none' }]);
  expect(changed({ budget }, { budget: { perCall: '0.1', perDay: '7' } })).toEqual([
    { name: 'budget', from: '0.1 per call, 5 per day', to: '0.1 per call, 7 per day' },
  ]);
});
