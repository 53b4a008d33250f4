/** One call that waits, or has waited, for a person: its caller, its payload, and the decision. */
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { approvalQuery } from '../../api/approvals';
import { ApiError } from '../../api/request';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AboutAction } from './about-action';
import { ApprovalFacts } from './approval-facts';
import { ApprovalPayload } from './approval-payload';
import { DecisionPanel } from './decision-panel';

const route = getRouteApi('/signed-in/approvals/$id');

export function ApprovalPage() {
  const { id } = route.useParams();
  const query = useQuery(approvalQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="Approval">
        <EmptyState
          title="Approval not found"
          action={<Button renderRoot={(props) => <Link to="/approvals" {...props} />}>All approvals</Button>}
        >
          You can see no approval with this id. Approvals are removed a day after they end.
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Approval" description={<span className="ids">{id}</span>}>
      <QueryView query={query} rows={8} failed="Could not load this approval">
        {(approval) => (
          <Stack gap="md">
            <ApprovalFacts approval={approval} />
            <ApprovalPayload approval={approval} />
            <AboutAction approval={approval} />
            <DecisionPanel approval={approval} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
