import { Anchor, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SpendingBy } from '../../api/spending';
import { localDay, rangeOfDay } from '../../api/utc-days';
import { type Column, DataTable } from '../../parts/data-table';
import { formatAmount, formatCount, formatDay, formatPlural } from '../../parts/format';
import { SessionLink } from '../../parts/session-link';
import type { SortState } from '../../parts/sort-button';
import { UserLink } from '../../parts/user-link';
import { type SpendingItem, sortSpending } from './sort-spending';
import type { SpendingSearch, SpendingSort } from './spending-search';

export interface SpendingTableProps {
  items: readonly SpendingItem[];
  by: SpendingBy;
  currency: string;
  /** Start of the range. ISO 8601. */
  from: string;
  search: SpendingSearch;
}

const TITLES: Record<SpendingBy, string> = {
  key: 'Key',
  toolkit: 'Toolkit',
  action: 'Action',
  day: 'Day (UTC)',
  session: 'Session',
  user: 'User',
};

export function SpendingTable({ items, by, currency, from, search }: SpendingTableProps) {
  const navigate = useNavigate({ from: '/spending' });
  const sort = search.sort ?? (by === 'day' ? 'name' : 'charged');
  const order = search.order ?? 'desc';
  const sortBy = (column: SpendingSort): SortState => {
    const current = column === sort ? order : undefined;
    // Names start with A; days and numbers with the highest. The same column again reverses the order.
    const first = column === 'name' && by !== 'day' ? 'asc' : 'desc';
    const next = current === undefined ? first : current === 'asc' ? 'desc' : 'asc';
    return {
      order: current,
      onSort: () => void navigate({ search: (former) => ({ ...former, sort: column, order: next }), replace: true, resetScroll: false }),
    };
  };
  const columns: Column<SpendingItem>[] = [
    { title: TITLES[by], sort: sortBy('name'), cell: (item) => <Name item={item} by={by} /> },
    {
      title: 'Paid calls',
      sort: sortBy('calls'),
      kind: 'number',
      cell: (item) => (
        <ToCalls item={item} by={by} from={from}>
          {formatCount(item.calls)}
        </ToCalls>
      ),
    },
    { title: 'Held', sort: sortBy('held'), kind: 'amount', from: 'xs', cell: ({ held }) => formatAmount(held, currency) },
    {
      title: 'Charged',
      sort: sortBy('charged'),
      kind: 'amount',
      cell: ({ charged, held }) => (
        <>
          {formatAmount(charged, currency)}
          {held !== '0' && (
            <Text size="xs" c="dimmed" hiddenFrom="xs">
              {formatAmount(held, currency)} held
            </Text>
          )}
        </>
      ),
    },
  ];
  return (
    <DataTable
      label={`Spending by ${by}`}
      rows={sortSpending(items, sort, order)}
      rowKey={({ id }) => id}
      columns={columns}
      className="flush-table"
      highlightOnHover
    />
  );
}

function Name({ item: { id, name }, by }: { item: SpendingItem; by: SpendingBy }) {
  if (by === 'day') return <span className="numbers">{formatDay(localDay(id))}</span>;
  if (by === 'action')
    return (
      <Anchor c="inherit" size="sm" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
        {id}
      </Anchor>
    );
  if (by === 'session') return <SessionLink id={id} />;
  if (by === 'user') return <UserLink id={id} />;
  return (
    <>
      {name !== undefined && (
        <Text size="sm" fw={500} className="names">
          {name}
        </Text>
      )}
      {name !== id && (
        <Text size="xs" c="dimmed" className="ids">
          {id}
        </Text>
      )}
    </>
  );
}

/** Link to the calls of a row. */
function ToCalls({ item: { id, calls }, by, from, children }: { item: SpendingItem; by: SpendingBy; from: string; children: ReactNode }) {
  const search = by === 'day' ? rangeOfDay(id) : { [by]: id, from };
  return (
    <Anchor
      c="inherit"
      size="sm"
      aria-label={`${formatPlural(calls, 'paid call')} of ${id}`}
      renderRoot={(props) => <Link to="/calls" search={search} {...props} />}
    >
      {children}
    </Anchor>
  );
}
