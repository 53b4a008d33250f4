/** The calls of a range: sums, charts and outcomes. */
import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StatsSeries } from '#sdk/protocol/admin';
import { isSpan, SPANS, type Stretch, type TimeWindow } from '../../api/spans';
import { statsSeriesQuery } from '../../api/stats';
import { Figure, Figures } from '../../parts/figures';
import { formatCount, formatMs, formatPercent, formatPerMinute, formatStep, formatStretch } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';
import { CALLS_SERIES, LATENCY_SERIES } from '../../parts/series-lines';
import { OutcomeCodes } from './outcome-codes';

/** A higher share of errors is highlighted. */
const ALARMING = 0.05;

export function OverTime({ stretch, onDraw }: { stretch: Stretch; onDraw: (time: TimeWindow) => void }) {
  const query = useQuery(statsSeriesQuery(stretch));
  return (
    <QueryView query={query} rows={8}>
      {(series) => (
        <Stack gap="md" className="fading" data-faded={query.isPlaceholderData}>
          <SpanFigures series={series} label={isSpan(stretch) ? SPANS[stretch].label : formatStretch(series.from, series.to)} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title={`Calls per ${formatStep(series.stepSeconds)}`}>
              <SeriesChart series={series} show={CALLS_SERIES} onDraw={onDraw} />
            </Section>
            <Section title="Latency">
              <SeriesChart series={series} show={LATENCY_SERIES} onDraw={onDraw} />
            </Section>
          </SimpleGrid>
          <OutcomeCodes series={series} stretch={stretch} />
        </Stack>
      )}
    </QueryView>
  );
}

/** `, 411 refused` */
const refusedOf = ({ refused = 0 }: StatsSeries['total']) => (refused > 0 ? `, ${formatCount(refused)} refused` : '');

function SpanFigures({ series: { total, from, to }, label }: { series: StatsSeries; label: string }) {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  const ms = (value: number | undefined) => (value === undefined ? '–' : formatMs(value));
  return (
    <Figures label={label}>
      <Figure
        label="Calls per minute"
        value={formatPerMinute(total.calls, seconds)}
        unit={`${formatCount(total.calls)} total${refusedOf(total)}`}
      />
      <Figure label="Error rate" value={formatPercent(total.errors, total.calls)} alarming={total.errors > total.calls * ALARMING} />
      <Figure label="p50" value={ms(total.p50Ms)} />
      <Figure label="p95" value={ms(total.p95Ms)} />
      <Figure label="p99" value={ms(total.p99Ms)} />
    </Figures>
  );
}
