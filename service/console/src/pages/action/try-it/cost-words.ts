/** The cost of a call from the form, as a sentence. */
import type { SvcErrorCode } from '#sdk/protocol/errors';
import type { Payment } from '#sdk/protocol/http';
import { formatAmount } from '../../../parts/format';
import type { TryOut } from './use-try-out';

/** After these the action may still have run, so its price stays held. */
const MAY_HAVE_RUN: readonly SvcErrorCode[] = [
  'INVOCATION_TIMEOUT',
  'INVOCATION_CANCELLED',
  'OUTCOME_UNKNOWN',
  'KEY_REVOKED',
  'KEY_EXPIRED',
  'SERVICE_STOPPING',
  'INTERNAL',
];

/**
 * @param price of the action; undefined for a free one
 * @returns undefined without a cost to report
 */
export function costWords(tryOut: TryOut, price: Payment | undefined): string | undefined {
  if (tryOut.state === 'ok') return costOfAnswer(tryOut.response);
  if (!price) return undefined;
  if (tryOut.state === 'cancelled' || (tryOut.state === 'failed' && MAY_HAVE_RUN.includes(tryOut.error.code)))
    return `Up to ${formatAmount(price.amount, price.currency)} may stay held until the outcome is known, for 24 hours at most.`;
  return tryOut.state === 'failed' ? 'Nothing was charged.' : undefined;
}

function costOfAnswer({ payment, replayed }: Extract<TryOut, { state: 'ok' }>['response']): string | undefined {
  if (!payment) return undefined;
  const { authorised, charged, currency } = payment;
  if (replayed) return `The first call cost ${formatAmount(charged, currency)}. This answer cost nothing.`;
  if (charged === authorised) return `Charged ${formatAmount(charged, currency)}.`;
  return `Charged ${formatAmount(charged, currency)} of at most ${formatAmount(authorised, currency)}.`;
}
