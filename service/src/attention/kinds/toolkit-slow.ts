/** The slowest twentieth of a toolkit's calls takes several times as long as a week ago. */
import { percentile } from '../../records/duration-buckets';
import type { CallCount } from '../../store/console-store';
import type { AlertCheck } from '../alert-check';
import type { AlertContext } from '../alert-context';
import { comparedHours, type Hours } from '../compared-hours';
import { toolkitLink } from '../links';

/** A rise from 2 ms to 8 ms hurts no caller. */
const LEAST_RISE_MS = 100;
const END_SHARE = 0.8;

type Counts = readonly Pick<CallCount, 'bucket' | 'calls'>[];

export const toolkitSlow: AlertCheck = {
  kind: 'toolkit-slow',
  async check(context) {
    const { threshold, minCalls } = context.rule('toolkit-slow');
    const { present, lastWeek } = comparedHours(context.now);
    const busy = (await context.sums('toolkit', present.from, present.to)).filter(({ calls }) => calls >= minCalls).map(({ name }) => name);
    if (busy.length === 0) return [];
    const [now, before] = [await countsOf(context, present, busy), await countsOf(context, lastWeek, busy)];
    return context.toolkits().flatMap(({ id, name }) => {
      const [p95, earlier] = [p95Of(now.get(id), minCalls), p95Of(before.get(id), minCalls)];
      const times = context.isOpen('toolkit-slow', id) ? threshold * END_SHARE : threshold;
      if (p95 === undefined || earlier === undefined || p95 < earlier * times || p95 - earlier < LEAST_RISE_MS) return [];
      const text = `Toolkit "${name}" is slow: one call in twenty takes more than ${durationText(p95)}; a week ago: ${durationText(earlier)}`;
      return [{ kind: 'toolkit-slow', subject: id, severity: 'warning', text, link: toolkitLink(id), toolkitId: id }];
    });
  },
};

async function countsOf(context: AlertContext, { from, to }: Hours, names: readonly string[]): Promise<Map<string, Counts>> {
  return Map.groupBy(await context.totals({ dimension: 'toolkit', step: 3_600, from, to, names }), ({ name }) => name);
}

function p95Of(counts: Counts = [], minCalls: number): number | undefined {
  return counts.reduce((sum, { calls }) => sum + calls, 0) >= minCalls ? percentile(counts, 0.95) : undefined;
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
