/** Sessions of agents with their sums, sorted and paged by the service. */
import { Text } from '@mantine/core';
import type { ActivitySort, SessionInfo, SessionsPage } from '#sdk/protocol/admin';
import { formatAmount, formatCount, formatMs, formatPlural, formatTokens } from './format';
import { KeyLink } from './key-link';
import { type PagedColumn, PagedTable, type SortOrder } from './paged-table';
import { SessionLink } from './session-link';
import { TimeAgo } from './time-ago';
import { UserLink } from './user-link';

export interface ConversationTableProps {
  page: SessionsPage;
  sort: ActivitySort;
  order: SortOrder;
  cursor: string | undefined;
  isFaded: boolean;
  /** Shows the first page in another order, or another page. */
  onShow: (changed: { sort?: ActivitySort; order?: SortOrder; cursor?: string }) => void;
}

export function ConversationTable({ page: { items, currency, nextCursor }, sort, order, cursor, isFaded, onShow }: ConversationTableProps) {
  return (
    <PagedTable
      label="Sessions"
      noun="session"
      rows={items}
      rowKey={({ session, key }) => `${key.id} ${session}`}
      columns={columnsOf(currency)}
      sort={sort}
      order={order}
      onSort={(sort, order) => onShow({ sort, order })}
      paging={{ cursor, nextCursor, onPage: (cursor) => onShow(cursor === undefined ? {} : { cursor }) }}
      isFaded={isFaded}
    />
  );
}

/** The same list for the same currency, so that unchanged rows do not render again. */
const known = new Map<string, PagedColumn<SessionInfo, ActivitySort>[]>();

function columnsOf(currency: string): PagedColumn<SessionInfo, ActivitySort>[] {
  const columns = known.get(currency) ?? newColumns(currency);
  known.set(currency, columns);
  return columns;
}

function newColumns(currency: string): PagedColumn<SessionInfo, ActivitySort>[] {
  return [
    { title: 'Session', cell: (item) => <SessionCell item={item} /> },
    { title: 'User', from: 'lg', cell: ({ user }) => (user === undefined ? <Text c="dimmed">–</Text> : <UserLink id={user} />) },
    {
      title: 'Searches',
      from: 'xl',
      kind: 'number',
      sort: 'searches',
      cell: ({ searches, inVain }) => (
        <>
          {formatCount(searches)}
          {inVain > 0 && (
            <Text size="xs" c="dimmed">
              {formatCount(inVain)} in vain
            </Text>
          )}
        </>
      ),
    },
    { title: 'Calls', from: 'sm', kind: 'number', sort: 'calls', cell: ({ calls }) => formatCount(calls) },
    { title: 'Errors', from: 'sm', kind: 'number', sort: 'errors', cell: (item) => <Errors item={item} /> },
    { title: 'Cost', kind: 'amount', sort: 'cost', cell: ({ cost }) => formatAmount(cost, currency) },
    { title: 'Tokens', from: 'md', kind: 'number', sort: 'tokens', cell: ({ tokens }) => formatTokens(tokens.input + tokens.output) },
    { title: 'Duration', from: 'xl', kind: 'number', sort: 'duration', cell: (item) => formatMs(durationOf(item)) },
    { title: 'Last active', from: 'md', className: 'one-line', sort: 'lastActivity', cell: ({ lastAt }) => <TimeAgo at={lastAt} /> },
  ];
}

function SessionCell({ item }: { item: SessionInfo }) {
  const { session, key, calls, errors, lastAt } = item;
  return (
    <>
      <SessionLink id={session} fw={550} />
      <KeyLink {...key} size="xs" c="dimmed" display="block" mt={2} />
      <Text size="xs" c="dimmed" hiddenFrom="md" mt={2}>
        <TimeAgo at={lastAt} />
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm" mt={2}>
        {formatPlural(calls, 'call')}
        {errors > 0 && `, ${formatPlural(errors, 'error')}`}
      </Text>
    </>
  );
}

function Errors({ item: { errors, lastCode } }: { item: SessionInfo }) {
  if (errors === 0) return <Text c="dimmed">0</Text>;
  const endedInError = lastCode !== undefined && lastCode !== 'OK';
  return (
    <>
      <Text inherit c="var(--text-alarming)">
        {formatCount(errors)}
      </Text>
      {endedInError && (
        <Text size="xs" c="dimmed">
          ended with one
        </Text>
      )}
    </>
  );
}

const durationOf = ({ firstAt, lastAt }: SessionInfo): number => Date.parse(lastAt) - Date.parse(firstAt);
