/** The refusal of a paid call. The error is not retryable: the answer stays the same until the day ends or a person changes the budget. */
import { toAmount } from '#sdk/protocol/amount';
import { SvcError } from '#sdk/protocol/errors';
import { DAY_MS, utcDay } from './utc-day';

export interface RefusedPrice {
  /** The most that the call costs, in millionths, as `left`. */
  price: bigint;
  currency: string;
  /** The rest of the key's budget of the day. Absent: the key has no budget. */
  left?: bigint | undefined;
}

/** @param reason a sentence without its full stop */
export function paymentRequired(reason: string, { price, currency, left }: RefusedPrice, now = Date.now()): SvcError {
  const dayEndsAt = new Date((utcDay(now) + 1) * DAY_MS).toISOString();
  const refused = { price: toAmount(price), currency };
  if (left === undefined) return new SvcError('PAYMENT_REQUIRED', reason, { payment: refused });
  return new SvcError('PAYMENT_REQUIRED', reason, { payment: { ...refused, left: toAmount(left), dayEndsAt } });
}
