import { expect, test } from 'vitest';
import { mayFind } from '../../../src/keys/may-find';
import { mayPay, requireBudget } from '../../../src/keys/may-pay';
import { NO_DEFAULTS } from '../../../src/rules/rule-defaults';
import { Rules } from '../../../src/rules/rules';

const BUDGET = { perCall: '0.01', perDay: '1' };
const paid = { payment: { amount: '0.05', currency: 'EUR' } };

test('a key without a budget may use only free actions', () => {
  expect([mayPay({ budget: null }, {}), mayPay({ budget: null }, paid)]).toEqual([true, false]);
  // A price above the budget is rejected with that reason at the call.
  expect([mayPay({ budget: BUDGET }, {}), mayPay({ budget: BUDGET }, paid)]).toEqual([true, true]);
});

test("the refusal names the price and the next step, without a day's budget", () => {
  requireBudget({ budget: BUDGET }, 'shop__buy', paid);
  requireBudget({ budget: null }, 'shop__look', {});
  let refusal: unknown;
  try {
    requireBudget({ budget: null }, 'shop__buy', paid);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({
    code: 'PAYMENT_REQUIRED',
    retryable: false,
    message:
      '"shop__buy" may cost 0.05 EUR, and this key has no budget: ask the person who issued the key for one, or search for a free action',
    details: { payment: { price: '0.05', currency: 'EUR' } },
  });
});

test('a key finds actions that are allowed, approved and within its budget', () => {
  const annotations = {};
  const actions = new Map([
    ['shop__look', { annotations }],
    ['shop__buy', { annotations, ...paid }],
    ['shop__new', { annotations, held: 'new' }],
    ['other__look', { annotations }],
  ]);
  const catalog = { action: (id: string) => actions.get(id) };
  const key = { kind: 'agent', rules: null } as const;
  const found = (key: Parameters<typeof mayFind>[0]) =>
    [...actions.keys(), 'shop__gone'].filter((id) =>
      mayFind(key, id, { catalog, rules: new Rules({ currency: 'EUR', defaults: () => NO_DEFAULTS }) }),
    );
  const allow = { toolkits: ['shop'], actions: [] };
  expect(found({ ...key, allow, budget: null })).toEqual(['shop__look']);
  expect(found({ ...key, allow, budget: BUDGET })).toEqual(['shop__look', 'shop__buy']);
  expect(found({ ...key, allow: null, budget: null })).toEqual(['shop__look', 'other__look']);
});
