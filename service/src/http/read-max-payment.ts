import { AMOUNT_ADVICE, toMillionths } from '#sdk/protocol/amount';
import { SvcError } from '#sdk/protocol/errors';

/**
 * The value of `Svc-Max-Payment`, in millionths.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function readMaxPaymentHeader(value: string | undefined): bigint | undefined {
  if (value === undefined) return undefined;
  const millionths = toMillionths(value);
  if (millionths === undefined) throw new SvcError('INVALID_REQUEST', `Svc-Max-Payment ${AMOUNT_ADVICE}`);
  return millionths;
}
