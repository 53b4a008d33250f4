/** Every toolkit that agents can find, the most used first. The service searches and sorts; the search is in the address. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { meQuery } from '../../api/me';
import { toolkitListQuery } from '../../api/reports';
import { EmptyState } from '../../parts/empty-state';
import { formatCount } from '../../parts/format';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { ImportNotice } from './import-notice';
import { ToolkitFilters } from './toolkit-filters';
import { ToolkitTable } from './toolkit-table';

const route = getRouteApi('/signed-in/toolkits');

export function AllToolkitsPage() {
  const search = route.useSearch();
  const { data: me } = useSuspenseQuery(meQuery);
  const { q = '', state } = search;
  const query = useInfiniteQuery(toolkitListQuery(search));
  const counts = query.data?.pages[0]?.counts;
  const connect = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} renderRoot={(props) => <Link to="/start" {...props} />}>
      Connect a toolkit
    </Button>
  );
  const actions = (
    <>
      {me.role === 'owner' && (
        <Button variant="default" renderRoot={(props) => <Link to="/add-toolkit" {...props} />}>
          Add MCP or OpenAPI
        </Button>
      )}
      {connect}
    </>
  );
  const isEmpty = counts?.all === 0 && q === '';
  return (
    <Page title="Toolkits" description="Everything agents can use, and how it performs." actions={actions}>
      <Stack gap="md">
        <ImportNotice />
        {!isEmpty && <ToolkitFilters search={search} counts={counts} />}
        <QueryView query={query}>
          {({ pages }) => {
            const shown = pages.flatMap(({ toolkits }) => toolkits);
            if (isEmpty)
              return (
                <EmptyState title="No toolkits yet" action={connect}>
                  A toolkit is a process that offers actions to agents. Create a key for it and copy the snippet; the toolkit shows here as
                  soon as it connects.
                </EmptyState>
              );
            if (shown.length === 0)
              return (
                <EmptyState
                  title={q ? `No ${state ?? ''} toolkit matches “${q.trim()}”`.replace('  ', ' ') : `No toolkit is ${state}`}
                  action={
                    <Button variant="default" renderRoot={(props) => <Link to="/toolkits" {...props} />}>
                      Show all toolkits
                    </Button>
                  }
                />
              );
            const total = state ? counts?.[state] : counts?.all;
            return (
              <Stack gap="md" className="fading" data-faded={query.isPlaceholderData}>
                <Paper withBorder>
                  <ToolkitTable toolkits={shown} search={search} />
                </Paper>
                <Group justify="center" gap="sm">
                  <Text size="sm" c="dimmed" className="numbers" role="status">
                    Showing {formatCount(shown.length)} of {formatCount(total ?? shown.length)}
                  </Text>
                  {query.hasNextPage && (
                    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      Load more
                    </Button>
                  )}
                </Group>
              </Stack>
            );
          }}
        </QueryView>
      </Stack>
    </Page>
  );
}
