/** The end users of agents, with what was done for each and what it cost. */
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usersQuery } from '../../api/conversations';
import { isSpan, startOf } from '../../api/spans';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { TextFilter } from '../../parts/text-filter';
import { TimeChoice } from '../../parts/time-choice';
import { EndUserTable } from './end-user-table';
import type { UsersSearch } from './users-search';

const route = getRouteApi('/signed-in/users');

export function AllUsersPage() {
  const { sort = 'lastActivity', order = 'desc', cursor, from, ...filters } = route.useSearch();
  // A span ends now. Without this, each render would be another question.
  const since = useMemo(() => (isSpan(from) ? startOf(from) : from), [from]);
  const query = useQuery(usersQuery({ ...filters, sort, order, cursor, from: since }));
  const navigate = route.useNavigate();
  const isFiltered = from !== undefined || Object.keys(filters).length > 0;
  return (
    <Page
      title="Users"
      description="End users, as agents name them: what was searched, called and spent for each."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/sessions" {...props} />}>
          Sessions
        </Button>
      }
    >
      <QueryView query={query} rows={8} failed="Could not load the users">
        {(page) => (
          <>
            {(isFiltered || page.items.length > 0 || cursor !== undefined) && (
              <UserFilters search={{ ...filters, ...(from && { from }) }} />
            )}
            {page.items.length === 0 ? (
              <NoUsers isFiltered={isFiltered || cursor !== undefined} />
            ) : (
              <EndUserTable
                page={page}
                sort={sort}
                order={order}
                cursor={cursor}
                isFaded={query.isPlaceholderData}
                onShow={(changed) =>
                  void navigate({ search: ({ cursor: _, ...former }) => ({ ...former, ...changed }), resetScroll: false })
                }
              />
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}

type FilterChange = { [Name in keyof UsersSearch]?: UsersSearch[Name] | undefined };

const given = (filters: FilterChange): UsersSearch =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

function UserFilters({ search: { text, key, from, to } }: { search: Pick<UsersSearch, 'text' | 'key' | 'from' | 'to'> }) {
  const navigate = route.useNavigate();
  const change = (changed: FilterChange) =>
    void navigate({
      // A place in the former list means nothing in the new one.
      search: ({ cursor: _, ...former }) => given({ ...former, ...changed }),
    });
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the users" mb="md">
      <TextFilter label="User" placeholder="Part of the id" value={text} onChange={(text) => change({ text })} />
      <TextFilter label="Key" placeholder="key_…" value={key} onChange={(key) => change({ key })} />
      <TimeChoice from={from} to={to} onChange={change} />
      {[text, key, from, to].some((filter) => filter !== undefined) && (
        <Button variant="subtle" color="gray" onClick={() => change({ text: undefined, key: undefined, from: undefined, to: undefined })}>
          Clear
        </Button>
      )}
    </Group>
  );
}

function NoUsers({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="No user matches"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/users" {...props} />}>
            Show all users
          </Button>
        }
      />
    );
  return (
    <EmptyState
      title="No user yet"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/sessions" {...props} />}>
          All sessions
        </Button>
      }
    >
      An agent names its end user with userId, or the header Svc-User-Id: new Tools(&#123; userId &#125;).
    </EmptyState>
  );
}
