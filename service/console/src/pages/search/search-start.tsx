/** The page before the first search: the available toolkits and the most used actions. */
import { Anchor, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toolkitReportsQuery } from '../../api/reports';
import { statsTopQuery } from '../../api/stats';
import { EmptyState } from '../../parts/empty-state';
import { formatPlural } from '../../parts/format';
import { OnlineBadge } from '../../parts/online-badge';
import { QueryView } from '../../parts/query-view';
import { Region } from '../../parts/region';

const SHOWN = 8;

export function SearchStart() {
  const toolkits = useInfiniteQuery({ ...toolkitReportsQuery, select: ({ pages }) => pages[0]?.toolkits ?? [] });
  const used = useQuery(statsTopQuery('24h', 'action', 'calls', SHOWN));
  return (
    <QueryView query={toolkits}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState
            title="No toolkits yet"
            action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Connect a toolkit</Button>}
          >
            Agents find the actions of toolkits. Connect your first toolkit, then search for one of its actions.
          </EmptyState>
        ) : (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Region title="Toolkits">
                <Stack gap="xs">
                  {all.slice(0, SHOWN).map(({ id, name, description, online, actions }) => (
                    <StartRow
                      key={id}
                      name={
                        <Link to="/toolkits/$id" params={{ id }}>
                          {name}
                        </Link>
                      }
                      description={description}
                      aside={
                        <>
                          <Text size="xs" c="dimmed">
                            {formatPlural(actions, 'action')}
                          </Text>
                          <OnlineBadge online={online} />
                        </>
                      }
                    />
                  ))}
                  {all.length > SHOWN && (
                    <Anchor size="sm" renderRoot={(props) => <Link to="/toolkits" {...props} />}>
                      All toolkits
                    </Anchor>
                  )}
                </Stack>
              </Region>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Region title="Most used actions">
                <QueryView query={used}>
                  {({ items }) =>
                    items.length === 0 ? (
                      <Text c="dimmed" size="sm">
                        No calls in the last day.
                      </Text>
                    ) : (
                      <Stack gap="xs">
                        {items.map(({ id, calls }) => (
                          <StartRow
                            key={id}
                            name={
                              <Link to="/actions/$id" params={{ id }} className="ids">
                                {id}
                              </Link>
                            }
                            aside={
                              <Text size="xs" c="dimmed">
                                {formatPlural(calls, 'call')}
                              </Text>
                            }
                          />
                        ))}
                      </Stack>
                    )
                  }
                </QueryView>
              </Region>
            </Grid.Col>
          </Grid>
        )
      }
    </QueryView>
  );
}

function StartRow({ name, description, aside }: { name: ReactNode; description?: string; aside: ReactNode }) {
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text fw={600} size="sm" component="div" className="plain-links" miw={0}>
          {name}
        </Text>
        <Group gap="xs" wrap="nowrap" flex="none">
          {aside}
        </Group>
      </Group>
      {description && (
        <Text size="sm" c="dimmed" lineClamp={2} className="written">
          {description}
        </Text>
      )}
    </Paper>
  );
}
