/** One session of an agent: its searches and calls in the order of time. */
import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { agentSessionQuery } from '../../api/agent-session';
import { ApiError } from '../../api/request';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { CopyAddress } from './copy-address';
import { SessionOverTime } from './session-over-time';

const route = getRouteApi('/signed-in/sessions/$id');

export function AgentSessionPage() {
  const { id } = route.useParams();
  const query = useInfiniteQuery(agentSessionQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="Session">
        <EmptyState title="Session not found" action={<Button renderRoot={(props) => <Link to="/calls" {...props} />}>All calls</Button>}>
          You can see no search and no call of the session “{id}”. They are deleted after the retention time (see Settings).
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={`Session ${id}`}
      description="One conversation of an agent, in the order of time."
      actions={
        <Group gap="xs">
          <CopyAddress />
          <Button variant="default" component="a" href={`/playground?session=${encodeURIComponent(id)}`}>
            Rerun in the playground
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/runs" search={{ session: id }} {...props} />}>
            Runs of code
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/calls" search={{ session: id }} {...props} />}>
            Calls of this session
          </Button>
        </Group>
      }
    >
      <QueryView query={query} rows={8} failed="Could not load this session">
        {({ pages }) => (
          <SessionOverTime
            pages={pages}
            more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
            isLoadingMore={query.isFetchingNextPage}
          />
        )}
      </QueryView>
    </Page>
  );
}
