import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statsSeriesQuery } from '../../api/stats';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';
import { CALLS_SERIES, LATENCY_SERIES } from '../../parts/series-lines';

export function ToolkitSeries({ id }: { id: string }) {
  const query = useQuery(statsSeriesQuery('24h', { toolkit: id }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <Section title="Calls and errors">
        <QueryView query={query}>{(series) => <SeriesChart series={series} show={CALLS_SERIES} />}</QueryView>
      </Section>
      <Section title="Latency">
        <QueryView query={query}>{(series) => <SeriesChart series={series} show={LATENCY_SERIES} />}</QueryView>
      </Section>
    </SimpleGrid>
  );
}
