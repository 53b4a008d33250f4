import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ToolkitReport, ToolkitSort } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount, formatMs, formatPercent, formatPlural } from '../../parts/format';
import { OnlineBadge } from '../../parts/online-badge';
import type { SortState } from '../../parts/sort-button';
import { TimeAgo } from '../../parts/time-ago';
import type { ToolkitsSearch } from './toolkits-search';

export function ToolkitTable({ toolkits, search }: { toolkits: readonly ToolkitReport[]; search: ToolkitsSearch }) {
  const navigate = useNavigate({ from: '/toolkits' });
  const sortBy = (sort: ToolkitSort): SortState => {
    // Names start with A, numbers with the largest. The same column again reverses the order.
    const first = sort === 'name' ? 'asc' : 'desc';
    const order = search.sort === sort ? (search.order ?? 'asc') : undefined;
    const next = order === undefined ? first : order === 'asc' ? 'desc' : 'asc';
    return {
      order,
      onSort: () => void navigate({ search: (former) => ({ ...former, sort, order: next }), replace: true, resetScroll: false }),
    };
  };
  // An owner sees all toolkits as their own, so no mark is needed.
  const isMixed = toolkits.some(({ mine }) => !mine);
  const columns: Column<ToolkitReport>[] = [
    { title: 'Toolkit', sort: sortBy('name'), cell: (toolkit) => <ToolkitName toolkit={toolkit} isMarked={isMixed && toolkit.mine} /> },
    { title: 'State', sort: sortBy('lastSeen'), className: 'one-line', cell: (toolkit) => <ToolkitState toolkit={toolkit} /> },
    { title: 'Actions', sort: sortBy('actions'), kind: 'number', from: 'md', cell: ({ actions }) => formatCount(actions) },
    { title: 'Calls, 24 h', sort: sortBy('calls'), kind: 'number', from: 'xs', cell: ({ day }) => (day ? formatCount(day.calls) : '–') },
    { title: 'Errors', sort: sortBy('errors'), kind: 'number', from: 'md', cell: ({ day }) => <Errors day={day} /> },
    {
      title: 'p95',
      sort: sortBy('p95'),
      kind: 'number',
      from: 'md',
      cell: ({ day }) => (day?.p95Ms === undefined ? '–' : formatMs(day.p95Ms)),
    },
    { title: 'Hints', sort: sortBy('hints'), kind: 'number', from: 'lg', cell: ({ hints }) => (hints > 0 ? formatCount(hints) : '–') },
  ];
  return (
    <DataTable
      label="Toolkits"
      rows={toolkits}
      rowKey={({ id }) => id}
      columns={columns}
      horizontalSpacing="md"
      verticalSpacing="xs"
      highlightOnHover
    />
  );
}

function ToolkitName({ toolkit: { id, name, description }, isMarked }: { toolkit: ToolkitReport; isMarked: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap" className="toolkit-line">
      <Anchor fw={600} renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
        {name}
      </Anchor>
      {name !== id && (
        <Text size="xs" c="dimmed" className="ids">
          {id}
        </Text>
      )}
      {isMarked && (
        <Badge size="sm" variant="default" tt="none" fw={500} flex="none">
          yours
        </Badge>
      )}
      <Text size="sm" c="dimmed" truncate className="written" title={description} visibleFrom="sm">
        {description || 'No description'}
      </Text>
    </Group>
  );
}

function ToolkitState({ toolkit: { online, replicas, lastSeenAt, actions } }: { toolkit: ToolkitReport }) {
  const offline = lastSeenAt ? <TimeAgo at={lastSeenAt} /> : actions === 0 ? 'never connected' : '';
  return (
    <Group gap="xs" wrap="nowrap">
      <OnlineBadge online={online} />
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {online ? formatPlural(replicas, 'process', 'processes') : offline}
      </Text>
    </Group>
  );
}

function Errors({ day }: { day: ToolkitReport['day'] | undefined }) {
  if (!day) return '–';
  return (
    <>
      {formatCount(day.errors)}
      {day.errors > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          {formatPercent(day.errors, day.calls)}
        </Text>
      )}
    </>
  );
}
