/** Searches of agents that no toolkit serves. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { searchesQuery } from '../../api/searches';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { DemandTable } from './demand-table';
import { TextsNotKept } from './texts-not-kept';

const route = getRouteApi('/signed-in/demand');

export function DemandPage() {
  const { show = 'unmet' } = route.useSearch();
  const navigate = route.useNavigate();
  const unmet = show === 'unmet';
  const searches = useInfiniteQuery(searchesQuery({ unmet }));
  return (
    <Page
      title="Demand"
      description={
        unmet
          ? 'Searches that no toolkit serves yet: they found nothing, or agents used none of the results.'
          : 'The searches of agents, and the results that they use.'
      }
      actions={
        <SegmentedControl
          aria-label="Which searches"
          value={show}
          onChange={(chosen) => void navigate({ search: chosen === 'all' ? { show: 'all' } : {}, replace: true })}
          data={[
            { value: 'unmet', label: 'Unmet' },
            { value: 'all', label: 'All searches' },
          ]}
        />
      }
    >
      <QueryView query={searches}>
        {({ pages }) => {
          const texts = pages[0]?.texts;
          const all = pages.flatMap((page) => page.searches);
          if (texts === 'off') return <TextsNotKept />;
          if (all.length === 0)
            return (
              <EmptyState title={unmet ? 'No unmet searches yet' : 'No searches yet'}>
                {unmet
                  ? 'A search appears here if the agent uses none of its results within ten minutes.'
                  : 'A search appears here after ten minutes, with the results that the agent used.'}
              </EmptyState>
            );
          return (
            <Stack gap="md">
              {!unmet && texts === 'unmet' && (
                <Text size="sm" c="dimmed">
                  Only unmet searches are recorded. An owner can record all searches in Settings.
                </Text>
              )}
              <DemandTable
                searches={all}
                unmet={unmet}
                more={searches.hasNextPage ? () => void searches.fetchNextPage() : undefined}
                isLoadingMore={searches.isFetchingNextPage}
              />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
