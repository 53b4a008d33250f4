import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconZoomOut } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { newestCallsQuery } from '../../api/invocations';
import { meQuery } from '../../api/me';
import { isTimeWindow, SPAN_NAMES, SPANS, type Span, type TimeWindow } from '../../api/spans';
import { EmptyState } from '../../parts/empty-state';
import { formatStretch } from '../../parts/format';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AttentionList } from './attention-list';
import { CALL_SUBJECTS } from './call-subjects';
import { LastCalls } from './last-calls';
import { NowLine } from './now-line';
import { OverTime } from './over-time';
import { TopList } from './top-list';

const route = getRouteApi('/signed-in/');

export function OverviewPage() {
  const { span = '24h', ...drawn } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useSuspenseQuery(meQuery);
  const any = useQuery(newestCallsQuery({}, 1));
  const isDrawn = isTimeWindow(drawn);
  const stretch = isDrawn ? drawn : span;
  return (
    <Page
      title="Overview"
      description={
        me.role === 'owner' ? 'The calls of all agents on this service.' : 'The calls of your keys, and the calls to your toolkits.'
      }
      actions={<SpanChoice span={isDrawn ? undefined : span} />}
    >
      <Stack gap="md">
        <AttentionList />
        <NowLine />
        <QueryView query={any} rows={8}>
          {({ invocations }) =>
            invocations.length === 0 ? (
              <EmptyState
                title="No calls yet"
                action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Get started</Button>}
              >
                When agents call actions, this page shows how many calls they make, how long the calls take and how they end. Create a key
                to get started.
              </EmptyState>
            ) : (
              <>
                {isDrawn && <Drawn time={drawn} span={span} />}
                {CALL_SUBJECTS[me.role].map((subject) => (
                  <OverTime
                    key={subject.title}
                    stretch={stretch}
                    subject={subject}
                    onDraw={(time) => void navigate({ search: { span, ...time } })}
                  />
                ))}
                <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
                  <TopList stretch={stretch} by="action" order="calls" />
                  <TopList stretch={stretch} by="action" order="errors" />
                  <TopList stretch={stretch} by="action" order="slowest" />
                  <TopList stretch={stretch} by="key" order="calls" />
                </SimpleGrid>
                <LastCalls time={isDrawn ? drawn : undefined} />
              </>
            )
          }
        </QueryView>
      </Stack>
    </Page>
  );
}

/** @param span undefined while the page shows a time chosen in a chart */
function SpanChoice({ span }: { span: Span | undefined }) {
  const navigate = route.useNavigate();
  return (
    <SegmentedControl
      aria-label="Time"
      value={span ?? ''}
      onChange={(chosen) => void navigate({ search: { span: chosen as Span }, replace: true })}
      data={SPAN_NAMES.map((value) => ({ value, label: SPANS[value].short }))}
    />
  );
}

/** The time that was selected in a chart, and a link back. */
function Drawn({ time, span }: { time: TimeWindow; span: Span }) {
  return (
    <Group gap="sm">
      <Text fw={600} className="numbers" role="status">
        {formatStretch(time.from, time.to)}
      </Text>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconZoomOut size={14} aria-hidden />}
        renderRoot={(props) => <Link to="/" search={{ span }} {...props} />}
      >
        Back to the {SPANS[span].label.toLowerCase()}
      </Button>
    </Group>
  );
}
