import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ToolkitReport, ToolkitSort } from '../../../../src/protocol/admin';
import { formatCount, formatMs, formatPercent, formatPlural } from '../../parts/format';
import { OnlineBadge } from '../../parts/online-badge';
import { SortColumn } from '../../parts/sort-column';
import { TimeAgo } from '../../parts/time-ago';
import type { ToolkitsSearch } from './toolkits-search';

const NUMBER = { ta: 'right', className: 'one-line' } as const;

export function ToolkitTable({ toolkits, search }: { toolkits: readonly ToolkitReport[]; search: ToolkitsSearch }) {
  const navigate = useNavigate({ from: '/toolkits' });
  /** A name is read from A on, of numbers the largest comes first. The same column again turns it round. */
  const column = (sort: ToolkitSort) => {
    const first = sort === 'name' ? 'asc' : 'desc';
    const order = search.sort === sort ? (search.order ?? 'asc') : undefined;
    const next = order === undefined ? first : order === 'asc' ? 'desc' : 'asc';
    return {
      order,
      onSort: () => void navigate({ search: (former) => ({ ...former, sort, order: next }), replace: true, resetScroll: false }),
    };
  };
  // To an owner all are theirs: that goes without saying.
  const isMixed = toolkits.some(({ mine }) => !mine);
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <SortColumn {...column('name')}>Toolkit</SortColumn>
          <SortColumn {...column('lastSeen')}>State</SortColumn>
          <SortColumn {...column('actions')} {...NUMBER} visibleFrom="md">
            Actions
          </SortColumn>
          <SortColumn {...column('calls')} {...NUMBER} visibleFrom="xs">
            Calls, 24 h
          </SortColumn>
          <SortColumn {...column('errors')} {...NUMBER} visibleFrom="sm">
            Errors
          </SortColumn>
          <SortColumn {...column('p95')} {...NUMBER} visibleFrom="md">
            p95
          </SortColumn>
          <SortColumn {...column('hints')} {...NUMBER} visibleFrom="lg">
            Hints
          </SortColumn>
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
          {description || 'No description'}
        </Text>
      </Table.Td>
      <Table.Td className="one-line">
        <OnlineBadge online={online} />
        <Text size="xs" c="dimmed" mt={4}>
          {online ? (
            formatPlural(replicas, 'process', 'processes')
          ) : lastSeenAt ? (
            <TimeAgo at={lastSeenAt} />
          ) : actions === 0 ? (
            'never connected'
          ) : (
            ''
          )}
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
