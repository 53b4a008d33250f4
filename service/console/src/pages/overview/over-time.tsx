/** The calls of a range: sums beside those of the time before, charts and outcomes. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CallCounts, StatsSeries } from '#sdk/protocol/admin';
import { isSpan, SPANS, type Stretch, type TimeWindow } from '../../api/spans';
import { statsBeforeQuery, statsSeriesQuery } from '../../api/stats';
import { Figure, Figures } from '../../parts/figures';
import { formatCount, formatMs, formatPercent, formatPerMinute, formatStep, formatStretch } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';
import { CALLS_SERIES, LATENCY_SERIES } from '../../parts/series-lines';
import type { CallSubject } from './call-subjects';
import { OutcomeCodes } from './outcome-codes';

/** A higher share of errors is highlighted. */
const ALARMING = 0.05;

export interface OverTimeProps {
  stretch: Stretch;
  subject: CallSubject;
  onDraw: (time: TimeWindow) => void;
}

export function OverTime({ stretch, subject, onDraw }: OverTimeProps) {
  const { mine, title, suffix } = subject;
  const of = mine === undefined ? {} : { mine };
  const query = useQuery(statsSeriesQuery(stretch, of));
  const { data: before } = useQuery(statsBeforeQuery(stretch, of));
  return (
    <QueryView query={query} rows={8}>
      {(series) =>
        series.total.calls === 0 ? (
          <Section title={title}>
            <Text size="sm" c="dimmed">
              {CALLS_SERIES.noPoints}
            </Text>
          </Section>
        ) : (
          <Stack gap="md" className="fading" data-faded={query.isPlaceholderData}>
            <Section title={title}>
              <SpanFigures
                series={series}
                before={before?.total}
                label={`${title}: ${isSpan(stretch) ? SPANS[stretch].label : formatStretch(series.from, series.to)}`}
              />
            </Section>
            <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
              <Section title={`Calls per ${formatStep(series.stepSeconds)}${suffix}`}>
                <SeriesChart series={series} show={CALLS_SERIES} onDraw={onDraw} />
              </Section>
              <Section title={`Latency${suffix}`}>
                <SeriesChart series={series} show={LATENCY_SERIES} onDraw={onDraw} />
              </Section>
            </SimpleGrid>
            <OutcomeCodes series={series} stretch={stretch} subject={subject} />
          </Stack>
        )
      }
    </QueryView>
  );
}

/** `, 411 refused` */
const refusedOf = ({ refused = 0 }: CallCounts) => (refused > 0 ? `, ${formatCount(refused)} refused` : '');

const ms = (value: number | undefined) => (value === undefined ? '–' : formatMs(value));

interface SpanFiguresProps {
  series: StatsSeries;
  /** The calls of the equally long time before. */
  before: CallCounts | undefined;
  label: string;
}

function SpanFigures({ series: { total, from, to }, before, label }: SpanFiguresProps) {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  const figuresOf = (counts: CallCounts) => ({
    perMinute: formatPerMinute(counts.calls, seconds),
    errorRate: formatPercent(counts.errors, counts.calls),
    p50: ms(counts.p50Ms),
    p95: ms(counts.p95Ms),
    p99: ms(counts.p99Ms),
  });
  const now = figuresOf(total);
  // All have a line of their own from the first paint: one that came later would move the charts below.
  const then = before ? figuresOf(before) : { perMinute: '…', errorRate: '…', p50: '…', p95: '…', p99: '…' };
  return (
    <Figures label={label} isPlain>
      <Figure
        label="Calls per minute"
        value={now.perMinute}
        unit={`${formatCount(total.calls)} total${refusedOf(total)}`}
        before={then.perMinute}
      />
      <Figure label="Error rate" value={now.errorRate} alarming={total.errors > total.calls * ALARMING} before={then.errorRate} />
      <Figure label="p50" value={now.p50} before={then.p50} />
      <Figure label="p95" value={now.p95} before={then.p95} />
      <Figure label="p99" value={now.p99} before={then.p99} />
    </Figures>
  );
}
