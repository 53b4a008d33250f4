import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ToolkitReport } from '../../../../src/protocol/admin';
import { formatCount, formatMs, formatPercent, formatPlural } from '../../parts/format';
import { OnlineBadge } from '../../parts/online-badge';
import { TimeAgo } from '../../parts/time-ago';

export function ToolkitTable({ toolkits }: { toolkits: readonly ToolkitReport[] }) {
  // To an owner all are theirs: that goes without saying.
  const isMixed = toolkits.some(({ mine }) => !mine);
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Toolkit</Table.Th>
          <Table.Th scope="col">State</Table.Th>
          <Table.Th scope="col" ta="right" className="one-line" visibleFrom="md">
            Actions
          </Table.Th>
          <Table.Th scope="col" ta="right" className="one-line" visibleFrom="xs">
            Calls, 24 h
          </Table.Th>
          <Table.Th scope="col" ta="right" className="one-line" visibleFrom="sm">
            Errors
          </Table.Th>
          <Table.Th scope="col" ta="right" className="one-line" visibleFrom="md">
            p95
          </Table.Th>
          <Table.Th scope="col" ta="right" className="one-line" visibleFrom="lg">
            Hints
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {toolkits.map((toolkit) => (
          <Row key={toolkit.id} toolkit={toolkit} isMarked={isMixed && toolkit.mine} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  toolkit: ToolkitReport;
  isMarked: boolean;
}

function Row({ toolkit: { id, name, description, online, replicas, actions, lastSeenAt, day, hints }, isMarked }: RowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor fw={600} renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
            {name}
          </Anchor>
          {name !== id && (
            <Text size="xs" c="dimmed" className="ids">
              {id}
            </Text>
          )}
          {isMarked && (
            <Badge size="sm" variant="default" tt="none" fw={500}>
              yours
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" lineClamp={2} className="written">
          {description || 'Not described'}
        </Text>
      </Table.Td>
      <Table.Td className="one-line">
        <OnlineBadge online={online} />
        <Text size="xs" c="dimmed" mt={4}>
          {online ? formatPlural(replicas, 'process', 'processes') : lastSeenAt ? <TimeAgo at={lastSeenAt} /> : 'never seen'}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="one-line" visibleFrom="md">
        {formatCount(actions)}
      </Table.Td>
      <Table.Td ta="right" className="one-line" visibleFrom="xs">
        {day ? formatCount(day.calls) : '–'}
      </Table.Td>
      <Table.Td ta="right" className="one-line" visibleFrom="sm">
        {day ? formatCount(day.errors) : '–'}
        {day && day.errors > 0 && (
          <Text size="xs" c="dimmed">
            {formatPercent(day.errors, day.calls)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="one-line" visibleFrom="md">
        {day?.p95Ms === undefined ? '–' : formatMs(day.p95Ms)}
      </Table.Td>
      <Table.Td ta="right" className="one-line" visibleFrom="lg">
        {hints > 0 ? formatCount(hints) : '–'}
      </Table.Td>
    </Table.Tr>
  );
}
