import { Button, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { newestCallsQuery } from '../../api/invocations';
import { meQuery } from '../../api/me';
import { SPAN_NAMES, SPANS, type Span } from '../../api/spans';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { LastCalls } from './last-calls';
import { NowFigures } from './now-figures';
import { OverTime } from './over-time';
import { TopList } from './top-list';

const route = getRouteApi('/signed-in/');
const LAST = 8;

export function OverviewPage() {
  const { span = '24h' } = route.useSearch();
  const { data: me } = useSuspenseQuery(meQuery);
  const last = useQuery(newestCallsQuery({}, LAST));
  return (
    <Page
      title="Overview"
      description={me.role === 'owner' ? 'What agents do with this service.' : 'What your keys call, and what is called of your toolkits.'}
      actions={<SpanChoice span={span} />}
    >
      <Stack gap="md">
        <NowFigures />
        <QueryView query={last} rows={8}>
          {({ invocations }) =>
            invocations.length === 0 ? (
              <EmptyState
                title="No calls yet"
                action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Get started</Button>}
              >
                When agents call actions, you see here how many, how fast and how they end. It takes a key and a minute.
              </EmptyState>
            ) : (
              <>
                <OverTime span={span} />
                <SimpleGrid cols={{ base: 1, md: 2 }}>
                  <TopList span={span} by="action" order="calls" />
                  <TopList span={span} by="action" order="errors" />
                  <TopList span={span} by="action" order="slowest" />
                  <TopList span={span} by="key" order="calls" />
                </SimpleGrid>
                <LastCalls calls={invocations} />
              </>
            )
          }
        </QueryView>
      </Stack>
    </Page>
  );
}

function SpanChoice({ span }: { span: Span }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label="Time"
      value={span}
      onChange={(chosen) => void navigate({ to: '/', search: { span: chosen }, replace: true })}
      data={SPAN_NAMES.map((value) => ({ value, label: SPANS[value].short }))}
    />
  );
}
