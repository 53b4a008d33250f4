import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { callQuery } from '../../api/invocations';
import { ApiError } from '../../api/request';
import { CopiedId } from '../../parts/copied-id';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { CallContent } from './call-content';
import { CallFacts } from './call-facts';
import { CallOutcome } from './call-outcome';
import { CallTimeline } from './call-timeline';

const route = getRouteApi('/signed-in/calls/$id');

export function CallPage() {
  const { id } = route.useParams();
  const query = useQuery(callQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="Call">
        <EmptyState title="Call not found" action={<Button renderRoot={(props) => <Link to="/calls" {...props} />}>All calls</Button>}>
          You can see no call with the id “{id}”. Calls are deleted after the retention time (see Settings).
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Call" tabTitle={`Call ${query.data?.action ?? id}`} description={<CopiedId id={id} />}>
      <QueryView query={query} rows={8}>
        {(call) => (
          <Stack gap="md">
            <CallOutcome call={call} />
            <CallFacts call={call} />
            <CallTimeline call={call} />
            <CallContent call={call} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
