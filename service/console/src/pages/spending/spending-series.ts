/** The chart of spending: a bar for each UTC day, with held amounts on top of charged ones. */
import type { Spending } from '#sdk/protocol/admin';
import { millionthsOf, toAmount } from '#sdk/protocol/amount';
import { daysBetween, localDay } from '../../api/utc-days';
import { formatAmount, formatAxis, formatDay, formatPlural } from '../../parts/format';
import { SERIES_COLORS, type Series, type SeriesKind } from '../../parts/series-lines';

const DAY_SECONDS = 86_400;

type Spent = Spending['total'];

/** @param byDay the sums of the days that have any */
export function seriesOfDays({ from, to, total, items }: Spending): Series<Spent> {
  const byDay = new Map(items.map((item) => [item.id, item]));
  const points = daysBetween(from, to).map((day) => {
    const { calls, charged, held } = byDay.get(day) ?? { calls: 0, charged: '0', held: '0' };
    return { at: localDay(day), calls, charged, held };
  });
  return { from, to, stepSeconds: DAY_SECONDS, total, points };
}

export function spendingSeries(currency: string): SeriesKind<Spent> {
  const text = (amount: string) => formatAmount(amount, currency);
  return {
    shape: 'bars',
    lines: [
      {
        label: 'Held',
        color: SERIES_COLORS.orange,
        height: ({ charged, held }) => Number(toAmount(millionthsOf(charged) + millionthsOf(held))),
        text: ({ held }) => text(held),
      },
      { label: 'Charged', color: SERIES_COLORS.teal, height: ({ charged }) => Number(charged), text: ({ charged }) => text(charged) },
    ],
    formatHeights: (heights) => formatAxis(heights, (height) => formatAmount(String(height))),
    isLogarithmic: false,
    isWhole: false,
    isDaily: true,
    formatAt: formatDay,
    summaryOf({ total, points }) {
      const days = `in ${formatPlural(points.length, 'UTC day')}`;
      if (total.calls === 0) return `No paid calls ${days}.`;
      const peak = points.reduce((most, point) => (Number(point.charged) > Number(most.charged) ? point : most));
      const most = Number(peak.charged) > 0 ? ` Most on ${formatDay(peak.at)}: ${text(peak.charged)}.` : '';
      return `${text(total.charged)} charged and ${text(total.held)} held for ${formatPlural(total.calls, 'paid call')} ${days}.${most}`;
    },
    tableLabel: 'Charged and held per day',
    isEmpty: ({ calls }) => calls === 0,
    noPoints: 'No paid calls in this time.',
  };
}
