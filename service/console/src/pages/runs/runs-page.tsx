/** Runs of code, newest first: programs of models that the service ran. */
import { Anchor, Paper, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { printable } from '#sdk/protocol/invisible-text';
import type { RunInfo } from '#sdk/protocol/kept-run-schemas';
import { runsQuery } from '../../api/runs';
import { type Column, DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { formatPlural } from '../../parts/format';
import { MoreButton } from '../../parts/more-button';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { RunBadge } from '../../parts/run-badge';
import { TimeAgo } from '../../parts/time-ago';

const route = getRouteApi('/signed-in/runs');

export function AllRunsPage() {
  const { session } = route.useSearch();
  const query = useInfiniteQuery(runsQuery(session));
  return (
    <Page title="Runs of code" description="Programs of models that the service ran. They are kept for a day after their end.">
      <QueryView query={query} failed="Could not load the runs">
        {({ pages }) => {
          const runs = pages.flatMap((page) => page.runs);
          if (runs.length === 0) return <NoRuns />;
          return (
            <>
              <Paper withBorder>
                <DataTable
                  label="Runs of code"
                  rows={runs}
                  rowKey={({ id }) => id}
                  rowClassName="call-row"
                  columns={COLUMNS}
                  horizontalSpacing="md"
                  highlightOnHover
                />
              </Paper>
              <MoreButton query={query} />
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

const COLUMNS: Column<RunInfo>[] = [
  { title: 'Run', cell: (run) => <RunCell run={run} /> },
  { title: 'Key', from: 'sm', cell: ({ key }) => <span className="names">{printable(key.name) || key.id}</span> },
  { title: 'Calls', from: 'sm', cell: ({ calls }) => calls.toLocaleString('en') },
  { title: 'Began', from: 'md', className: 'one-line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { title: 'State', cell: ({ status }) => <RunBadge status={status} /> },
];

function RunCell({ run: { id, key, calls, createdAt } }: { run: RunInfo }) {
  return (
    <>
      <Anchor
        c="inherit"
        size="sm"
        fw={550}
        className="ids call-row-link"
        renderRoot={(props) => <Link to="/runs/$id" params={{ id }} {...props} />}
      >
        {id}
      </Anchor>
      <Text size="xs" c="dimmed" hiddenFrom="sm" mt={2}>
        {printable(key.name) || key.id}, {formatPlural(calls, 'call')}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="md" mt={2}>
        began <TimeAgo at={createdAt} />
      </Text>
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState title="No run of code is kept" action={<Link to="/keys">Keys that may run code</Link>}>
      A run appears here when an agent uses run_code. The service has to run code (svc-service serve --code), and the key needs the right to
      it.
    </EmptyState>
  );
}
