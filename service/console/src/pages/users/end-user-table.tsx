/** End users with their sums, sorted and paged by the service. */
import { Text } from '@mantine/core';
import type { ActivitySort, UserInfo, UsersPage } from '#sdk/protocol/admin';
import { formatAmount, formatCount, formatPlural, formatTokens } from '../../parts/format';
import { type PagedColumn, PagedTable, type SortOrder } from '../../parts/paged-table';
import { TimeAgo } from '../../parts/time-ago';
import { UserLink } from '../../parts/user-link';

export interface EndUserTableProps {
  page: UsersPage;
  sort: ActivitySort;
  order: SortOrder;
  cursor: string | undefined;
  isFaded: boolean;
  /** Shows the first page in another order, or another page. */
  onShow: (changed: { sort?: ActivitySort; order?: SortOrder; cursor?: string }) => void;
}

export function EndUserTable({ page: { items, currency, nextCursor }, sort, order, cursor, isFaded, onShow }: EndUserTableProps) {
  return (
    <PagedTable
      label="Users"
      noun="user"
      rows={items}
      rowKey={({ user }) => user}
      columns={columnsOf(currency)}
      sort={sort}
      order={order}
      onSort={(sort, order) => onShow({ sort, order })}
      paging={{ cursor, nextCursor, onPage: (cursor) => onShow(cursor === undefined ? {} : { cursor }) }}
      isFaded={isFaded}
    />
  );
}

function columnsOf(currency: string): PagedColumn<UserInfo, ActivitySort>[] {
  return [
    { title: 'User', cell: (item) => <UserCell item={item} /> },
    { title: 'Sessions', from: 'sm', kind: 'number', cell: ({ sessions }) => formatCount(sessions) },
    { title: 'Searches', from: 'xl', kind: 'number', sort: 'searches', cell: ({ searches }) => formatCount(searches) },
    { title: 'Calls', from: 'sm', kind: 'number', sort: 'calls', cell: ({ calls }) => formatCount(calls) },
    { title: 'Errors', from: 'sm', kind: 'number', sort: 'errors', cell: ({ errors }) => <Errors errors={errors} /> },
    { title: 'Cost', kind: 'amount', sort: 'cost', cell: ({ cost }) => formatAmount(cost, currency) },
    { title: 'Tokens', from: 'md', kind: 'number', sort: 'tokens', cell: ({ tokens }) => formatTokens(tokens.input + tokens.output) },
    { title: 'Last active', from: 'md', className: 'one-line', sort: 'lastActivity', cell: ({ lastAt }) => <TimeAgo at={lastAt} /> },
  ];
}

function UserCell({ item: { user, sessions, calls, errors, lastAt } }: { item: UserInfo }) {
  return (
    <>
      <UserLink id={user} fw={550} />
      <Text size="xs" c="dimmed" hiddenFrom="md" mt={2}>
        <TimeAgo at={lastAt} />
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm" mt={2}>
        {formatPlural(sessions, 'session')}, {formatPlural(calls, 'call')}
        {errors > 0 && `, ${formatPlural(errors, 'error')}`}
      </Text>
    </>
  );
}

function Errors({ errors }: { errors: number }) {
  return (
    <Text inherit c={errors > 0 ? 'var(--text-alarming)' : 'dimmed'}>
      {formatCount(errors)}
    </Text>
  );
}
