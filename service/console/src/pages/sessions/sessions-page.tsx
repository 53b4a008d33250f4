/** The conversations of agents, with what each did and cost. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { conversationsQuery } from '../../api/conversations';
import { isSpan, startOf } from '../../api/spans';
import { ConversationTable } from '../../parts/conversation-table';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { SessionFilters } from './session-filters';

const route = getRouteApi('/signed-in/sessions');

export function AllSessionsPage() {
  const search = route.useSearch();
  const { sort = 'lastActivity', order = 'desc', cursor, from, inVain, to, ...filters } = search;
  // A span ends now. Without this, each render would be another question.
  const since = useMemo(() => (isSpan(from) ? startOf(from) : from), [from]);
  const asked = { ...filters, sort, order, cursor, from: since, to, ...(inVain && { inVain: 'true' as const }) };
  const query = useQuery(conversationsQuery(asked));
  const navigate = route.useNavigate();
  const { cursor: _, ...view } = search;
  const isFiltered = from !== undefined || to !== undefined || inVain || Object.keys(filters).length > 0;
  return (
    <Page
      title="Sessions"
      description="Conversations of agents: what each searched, called and cost. An agent names a session with its id."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/users" {...props} />}>
            Users
          </Button>
          <SavedViews page="sessions" search={view} />
        </>
      }
    >
      <QueryView query={query} rows={8} failed="Could not load the sessions">
        {(page) => (
          <>
            {(isFiltered || page.items.length > 0 || cursor !== undefined) && <SessionFilters search={search} currency={page.currency} />}
            {page.items.length === 0 ? (
              <NoSessions isFiltered={isFiltered || cursor !== undefined} />
            ) : (
              <ConversationTable
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

function NoSessions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="No session matches"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/sessions" {...props} />}>
            Show all sessions
          </Button>
        }
      />
    );
  return (
    <EmptyState
      title="No session yet"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
          All calls
        </Button>
      }
    >
      An agent names its conversation with sessionId, or the header Svc-Session-Id: new Tools(&#123; sessionId &#125;).
    </EmptyState>
  );
}
