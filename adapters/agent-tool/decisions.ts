/**
 * Limits of a call, from the decision whether a human has to approve it until it runs: the version of the action that was decided about, and the
 * price that the human approved, or up to which a call needs no approval. Some frameworks decide again after the answer, when the action may be
 * another one: what was decided first stays, and the lowest price.
 *
 * Shape:  tool, call id and beginning of the input -> limits, and how many calls they are for: a model may write one id twice. Of more than 1,000
 *         decisions the oldest is removed.
 */
import { type CallToolOptions, toMillionths } from 'svc-sdk';

/** Options of the call that follows a decision. */
export type CallLimits = Pick<CallToolOptions, 'maxPayment' | 'actionVersion'>;

interface DecidedCall {
  name: string;
  /** Undefined where the framework does not have it at the decision, or at the call. */
  toolCallId: string | undefined;
  input: unknown;
}

const MAX_DECISIONS = 1_000;
const MAX_KEY_CHARS = 1_000;

/** One for the process: many programs make new tools for each request, and a human answers in a later one. */
const decisions = new Map<string, { limits: CallLimits; calls: number }>();

/** True also for a price that is not an amount. */
export function isAbove(price: string, limit: string): boolean {
  return !((toMillionths(price) as bigint) <= (toMillionths(limit) as bigint));
}

/** The lower price, and the version of `limits` if it has one. */
export function narrowed(limits: CallLimits, by: CallLimits): CallLimits {
  const { maxPayment, actionVersion = by.actionVersion } = limits;
  const isLower = by.maxPayment !== undefined && (maxPayment === undefined || isAbove(maxPayment, by.maxPayment));
  return { maxPayment: isLower ? by.maxPayment : maxPayment, actionVersion };
}

export function rememberDecision(call: DecidedCall, limits: CallLimits): void {
  const key = keyOf(call);
  const earlier = decisions.get(key);
  decisions.delete(key);
  // A decision that is made again is that of another call only if the framework passes the id.
  const calls = earlier && call.toolCallId !== undefined ? earlier.calls + 1 : 1;
  decisions.set(key, { limits: earlier ? narrowed(earlier.limits, limits) : limits, calls });
  if (decisions.size > MAX_DECISIONS) decisions.delete(decisions.keys().next().value as string);
}

/** Empty for a call that was decided about elsewhere, or not at all. */
export function takeDecision(call: DecidedCall): CallLimits {
  if (decisions.size === 0) return {};
  const keys = [keyOf(call), keyOf({ ...call, toolCallId: undefined })];
  const key = keys.find((one) => decisions.has(one)) ?? '';
  const decision = decisions.get(key);
  if (decision && --decision.calls === 0) decisions.delete(key);
  return decision?.limits ?? {};
}

function keyOf({ name, toolCallId, input }: DecidedCall): string {
  return JSON.stringify([name, toolCallId, input]).slice(0, MAX_KEY_CHARS);
}
