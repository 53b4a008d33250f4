/** The points of a chart as rows, without the empty ones. */
import { ScrollArea, Text } from '@mantine/core';
import { type Column, DataTable } from './data-table';
import type { Series, SeriesKind } from './series-lines';

export function SeriesTable<Values>({ series, show }: { series: Series<Values>; show: SeriesKind<Values> }) {
  const points = series.points.filter((point) => !show.isEmpty(point));
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {show.noPoints}
      </Text>
    );
  const { tableLabel: label, lines, formatAt } = show;
  const columns: Column<Values & { at: string }>[] = [
    { title: 'Time', cell: ({ at }) => formatAt(at) },
    ...lines.map((line): Column<Values & { at: string }> => ({ title: line.label, kind: 'number', cell: line.text })),
  ];
  return (
    <ScrollArea.Autosize mah={320} mt="xs" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <DataTable label={label} rows={points} rowKey={({ at }) => String(at)} columns={columns} stickyHeader verticalSpacing={4} fz="xs" />
    </ScrollArea.Autosize>
  );
}
