/** Refused calls per minute. The list of calls has one entry per minute, key and code, which represents all of them. */
import { REFUSALS } from '#sdk/protocol/admin';
import { DAY_MS } from '../../lib/utc-day';
import { MINUTE_COUNTS_DAYS } from '../../records/retention';
import type { CountStore } from '../../store/console-store';
import type { InvocationRecord } from '../../store/store';
import { sum } from './call-counts';

const MINUTE_MS = 60_000;
const REFUSED: ReadonlySet<string> = new Set(REFUSALS);

/**
 * Returns a function from such an entry to the number of calls that it represents; undefined for other calls, and when the counts of its minute
 * are deleted. Sends one query per key.
 */
export async function refusedMinutes(
  counts: Pick<CountStore, 'series'>,
  records: readonly InvocationRecord[],
  now = Date.now(),
): Promise<(record: InvocationRecord) => number | undefined> {
  const kept = records.filter((record) => isFirst(record) && record.startedAt >= now - MINUTE_COUNTS_DAYS * DAY_MS);
  const known = new Map<string, number>();
  for (const [keyId, ofKey] of Map.groupBy(kept, ({ agentKeyId }) => agentKeyId)) {
    const starts = ofKey.map(({ startedAt }) => minuteOf(startedAt));
    const range = { from: Math.min(...starts), to: Math.max(...starts) + MINUTE_MS };
    const series = await counts.series({ dimension: 'key', names: [keyId], step: 60, ...range });
    for (const [place, same] of Map.groupBy(series, ({ start, code }) => placeOf(keyId, start, code))) known.set(place, sum(same));
  }
  return (record) =>
    isFirst(record) ? known.get(placeOf(record.agentKeyId, minuteOf(record.startedAt), record.outcome?.code ?? '')) : undefined;
}

function isFirst({ action, outcome }: InvocationRecord): boolean {
  return action === '' && outcome !== null && REFUSED.has(outcome.code);
}

function minuteOf(at: number): number {
  return at - (at % MINUTE_MS);
}

function placeOf(keyId: string, start: number, code: string): string {
  return `${keyId} ${start} ${code}`;
}
