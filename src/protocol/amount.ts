/**
 * Amounts of money. On the wire an amount is a decimal text, such as `0.05`; in the service it is a whole number of millionths.
 *
 * Shape:  at most 12 digits before the point and 6 behind it; no sign, no exponent. A text, since most languages read a JSON
 *         number as a binary fraction, which 0.1 cannot be.
 * Units:  millionths as `bigint`: the largest amount has 18 digits.
 */

/** The pattern of an amount. */
export const AMOUNT: RegExp = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/;
const DECIMALS = 6;
const MILLION = 1_000_000n;

/** The advice for a value that is not an amount. */
export const AMOUNT_ADVICE = 'must be a decimal text with at most 12 digits before the point and 6 behind it, such as "0.05"';

/** A sentence that says what to write. Undefined for an amount. */
export function amountProblem(what: string, value: unknown): string | undefined {
  if (toMillionths(value) !== undefined) return undefined;
  return `${what} ${AMOUNT_ADVICE}, not ${typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value}`;
}

/** Toolkit and service check the price of an action with the same words. */
export function priceProblem(action: string, payment: unknown): string | undefined {
  return amountProblem(`payment.amount of action "${action}"`, (payment as { amount?: unknown } | null)?.amount);
}

/** Undefined for a value that is not an amount. Exact, to compare amounts and to add them up. */
export function toMillionths(amount: unknown): bigint | undefined {
  const digits = typeof amount === 'string' ? AMOUNT.exec(amount) : null;
  if (!digits) return undefined;
  const [, whole = '', fraction = ''] = digits;
  return BigInt(whole) * MILLION + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/** The millionths of a text that was checked to be an amount, such as one from the service. */
export function millionthsOf(amount: string): bigint {
  return toMillionths(amount) ?? 0n;
}

/** The shortest text of an amount. */
export function toAmount(millionths: bigint): string {
  const fraction = (millionths % MILLION).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? `${millionths / MILLION}` : `${millionths / MILLION}.${fraction}`;
}
