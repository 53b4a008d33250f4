/** The refusal of a paid call that its key's budget of the day does not cover. */
import { toAmount } from '../../protocol/amount';
import type { SvcError } from '../../protocol/errors';
import { paymentRequired } from '../lib/payment-required';
import type { Hold, InvocationStart, Spent } from './store';

/** Undefined when the budget covers the call. */
export function overBudget({ action }: Pick<InvocationStart, 'action'>, hold: Hold, { charged, held }: Spent): SvcError | undefined {
  const { amount, currency, perDay = 0n } = hold;
  const left = perDay - charged - held;
  if (left >= amount) return undefined;
  // A lowered budget can be below what the day has charged and held.
  const rest = left > 0n ? left : 0n;
  const reason = `"${action}" may cost ${toAmount(amount)} ${currency}, and ${toAmount(rest)} of this key's budget of the day is left`;
  return paymentRequired(`${reason}; ask the person who issued the key, or wait for the next day (UTC)`, {
    price: amount,
    currency,
    left: rest,
  });
}
