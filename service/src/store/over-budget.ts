/** The refusal of a paid call that its key's budget of the day does not cover. */
import { toAmount } from '#sdk/protocol/amount';
import type { SvcError } from '#sdk/protocol/errors';
import { paymentRequired } from '../lib/payment-required';
import type { Hold, InvocationStart, Spent } from './store';

/** The sums of a key without a paid call in the day. */
export const NOTHING_SPENT: Readonly<Spent> = { charged: 0n, held: 0n };

/** The rest of a day's budget. 0n also when the budget was lowered below what the day has charged and held. */
export function leftOf(perDay: bigint, { charged, held }: Spent): bigint {
  const left = perDay - charged - held;
  return left > 0n ? left : 0n;
}

/** Undefined when the budget covers the call. */
export function overBudget({ action }: Pick<InvocationStart, 'action'>, hold: Hold, spent: Spent): SvcError | undefined {
  const { amount, currency, perDay = 0n } = hold;
  const left = leftOf(perDay, spent);
  if (left >= amount) return undefined;
  const reason = `"${action}" may cost ${toAmount(amount)} ${currency}, and ${toAmount(left)} of this key's budget of the day is left`;
  return paymentRequired(`${reason}; ask the person who issued the key, or wait for the next day (UTC)`, {
    price: amount,
    currency,
    left,
  });
}
