/**
 * Limits of prices, from the decision whether a human has to approve a call until the call runs: the price that the human saw, or the price up to
 * which nobody is asked. Some frameworks make that decision again after the answer, when the price may have risen: the lowest price stays.
 *
 * Shape:  tool, call id and beginning of the input -> amount. Of more than 1,000 decisions the oldest is forgotten.
 */
import { toMillionths } from 'svc-sdk';

interface DecidedCall {
  name: string;
  /** Undefined where the framework does not have it at the decision, or at the call. */
  toolCallId: string | undefined;
  input: unknown;
}

const MAX_DECISIONS = 1_000;
const MAX_KEY_CHARS = 1_000;

/** One for the process: many programs make new tools for each request, and a human answers in a later one. */
const limits = new Map<string, string>();

/** True also for a price that is not an amount. */
export function isAbove(price: string, limit: string): boolean {
  return !((toMillionths(price) as bigint) <= (toMillionths(limit) as bigint));
}

export function rememberLimit(call: DecidedCall, limit: string): void {
  const key = keyOf(call);
  const earlier = limits.get(key);
  limits.delete(key);
  limits.set(key, earlier !== undefined && isAbove(limit, earlier) ? earlier : limit);
  if (limits.size > MAX_DECISIONS) limits.delete(limits.keys().next().value as string);
}

/** Undefined for a call that was decided about elsewhere, or not at all. */
export function takeLimit(call: DecidedCall): string | undefined {
  if (limits.size === 0) return undefined;
  const keys = [keyOf(call), keyOf({ ...call, toolCallId: undefined })];
  const key = keys.find((one) => limits.has(one));
  const limit = key && limits.get(key);
  if (key) limits.delete(key);
  return limit;
}

function keyOf({ name, toolCallId, input }: DecidedCall): string {
  return JSON.stringify([name, toolCallId, input]).slice(0, MAX_KEY_CHARS);
}
