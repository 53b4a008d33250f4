/**
 * Reads the charge of a call from the `payment` of its toolkit's answer. docs/protocol.md section 6, "Payments".
 *
 * Units: millionths.
 */
import { amountProblem, millionthsOf, toMillionths } from '#sdk/protocol/amount';
import type { Payment } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';

export interface Charge {
  /** The charge, limited to the hold of the call. Absent for a free call. */
  charged?: bigint;
  /** Describes a mistake of the toolkit to its developer. */
  warning?: string;
}

/**
 * @param payment the toolkit's `payment`; undefined charges the whole hold
 * @param hold undefined for a free call
 */
export function readCharge(payment: unknown, hold: Payment | undefined): Charge {
  if (!hold) return { warning: 'The action is free, so nothing is charged. Register it with a payment to charge for its calls' };
  const held = millionthsOf(hold.amount);
  if (payment === undefined) return { charged: held };
  const { amount, currency = hold.currency } = isObject(payment) ? payment : {};
  const charged = toMillionths(amount);
  if (charged === undefined) return { charged: 0n, warning: `${amountProblem('payment.amount', amount)}. Nothing is charged` };
  if (currency !== hold.currency)
    return { charged: 0n, warning: `payment.currency must be ${hold.currency}, or left out. Nothing is charged` };
  if (charged <= held) return { charged };
  const message = `payment.amount is ${amount}, more than the ${hold.amount} ${hold.currency} that the call holds. ${hold.amount} is charged`;
  return { charged: held, warning: message };
}
