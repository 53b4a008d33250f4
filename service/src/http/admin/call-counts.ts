/** Converts the counts of the store into the numbers of the console: calls, errors, refusals and percentiles. */
import { type CallCounts, REFUSALS } from '#sdk/protocol/admin';
import { percentile } from '../../records/duration-buckets';
import type { CallCount, CountDimension, CountStore } from '../../store/console-store';
import { lastDay } from './time-range';

type Counted = Pick<CallCount, 'code' | 'bucket' | 'calls'>;

const REFUSED: ReadonlySet<string> = new Set(REFUSALS);

export function callCounts(counted: readonly Counted[]): CallCounts {
  const calls = sum(counted);
  const errors = sum(counted.filter(({ code }) => code !== 'OK'));
  const read = counted.filter(({ code }) => !REFUSED.has(code));
  const refused = calls - sum(read);
  const counts = { calls, errors, ...(refused > 0 && { refused }) };
  if (refused === calls) return counts;
  const ms = (share: number) => Math.round((percentile(read, share) ?? 0) * 10) / 10;
  return { ...counts, p50Ms: ms(0.5), p95Ms: ms(0.95), p99Ms: ms(0.99) };
}

export function sum(counted: readonly Pick<CallCount, 'calls'>[]): number {
  return counted.reduce((calls, count) => calls + count.calls, 0);
}

/** Returns the counts of the last day for every name, including names without calls. */
export async function dayCounts(counts: CountStore, dimension: CountDimension, names: readonly string[]): Promise<Map<string, CallCounts>> {
  const counted = names.length === 0 ? [] : await counts.totals({ dimension, names, ...lastDay() });
  const byName = Map.groupBy(counted, ({ name }) => name);
  return new Map(names.map((name) => [name, callCounts(byName.get(name) ?? [])]));
}
