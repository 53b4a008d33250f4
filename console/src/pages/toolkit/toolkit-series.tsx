import { Paper, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toolkitSeriesQuery } from '../../api/toolkit-series';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { SeriesChart } from '../../parts/series-chart';

export function ToolkitSeries({ id }: { id: string }) {
  const query = useQuery(toolkitSeriesQuery(id));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {(['calls', 'latency'] as const).map((show) => (
        <Section key={show} title={show === 'calls' ? 'Calls and errors' : 'Time they took'}>
          <Paper withBorder p="md">
            <QueryView query={query}>{(series) => <SeriesChart series={series} show={show} />}</QueryView>
          </Paper>
        </Section>
      ))}
    </SimpleGrid>
  );
}
