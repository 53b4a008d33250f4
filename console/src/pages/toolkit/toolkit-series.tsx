import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statsSeriesQuery } from '../../api/stats';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';

export function ToolkitSeries({ id }: { id: string }) {
  const query = useQuery(statsSeriesQuery('24h', { toolkit: id }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {(['calls', 'latency'] as const).map((show) => (
        <Section key={show} title={show === 'calls' ? 'Calls and errors' : 'Latency'}>
          <QueryView query={query}>{(series) => <SeriesChart series={series} show={show} />}</QueryView>
        </Section>
      ))}
    </SimpleGrid>
  );
}
