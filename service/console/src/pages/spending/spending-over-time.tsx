/** The sums of a range, and a bar for each of its days if there are several. */
import { useMemo } from 'react';
import type { Spending } from '#sdk/protocol/admin';
import { Figure, Figures } from '../../parts/figures';
import { formatAmount, formatCount } from '../../parts/format';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';
import { seriesOfDays, spendingSeries } from './spending-series';

export function SpendingOverTime({ spending }: { spending: Spending }) {
  const { currency, total } = spending;
  const series = seriesOfDays(spending);
  const kind = useMemo(() => spendingSeries(currency), [currency]);
  return (
    <>
      <Figures label="Sums">
        <Figure label="Charged" value={formatAmount(total.charged)} unit={currency} />
        <Figure label="Held" value={formatAmount(total.held)} unit={currency} />
        <Figure label="Paid calls" value={formatCount(total.calls)} />
      </Figures>
      {series.points.length > 1 && (
        <Section title="Per UTC day">
          <SeriesChart series={series} show={kind} />
        </Section>
      )}
    </>
  );
}
