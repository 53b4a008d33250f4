/** A top list by calls, errors or latency; each bar is the share of the first item. */
import { Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StatsTop, StatsTopOrder } from '#sdk/protocol/admin';
import type { Stretch } from '../../api/spans';
import { statsTopQuery } from '../../api/stats';
import { ActionLink } from '../../parts/action-link';
import { formatMs, formatPercent, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

type Item = StatsTop['items'][number];

interface Measure {
  title: string;
  /** Items with the value 0 are not listed. */
  value: (item: Item) => number;
  text: (item: Item) => string;
  none: string;
}

const MEASURES: Record<StatsTopOrder, Measure> = {
  calls: {
    title: 'Most called actions',
    value: ({ calls }) => calls,
    text: ({ calls }) => formatPlural(calls, 'call'),
    none: 'No calls in this time.',
  },
  errors: {
    title: 'Most failing actions',
    value: ({ errors }) => errors,
    text: ({ errors, calls }) => `${formatPlural(errors, 'error')}, ${formatPercent(errors, calls)}`,
    none: 'No errors in this time.',
  },
  slowest: {
    title: 'Slowest actions',
    value: ({ p95Ms }) => p95Ms ?? 0,
    text: ({ p95Ms }) => `p95 ${formatMs(p95Ms ?? 0)}`,
    none: 'No data for this time.',
  },
};

export function TopList({ stretch, by, order }: { stretch: Stretch; by: 'action' | 'key'; order: StatsTopOrder }) {
  const query = useQuery(statsTopQuery(stretch, by, order));
  const { title, value, text, none } = MEASURES[order];
  return (
    <Section title={by === 'key' ? 'Keys with the most calls' : title}>
      <QueryView query={query} rows={5}>
        {({ items }) => {
          const listed = items.filter((item) => value(item) > 0);
          const most = Math.max(...listed.map(value));
          if (listed.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {none}
              </Text>
            );
          return (
            <Box component="ol" className="plain-list top-list">
              {listed.map((item) => (
                <Group key={item.id} component="li" justify="space-between" wrap="nowrap" gap="sm" className="top-item">
                  <Box className="top-bar" style={{ width: `${(100 * value(item)) / most}%` }} aria-hidden />
                  {by === 'key' ? (
                    <KeyLink id={item.id} {...(item.name && { name: item.name })} truncate />
                  ) : (
                    <ActionLink id={item.id} truncate />
                  )}
                  <Text size="sm" c="dimmed" className="numbers top-value">
                    {text(item)}
                  </Text>
                </Group>
              ))}
            </Box>
          );
        }}
      </QueryView>
    </Section>
  );
}
