/** The live log: adds new calls while its top is in view, and pauses while the person scrolls down or presses Pause. */
import { Box, Button, Center, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallFilters } from '../../api/invocations';
import { CallsTable } from '../../parts/calls-table';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { formatCount, formatPlural } from '../../parts/format';
import { useCallLog } from './use-call-log';

const SKELETON_ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];

export function LiveCalls({ filters }: { filters: CallFilters }) {
  const [paused, setPaused] = useState(false);
  const { ref: top, inViewport: atTop } = useInViewport();
  const { log, error, retry, showUnseen, older } = useCallLog(filters, atTop && !paused);
  const showNew = () => {
    showUnseen();
    window.scrollTo({ top: 0 });
  };
  return (
    <Box>
      <div ref={top} className="calls-top" />
      {error && !log ? (
        <ErrorNotice error={error} retry={retry} />
      ) : !log ? (
        <Stack gap="sm" aria-busy="true" aria-label="Loading">
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} height={36} />
          ))}
        </Stack>
      ) : log.shown.length === 0 && log.unseen.length === 0 ? (
        <NoCalls filtered={Object.keys(filters).length > 0} />
      ) : (
        <>
          {error && <ErrorNotice error={error} retry={retry} title="Couldn't load new calls" />}
          <Group justify="space-between" mb="xs">
            <Text size="sm" c="dimmed" className="numbers">
              Showing {formatCount(log.shown.length)}, {log.nextCursor ? 'more below' : 'end of list'}
            </Text>
            <Button
              variant="default"
              size="xs"
              leftSection={paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
              onClick={() => setPaused(!paused)}
            >
              {paused ? 'Resume' : 'Pause'}
            </Button>
          </Group>
          <Center className="calls-new" aria-live="polite">
            {log.unseen.length > 0 && (
              <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={showNew}>
                {log.gap ? `More than ${formatCount(log.unseen.length)} new calls` : formatPlural(log.unseen.length, 'new call')}
              </Button>
            )}
          </Center>
          <Paper withBorder>
            <CallsTable calls={log.shown} label="Calls, newest first" stickyHeader />
          </Paper>
          {older.error && <ErrorNotice error={older.error} title="Couldn't load older calls" />}
          {log.nextCursor && (
            <Center mt="md">
              <Button variant="default" loading={older.isPending} onClick={() => log.nextCursor && older.mutate(log.nextCursor)}>
                Load more
              </Button>
            </Center>
          )}
        </>
      )}
    </Box>
  );
}

function NoCalls({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState
        title="No call matches these filters"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
            Clear filters
          </Button>
        }
      >
        Matching calls appear here as they come in.
      </EmptyState>
    );
  return (
    <EmptyState title="No calls yet" action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Get started</Button>}>
      When an agent calls an action, the call appears here.
    </EmptyState>
  );
}
