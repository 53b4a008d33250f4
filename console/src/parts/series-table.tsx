/** The points of a chart as rows; those without calls are left out. */
import { ScrollArea, Table, Text } from '@mantine/core';
import type { StatsSeries } from '../../../src/protocol/admin';
import { formatTime } from './format';
import { formatValue, linesOf, type SeriesShown } from './series-lines';

export function SeriesTable({ series, show }: { series: StatsSeries; show: SeriesShown }) {
  const lines = linesOf(show);
  const points = series.points.filter(({ calls }) => calls > 0);
  if (points.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        No calls in this time.
      </Text>
    );
  const name = show === 'calls' ? 'Calls and errors over time' : 'Latency over time';
  return (
    <ScrollArea.Autosize mah={320} mt="xs" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': name }}>
      <Table stickyHeader verticalSpacing={4} fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Time</Table.Th>
            {lines.map(({ label }) => (
              <Table.Th key={label} scope="col" ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{formatTime(point.at)}</Table.Td>
              {lines.map(({ label, value }) => (
                <Table.Td key={label} ta="right">
                  {formatValue(show, value(point))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
