/**
 * Numbers of toolkits and actions, out of the counts of calls: of those that a toolkit answered or should have. A call with a wrong payload, beyond
 * the rights of its key, or cancelled by its caller says nothing about the toolkit.
 */
import type { SvcErrorCode } from '#sdk/protocol/errors';
import { percentile } from '../records/duration-buckets';
import type { CallCount } from '../store/console-store';

export interface Numbers {
  calls: number;
  /** 0 to 1. Undefined without calls. */
  success: number | undefined;
  /** Milliseconds. Undefined without calls. */
  p95Ms: number | undefined;
}

const FAILURES = [
  'ACTION_FAILED',
  'OUTCOME_UNKNOWN',
  'TOOLKIT_OFFLINE',
  'QUEUE_FULL',
  'INVOCATION_TIMEOUT',
] as const satisfies SvcErrorCode[];
const OUTCOMES: ReadonlySet<string> = new Set(['OK', ...FAILURES]);

export function numbersOf(counts: readonly Pick<CallCount, 'code' | 'bucket' | 'calls'>[]): Numbers {
  const made = counts.filter(({ code }) => OUTCOMES.has(code));
  const calls = sum(made);
  if (calls === 0) return { calls, success: undefined, p95Ms: undefined };
  return { calls, success: sum(made.filter(({ code }) => code === 'OK')) / calls, p95Ms: percentile(made, 0.95) };
}

function sum(counts: readonly Pick<CallCount, 'calls'>[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0);
}
