/** The points of a chart as rows, without the empty ones. Where a chart can be zoomed, so can each row, without a mouse. */
import { Anchor, ScrollArea, Text } from '@mantine/core';
import type { TimeWindow } from '../api/spans';
import { type Column, DataTable } from './data-table';
import type { Series, SeriesKind } from './series-lines';

export interface SeriesTableProps<Values> {
  series: Series<Values>;
  show: SeriesKind<Values>;
  onDraw?: ((time: TimeWindow) => void) | undefined;
}

export function SeriesTable<Values>({ series, show, onDraw }: SeriesTableProps<Values>) {
  const points = series.points.filter((point) => !show.isEmpty(point));
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {show.noPoints}
      </Text>
    );
  const { tableLabel: label, lines, formatAt } = show;
  const columns: Column<Values & { at: string }>[] = [
    {
      title: 'Time',
      cell: ({ at }) => (onDraw ? <ZoomButton at={at} text={formatAt(at)} onZoom={() => onDraw(stepAt(at, series))} /> : formatAt(at)),
    },
    ...lines.map((line): Column<Values & { at: string }> => ({ title: line.label, kind: 'number', cell: line.text })),
  ];
  return (
    <ScrollArea.Autosize mah={320} mt="xs" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <DataTable label={label} rows={points} rowKey={({ at }) => String(at)} columns={columns} stickyHeader verticalSpacing={4} fz="xs" />
    </ScrollArea.Autosize>
  );
}

function ZoomButton({ at, text, onZoom }: { at: string; text: string; onZoom: () => void }) {
  return (
    <Anchor component="button" type="button" inherit onClick={onZoom} aria-label={`Zoom to ${text}`}>
      <time dateTime={at}>{text}</time>
    </Anchor>
  );
}

function stepAt(at: string, { stepSeconds }: Series<unknown>): TimeWindow {
  return { from: at, to: new Date(Date.parse(at) + stepSeconds * 1_000).toISOString() };
}
