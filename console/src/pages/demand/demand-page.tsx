/** What agents look for and nobody offers. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchesQuery } from '../../api/searches';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { DemandTable } from './demand-table';
import { TextsNotKept } from './texts-not-kept';

export function DemandPage() {
  const [which, setWhich] = useState('unmet');
  const unmet = which === 'unmet';
  const searches = useInfiniteQuery(searchesQuery({ unmet }));
  return (
    <Page
      title="Demand"
      description="What agents look for and nobody offers: searches that found nothing, or nothing that was used."
      actions={
        <SegmentedControl
          aria-label="Which searches"
          value={which}
          onChange={setWhich}
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
              <EmptyState title={unmet ? 'Nothing is missed so far' : 'No searches so far'}>
                {unmet
                  ? 'When ten minutes have passed after a search and nothing that it found was used, what the agent asked for stands here.'
                  : 'What agents search for stands here ten minutes later, with what came of it.'}
              </EmptyState>
            );
          return (
            <Stack gap="md">
              {!unmet && texts === 'unmet' && (
                <Text size="sm" c="dimmed">
                  Only texts of unmet searches are kept. An owner can have all of them kept in the settings.
                </Text>
              )}
              <DemandTable
                searches={all}
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
