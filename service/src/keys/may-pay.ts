/** Paid actions need a key with a budget. Without a budget, searches leave them out and calls fail with PAYMENT_REQUIRED. */
import { millionthsOf } from '#sdk/protocol/amount';
import type { Payment } from '#sdk/protocol/http';
import { paymentRequired } from '../lib/payment-required';
import type { ActionRecord, KeyRecord } from '../store/store';

type Priced = Pick<ActionRecord, 'payment'>;

export function mayPay({ budget }: Pick<KeyRecord, 'budget'>, { payment }: Priced): boolean {
  return budget !== null || payment === undefined;
}

/** @throws SvcError PAYMENT_REQUIRED */
export function requireBudget(key: Pick<KeyRecord, 'budget'>, actionId: string, action: Priced): void {
  const { payment } = action;
  if (payment === undefined || mayPay(key, action)) return;
  const { amount, currency } = payment;
  throw paymentRequired(withoutBudget(actionId, payment), { price: millionthsOf(amount), currency });
}

/** The reason of a refusal. */
export function withoutBudget(actionId: string, { amount, currency }: Payment): string {
  const advice = 'ask the person who issued the key for one, or search for a free action';
  return `"${actionId}" may cost ${amount} ${currency}, and this key has no budget: ${advice}`;
}
