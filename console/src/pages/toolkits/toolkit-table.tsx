import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ToolkitReport } from '../../../../src/protocol/admin';
import { formatCount, formatMs, formatPercent, formatPlural } from '../../parts/format';
import { OnlineBadge } from '../../parts/online-badge';
import { TimeAgo } from '../../parts/time-ago';

export function ToolkitTable({ toolkits }: { toolkits: readonly ToolkitReport[] }) {
  return (
    <Table.ScrollContainer minWidth={820} type="native">
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Toolkit</Table.Th>
            <Table.Th scope="col">State</Table.Th>
            <Table.Th scope="col" ta="right">
              Actions
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Calls, last day
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Errors
            </Table.Th>
            <Table.Th scope="col" ta="right">
              p95
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Hints
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {toolkits.map((toolkit) => (
            <Row key={toolkit.id} toolkit={toolkit} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ toolkit: { id, name, description, online, replicas, actions, lastSeenAt, day, hints, mine } }: { toolkit: ToolkitReport }) {
  return (
    <Table.Tr>
      <Table.Td miw={260}>
        <Group gap="xs">
          <Anchor fw={600} renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
            {name}
          </Anchor>
          {name !== id && (
            <Text size="xs" c="dimmed" className="ids">
              {id}
            </Text>
          )}
          {mine && (
            <Badge size="sm" variant="default" tt="none" fw={500}>
              yours
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" lineClamp={2} className="written">
          {description || 'Not described'}
        </Text>
      </Table.Td>
      <Table.Td>
        <OnlineBadge online={online} />
        <Text size="xs" c="dimmed" mt={4}>
          {online ? formatPlural(replicas, 'process', 'processes') : lastSeenAt ? <TimeAgo at={lastSeenAt} /> : 'never seen'}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{formatCount(actions)}</Table.Td>
      <Table.Td ta="right">{formatCount(day.calls)}</Table.Td>
      <Table.Td ta="right">
        {formatCount(day.errors)}
        {day.errors > 0 && (
          <Text size="xs" c="dimmed">
            {formatPercent(day.errors, day.calls)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{day.p95Ms === undefined ? '–' : formatMs(day.p95Ms)}</Table.Td>
      <Table.Td ta="right">{hints > 0 ? formatCount(hints) : '–'}</Table.Td>
    </Table.Tr>
  );
}
