/** A few numbers side by side, each under its name. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { CallCounts } from '../../../src/protocol/admin';
import { formatCount, formatMs, formatPercent } from './format';

export function Figures({ figures }: { figures: readonly { name: string; value: string; note?: string | undefined }[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: figures.length }} spacing="sm" m={0}>
      {figures.map(({ name, value, note }) => (
        <Paper key={name} withBorder p="sm">
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="lg" fw={600} className="numbers">
            {value}{' '}
            {note && (
              <Text span size="xs" c="dimmed" fw={400}>
                {note}
              </Text>
            )}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** Of the last day. */
export function DayFigures({ day }: { day: CallCounts }) {
  const time = (ms: number | undefined) => (ms === undefined ? '–' : formatMs(ms));
  return (
    <Figures
      figures={[
        { name: 'Calls, last day', value: formatCount(day.calls) },
        { name: 'Errors', value: formatCount(day.errors), note: day.calls > 0 ? formatPercent(day.errors, day.calls) : undefined },
        { name: 'Half of the calls within', value: time(day.p50Ms) },
        { name: '95% within', value: time(day.p95Ms) },
      ]}
    />
  );
}
