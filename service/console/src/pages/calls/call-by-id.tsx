/** The log for one call id: that call, or a message that it was not found. */
import { Button, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callQuery } from '../../api/invocations';
import { ApiError } from '../../api/request';
import { CallsTable } from '../../parts/calls-table';
import { EmptyState } from '../../parts/empty-state';
import { QueryView } from '../../parts/query-view';

export function CallById({ id }: { id: string }) {
  const query = useQuery(callQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <EmptyState
        title="Call not found"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
            All calls
          </Button>
        }
      >
        You can see no call with the id “{id}”. Calls are deleted after the retention time (see Settings).
      </EmptyState>
    );
  return (
    <QueryView query={query} rows={2}>
      {(call) => (
        <Paper withBorder>
          <CallsTable calls={[call]} label="Calls with this id" />
        </Paper>
      )}
    </QueryView>
  );
}
