/** Calls and errors, or percentiles of latency, over time: as a chart, a sentence and a table. */
import { Box, Button, Group, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { StatsSeries } from '../../../src/protocol/admin';
import type { TimeWindow } from '../api/spans';
import { formatTime } from './format';
import { formatValue, linesOf, type SeriesShown, summaryOf } from './series-lines';
import { SeriesTable } from './series-table';

/** Loads the plotting library with the first chart. */
const SeriesPlot = lazy(() => import('./series-plot').then(({ SeriesPlot }) => ({ default: SeriesPlot })));

const HEIGHT = 220;

export interface SeriesChartProps {
  series: StatsSeries;
  show: SeriesShown;
  /** Called with a range that the person selects in the chart. Without it, ranges cannot be selected. */
  onDraw?: (time: TimeWindow) => void;
}

export function SeriesChart({ series, show, onDraw }: SeriesChartProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [pointed, setPointed] = useState<number>();
  const [tableShown, table] = useDisclosure();
  const point = pointed === undefined ? undefined : series.points[pointed];
  return (
    <Box>
      <Group gap="lg" mb="xs" aria-hidden>
        {linesOf(show).map(({ label, color, value }) => (
          <Group key={label} gap={6}>
            <Box w={10} h={10} bg={color[scheme]} className="series-mark" />
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="xs" fw={600} className="numbers">
              {formatValue(show, value(point ?? series.total))}
            </Text>
          </Group>
        ))}
        <Text size="xs" c="dimmed" ml="auto" className="numbers">
          {point ? formatTime(point.at) : onDraw && <span className="drag-hint">Drag to zoom</span>}
        </Text>
      </Group>
      <Box role="img" aria-label={summaryOf(show, series)} h={HEIGHT}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <SeriesPlot series={series} show={show} scheme={scheme} height={HEIGHT} onPoint={setPointed} onDraw={onDraw} />
        </Suspense>
      </Box>
      <Button variant="subtle" color="gray" size="compact-xs" mt={4} ml={-6} fw={400} onClick={table.toggle} aria-expanded={tableShown}>
        {tableShown ? 'Hide the table' : 'Show as table'}
      </Button>
      {tableShown && <SeriesTable series={series} show={show} />}
    </Box>
  );
}
