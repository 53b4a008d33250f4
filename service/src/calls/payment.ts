/**
 * The hold, the charge and the answer of a paid call. Amounts are millionths.
 *
 * A call is checked against the limits of its caller when it is claimed, after its idempotency key: a retry of a call that ran gets its answer, also
 * when the price has risen or the budget is used up.
 */
import { millionthsOf, toAmount } from '#sdk/protocol/amount';
import type { CallPayment, Payment } from '#sdk/protocol/http';
import type { AttemptOutcome } from '../hub/attempt';
import { withoutBudget } from '../keys/may-pay';
import type { ActionRecord, Hold, KeyRecord } from '../store/store';

/** The hold of a new call, and the reason why the call may not be claimed. */
export interface WantedHold {
  hold: Hold;
  refusal: string | undefined;
}

/** Undefined for a free action. */
export function wantedHold(
  actionId: string,
  { payment }: ActionRecord,
  { budget }: Pick<KeyRecord, 'budget'>,
  maxPayment: bigint | undefined,
): WantedHold | undefined {
  if (!payment) return undefined;
  const amount = millionthsOf(payment.amount);
  const hold = { amount, currency: payment.currency, perDay: budget ? millionthsOf(budget.perDay) : 0n };
  const price = `"${actionId}" may cost ${payment.amount} ${payment.currency}`;
  const ask = 'ask the person who issued the key';
  if (!budget) return { hold, refusal: withoutBudget(actionId, payment) };
  if (amount > millionthsOf(budget.perCall))
    return { hold, refusal: `${price}, and this key may pay ${budget.perCall} for one call: ${ask}, or search for a cheaper action` };
  if (maxPayment !== undefined && amount > maxPayment)
    return {
      hold,
      refusal: `${price}, and the caller allows ${toAmount(maxPayment)} for this call (Svc-Max-Payment): the price may have risen`,
    };
  return { hold, refusal: undefined };
}

/** The charge of a handler's outcome. Undefined while the hold stays: the handler may still run, or may have run. */
export function chargeOf(hold: Hold | undefined, outcome: Exclude<AttemptOutcome, { gone: unknown }>): bigint | undefined {
  if (!hold) return undefined;
  if (!('error' in outcome)) return outcome.charged ?? hold.amount;
  return outcome.error.code === 'ACTION_FAILED' ? 0n : undefined;
}

/** The `payment` of an answer. Undefined for a free call. */
export function callPayment(hold: Hold | undefined, charged: bigint | undefined): CallPayment | undefined {
  if (!hold || charged === undefined) return undefined;
  return { authorised: toAmount(hold.amount), charged: toAmount(charged), currency: hold.currency };
}

/** The hold in the form for the handler. */
export function shownHold(hold: Hold | undefined): Payment | undefined {
  return hold && { amount: toAmount(hold.amount), currency: hold.currency };
}

/** A hold as a message between nodes. */
export interface HoldMessage extends Payment {
  perDay: string;
}

export function toHoldMessage({ amount, currency, perDay = 0n }: Hold): HoldMessage {
  return { amount: toAmount(amount), currency, perDay: toAmount(perDay) };
}

export function readHold({ amount, currency, perDay }: HoldMessage): Hold {
  return { amount: millionthsOf(amount), currency, perDay: millionthsOf(perDay) };
}
