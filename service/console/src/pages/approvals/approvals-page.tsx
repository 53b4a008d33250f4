/** Calls that wait for a person, newest first, and those of the last day that waited. */
import { Paper, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { approvalsQuery } from '../../api/approvals';
import { EmptyState } from '../../parts/empty-state';
import { MoreButton } from '../../parts/more-button';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { ApprovalTable } from './approval-table';

const route = getRouteApi('/signed-in/approvals');

export function AllApprovalsPage() {
  const { show } = route.useSearch();
  const navigate = useNavigate({ from: '/approvals' });
  return (
    <Page title="Approvals" description="Calls that a rule asks about. They run when a person approves, and not before.">
      <Stack gap="md" align="stretch">
        <SegmentedControl
          aria-label="Shown approvals"
          value={show ?? 'waiting'}
          onChange={(shown) => void navigate({ search: shown === 'all' ? { show: 'all' } : {}, replace: true })}
          data={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'all', label: 'All of the last day' },
          ]}
          className="fit-content"
        />
        <Approvals show={show ?? 'pending'} />
      </Stack>
    </Page>
  );
}

function Approvals({ show }: { show: 'pending' | 'all' }) {
  const query = useInfiniteQuery(approvalsQuery(show));
  return (
    <QueryView query={query} failed="Could not load the approvals">
      {({ pages }) => {
        const approvals = pages.flatMap((page) => page.approvals);
        if (approvals.length === 0) return <NoApprovals show={show} />;
        return (
          <>
            <Paper withBorder>
              <ApprovalTable approvals={approvals} />
            </Paper>
            <MoreButton query={query} />
          </>
        );
      }}
    </QueryView>
  );
}

function NoApprovals({ show }: { show: 'pending' | 'all' }) {
  return (
    <EmptyState
      title={show === 'pending' ? 'No call waits for you' : 'No call has waited in the last day'}
      action={<Link to="/keys">Rules of keys</Link>}
    >
      A call appears here when a rule of its key asks a person.
    </EmptyState>
  );
}
