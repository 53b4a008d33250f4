import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../parts/page';
import { CallById } from './call-by-id';
import { CallFilterBar } from './call-filter-bar';
import { ExportMenu } from './export-menu';
import { LiveCalls } from './live-calls';

const route = getRouteApi('/signed-in/calls');

export function CallsPage() {
  const { id, ...filters } = route.useSearch();
  return (
    <Page title="Calls" description="Every call of an action, newest first." actions={!id && <ExportMenu filters={filters} />}>
      <Stack gap="md">
        <CallFilterBar filters={filters} id={id} />
        {id ? <CallById id={id} /> : <LiveCalls key={JSON.stringify(filters)} filters={filters} />}
      </Stack>
    </Page>
  );
}
