/** Values over time, such as calls or latency: as a chart, a sentence and a table. */
import { Box, Button, Group, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { TimeWindow } from '../api/spans';
import type { Series, SeriesKind } from './series-lines';
import type { SeriesPlotProps } from './series-plot';
import { SeriesTable } from './series-table';

/** Loads the plotting library with the first chart. */
const SeriesPlot = lazy(() => import('./series-plot').then(({ SeriesPlot }) => ({ default: SeriesPlot }))) as <Values>(
  props: SeriesPlotProps<Values>,
) => ReactNode;

const HEIGHT = 220;

export interface SeriesChartProps<Values> {
  series: Series<Values>;
  /** Keep this object the same between renders: another one draws the chart anew. */
  show: SeriesKind<Values>;
  /** Called with a range that the person selects in the chart. Without it, ranges cannot be selected. */
  onDraw?: (time: TimeWindow) => void;
}

export function SeriesChart<Values>({ series, show, onDraw }: SeriesChartProps<Values>) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [pointed, setPointed] = useState<number>();
  const [tableShown, table] = useDisclosure();
  const point = pointed === undefined ? undefined : series.points[pointed];
  if (show.isEmpty(series.total))
    return (
      <Text size="sm" c="dimmed">
        {show.noPoints}
      </Text>
    );
  return (
    <Box>
      <Group gap="lg" mb="xs" aria-hidden>
        {show.lines.map(({ label, color, text }) => (
          <Group key={label} gap={6}>
            <Box w={10} h={10} bg={color[scheme]} className="series-mark" />
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="xs" fw={600} className="numbers">
              {text(point ?? series.total)}
            </Text>
          </Group>
        ))}
        <Text size="xs" c="dimmed" ml="auto" className="numbers">
          {point ? show.formatAt(point.at) : onDraw && <span className="drag-hint">Drag to zoom</span>}
        </Text>
      </Group>
      <Box role="img" aria-label={show.summaryOf(series)} h={HEIGHT}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <SeriesPlot series={series} show={show} scheme={scheme} height={HEIGHT} onPoint={setPointed} onDraw={onDraw} />
        </Suspense>
      </Box>
      <Button variant="subtle" color="gray" size="compact-xs" mt={4} ml={-6} fw={400} onClick={table.toggle} aria-expanded={tableShown}>
        {tableShown ? 'Hide the table' : 'Show as table'}
      </Button>
      {tableShown && <SeriesTable series={series} show={show} onDraw={onDraw} />}
    </Box>
  );
}
