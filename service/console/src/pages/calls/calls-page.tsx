import { Button, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { callFilePath } from '../../api/invocations';
import { ExportMenu } from '../../parts/export-menu';
import { Page } from '../../parts/page';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { CallById } from './call-by-id';
import { CallFilterBar } from './call-filter-bar';
import { LiveCalls } from './live-calls';

const route = getRouteApi('/signed-in/calls');

export function CallsPage() {
  const { id, ...filters } = route.useSearch();
  const { session } = filters;
  return (
    <Page
      title="Calls"
      description="Every call of an action, newest first."
      actions={
        !id && (
          <>
            {session && (
              <Button variant="default" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session }} {...props} />}>
                Open session
              </Button>
            )}
            <SavedViews page="calls" search={filters} />
            <ExportMenu label="Calls that match the filters, at most 100,000" pathOf={(format) => callFilePath(filters, format)} />
          </>
        )
      }
    >
      <Stack gap="md">
        <CallFilterBar filters={filters} id={id} />
        {id ? <CallById id={id} /> : <LiveCalls key={JSON.stringify(filters)} filters={filters} />}
      </Stack>
    </Page>
  );
}
