/** A key was refused for its calls per minute, or is near that limit, over the last quarter of an hour. */
import type { CallCount } from '../../store/console-store';
import type { AlertCheck } from '../alert-check';
import { keyLink } from '../links';
import { counted } from '../words';

const MINUTE_MS = 60_000;
const MINUTES = 15;

export const keyLimit: AlertCheck = {
  kind: 'key-limit',
  async check(context) {
    const { threshold, minCalls } = context.rule('key-limit');
    const to = context.now - (context.now % MINUTE_MS) + MINUTE_MS;
    const counts = await context.totals({ dimension: 'key', step: 60, from: to - MINUTES * MINUTE_MS, to });
    const byKey = Map.groupBy(counts, ({ name }) => name);
    return (await context.keys()).flatMap(({ id, name, callsPerMinute }) => {
      const all = byKey.get(id) ?? [];
      const refused = sumOf(all.filter(({ code }) => code === 'RATE_LIMITED'));
      const share = callsPerMinute === null ? 0 : (100 * (sumOf(all) - refused)) / (callsPerMinute * MINUTES);
      if (refused < minCalls && share < threshold) return [];
      const text =
        refused >= minCalls
          ? `Key "${name}" reached its limit: ${counted(refused, 'request')} refused in ${MINUTES} minutes`
          : `Key "${name}" uses ${Math.round(share)} % of its ${counted(callsPerMinute ?? 0, 'call')} per minute`;
      return [
        { kind: 'key-limit', subject: id, severity: refused >= minCalls ? 'critical' : 'warning', text, link: keyLink(id), keyId: id },
      ];
    });
  },
};

function sumOf(counts: readonly Pick<CallCount, 'calls'>[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0);
}
