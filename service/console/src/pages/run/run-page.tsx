/** One run of code: its program, its answer, and the calls that it made. */
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ApiError } from '../../api/request';
import { runQuery } from '../../api/runs';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { RunAnswerPart } from './run-answer-part';
import { RunCalls } from './run-calls';
import { RunFacts } from './run-facts';
import { RunProgram } from './run-program';

const route = getRouteApi('/signed-in/runs/$id');

export function RunPage() {
  const { id } = route.useParams();
  const query = useQuery(runQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="Run of code">
        <EmptyState title="Run not found" action={<Button renderRoot={(props) => <Link to="/runs" {...props} />}>All runs</Button>}>
          You can see no run with this id. Runs are removed a day after they end.
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Run of code" description={<span className="ids">{id}</span>}>
      <QueryView query={query} rows={8} failed="Could not load this run">
        {(run) => (
          <Stack gap="md">
            <RunFacts run={run} />
            <RunProgram code={run.code} answer={run.answer} />
            <RunAnswerPart answer={run.answer} />
            <RunCalls calls={run.invocations} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
