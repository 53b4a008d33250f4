/** Checks the charge of a call. Throws SvcError INVALID_REQUEST, whose message says what to do. */
import { amountProblem, toMillionths } from '../protocol/amount';
import { SvcError } from '../protocol/errors';
import type { Payment } from '../protocol/http';

export interface ChargeState {
  /** The hold of the call; undefined for a free call. */
  hold: Payment | undefined;
  /** An earlier charge of the call. */
  charged: string | undefined;
  ended: boolean;
}

export function checkCharge(amount: unknown, { hold, charged, ended }: ChargeState): void {
  const problem = ended
    ? 'The call has ended: charge before the handler returns'
    : hold === undefined
      ? 'The call is free: give the action a payment to charge for its calls'
      : charged !== undefined
        ? `The call is charged ${charged} already: add up what it costs, and charge once`
        : (amountProblem('The charge', amount) ?? aboveHold(amount as string, hold));
  if (problem) throw new SvcError('INVALID_REQUEST', problem);
}

function aboveHold(amount: string, hold: Payment): string | undefined {
  const isAbove = (toMillionths(amount) ?? 0n) > (toMillionths(hold.amount) ?? 0n);
  return isAbove
    ? `The charge ${amount} is more than ctx.payment.amount, ${hold.amount}: charge less, or raise the payment of the action`
    : undefined;
}
