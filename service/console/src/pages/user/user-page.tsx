/** One end user of agents: the sums of all their sessions, each day, the tokens by model, and the sessions. */
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivitySort, UserDetail } from '#sdk/protocol/admin';
import { conversationsQuery, userQuery } from '../../api/conversations';
import { ApiError } from '../../api/request';
import { localDay } from '../../api/utc-days';
import { ConversationTable } from '../../parts/conversation-table';
import { type Column, DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Figure, Figures } from '../../parts/figures';
import { formatAmount, formatCount, formatDay, formatPlural, formatTokens } from '../../parts/format';
import { ModelTokenTable } from '../../parts/model-token-table';
import { Page } from '../../parts/page';
import type { SortOrder } from '../../parts/paged-table';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

const route = getRouteApi('/signed-in/users/$id');

export function EndUserPage() {
  const { id } = route.useParams();
  const query = useQuery(userQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="User">
        <EmptyState title="User not found" action={<Button renderRoot={(props) => <Link to="/users" {...props} />}>All users</Button>}>
          You can see no search and no call for the user “{id}”. They are deleted after the retention time (see Settings).
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={`User ${id}`}
      description="An end user, as agents name them."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/users" {...props} />}>
            All users
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/calls" search={{ user: id }} {...props} />}>
            Calls for this user
          </Button>
        </>
      }
    >
      <QueryView query={query} rows={8} failed="Could not load this user">
        {(user) => (
          <Stack gap="md">
            <UserFigures user={user} />
            <UserDays user={user} />
            {user.models.length > 0 && (
              <Section title="Tokens by model" description="As the agents reported them.">
                <ModelTokenTable models={user.models} />
              </Section>
            )}
            <UserSessions id={id} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function UserFigures({ user: { sessions, searches, inVain, calls, errors, cost, tokens, currency } }: { user: UserDetail }) {
  return (
    <Figures label="Sums">
      <Figure label="Sessions" value={formatCount(sessions)} />
      <Figure label="Searches" value={formatCount(searches)} {...(inVain > 0 && { unit: `${formatCount(inVain)} in vain` })} />
      <Figure label="Calls" value={formatCount(calls)} alarming={errors > 0} {...(errors > 0 && { unit: formatPlural(errors, 'error') })} />
      <Figure label="Cost" value={formatAmount(cost)} unit={currency} />
      <Figure label="Tokens" value={formatTokens(tokens.input + tokens.output)} />
    </Figures>
  );
}

function UserDays({ user: { days, currency } }: { user: UserDetail }) {
  const columns: Column<UserDetail['days'][number]>[] = [
    { title: 'Day (UTC)', cell: ({ day }) => <span className="numbers">{formatDay(localDay(day))}</span> },
    { title: 'Searches', kind: 'number', from: 'sm', cell: ({ searches }) => formatCount(searches) },
    { title: 'Calls', kind: 'number', cell: ({ calls }) => formatCount(calls) },
    { title: 'Errors', kind: 'number', from: 'xs', cell: ({ errors }) => formatCount(errors) },
    { title: 'Tokens', kind: 'number', from: 'sm', cell: ({ tokens }) => formatTokens(tokens.input + tokens.output) },
    { title: 'Cost', kind: 'amount', cell: ({ cost }) => formatAmount(cost, currency) },
  ];
  return (
    <Section title="By day">
      <DataTable label="Activity by day" rows={days.toReversed()} rowKey={({ day }) => day} columns={columns} className="flush-table" />
    </Section>
  );
}

interface Place {
  sort: ActivitySort;
  order: SortOrder;
  cursor?: string;
}

const NEWEST: Place = { sort: 'lastActivity', order: 'desc' };

function UserSessions({ id }: { id: string }) {
  const [{ sort, order, cursor }, setPlace] = useState<Place>(NEWEST);
  const query = useQuery(conversationsQuery({ user: id, sort, order, cursor, limit: 20 }));
  return (
    <QueryView query={query} failed="Could not load the sessions">
      {(page) =>
        page.items.length > 0 && (
          <ConversationTable
            page={page}
            sort={sort}
            order={order}
            cursor={cursor}
            isFaded={query.isPlaceholderData}
            onShow={(changed) =>
              setPlace({ sort: changed.sort ?? sort, order: changed.order ?? order, ...(changed.cursor && { cursor: changed.cursor }) })
            }
          />
        )
      }
    </QueryView>
  );
}
