/** The points of a chart as rows, without the points that have no calls. */
import { ScrollArea, Text } from '@mantine/core';
import type { StatsSeries } from '../../../src/protocol/admin';
import { type Column, DataTable } from './data-table';
import { formatTime } from './format';
import { formatValue, linesOf, type SeriesShown } from './series-lines';

type Point = StatsSeries['points'][number];

export function SeriesTable({ series, show }: { series: StatsSeries; show: SeriesShown }) {
  const points = series.points.filter(({ calls }) => calls > 0);
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        No calls in this time.
      </Text>
    );
  const label = show === 'calls' ? 'Calls and errors over time' : 'Latency over time';
  const columns: Column<Point>[] = [
    { title: 'Time', cell: ({ at }) => formatTime(at) },
    ...linesOf(show).map(
      (line): Column<Point> => ({ title: line.label, kind: 'number', cell: (point) => formatValue(show, line.value(point)) }),
    ),
  ];
  return (
    <ScrollArea.Autosize mah={320} mt="xs" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <DataTable label={label} rows={points} rowKey={({ at }) => String(at)} columns={columns} stickyHeader verticalSpacing={4} fz="xs" />
    </ScrollArea.Autosize>
  );
}
