/**
 * Names whose share of failed calls is too high: at least the threshold, and at least twice that of last week. With fewer calls than the floor the
 * share says nothing, and neither does that of last week.
 */
import type { AlertKind } from '#sdk/protocol/alerts';
import type { AlertContext } from './alert-context';
import { comparedHours } from './compared-hours';

/** An alert ends below this share of its threshold, so that a share near the threshold makes one alert. */
const END_SHARE = 0.8;
const RISE = 2;

export interface ErrorRate {
  name: string;
  calls: number;
  percent: number;
  /** Undefined with too few calls. */
  lastWeekPercent: number | undefined;
}

export async function highErrorRates(context: AlertContext, kind: AlertKind, dimension: 'toolkit' | 'key'): Promise<ErrorRate[]> {
  const { threshold, minCalls } = context.rule(kind);
  const { present, lastWeek } = comparedHours(context.now);
  const now = await context.sums(dimension, present.from, present.to);
  const before = new Map((await context.sums(dimension, lastWeek.from, lastWeek.to)).map((sum) => [sum.name, sum]));
  return now.flatMap(({ name, calls, errors }) => {
    const percent = (100 * errors) / calls;
    const then = before.get(name);
    const lastWeekPercent = then && then.calls >= minCalls ? (100 * then.errors) / then.calls : undefined;
    const least = context.isOpen(kind, name) ? threshold * END_SHARE : threshold;
    const isHigh = calls >= minCalls && percent >= least && percent >= RISE * (lastWeekPercent ?? 0);
    return isHigh ? [{ name, calls, percent, lastWeekPercent }] : [];
  });
}

export function rateText({ calls, percent, lastWeekPercent }: ErrorRate): string {
  const before = lastWeekPercent === undefined ? '' : `; a week ago: ${Math.round(lastWeekPercent)} %`;
  return `${Math.round(percent)} % of ${calls.toLocaleString('en-US')} calls failed since the last hour began${before}`;
}
