/** Which searches found an action, or those of a toolkit, and whether they were used: as far as texts are kept. */
import { Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SearchReport } from '../../../src/protocol/admin';
import { type SearchesAsked, searchesQuery } from '../api/searches';
import { formatCount } from './format';
import { QueryView } from './query-view';
import { TimeAgo } from './time-ago';

export function FoundBySearches(of: Pick<SearchesAsked, 'action' | 'toolkit'>) {
  const searches = useInfiniteQuery(searchesQuery({ ...of, limit: 10 }));
  return (
    <QueryView query={searches}>
      {({ pages }) => {
        const all = pages.flatMap((page) => page.searches);
        const texts = pages[0]?.texts;
        if (all.length > 0)
          return <SearchTable searches={all} of={of} more={searches.hasNextPage ? () => void searches.fetchNextPage() : undefined} />;
        return (
          <Text size="sm" c="dimmed">
            {texts === 'off'
              ? 'Texts of searches are not kept. An owner can turn that on in the settings.'
              : texts === 'unmet'
                ? 'None yet, of those whose texts are kept: searches after which nothing was used.'
                : 'None yet.'}
          </Text>
        );
      }}
    </QueryView>
  );
}

interface SearchTableProps {
  searches: readonly SearchReport[];
  of: Pick<SearchesAsked, 'action' | 'toolkit'>;
  more: (() => void) | undefined;
}

function SearchTable({ searches, of, more }: SearchTableProps) {
  return (
    <>
      <Table.ScrollContainer minWidth={460} type="native">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Search</Table.Th>
              <Table.Th scope="col" ta="right">
                Shown
              </Table.Th>
              <Table.Th scope="col" ta="right">
                Used
              </Table.Th>
              <Table.Th scope="col">Last</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {byShown(searches, of).map(({ search, own }) => {
              return (
                <Table.Tr key={search.query}>
                  <Table.Td className="written">
                    <Link to="/search" search={{ query: search.query }} className="plain-link">
                      {search.query}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right">{formatCount(own.shown)}</Table.Td>
                  <Table.Td ta="right">{formatCount(own.used)}</Table.Td>
                  <Table.Td>
                    <Text size="sm" c="dimmed" span>
                      <TimeAgo at={search.lastAt} />
                    </Text>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more && (
        <Button variant="default" size="xs" mt="sm" onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

/** Most often shown first. */
function byShown(searches: readonly SearchReport[], of: Pick<SearchesAsked, 'action' | 'toolkit'>) {
  return searches.map((search) => ({ search, own: countsOf(search, of) })).sort((one, other) => other.own.shown - one.own.shown);
}

/** In how many searches an action that is asked about was shown: one search may show several of a toolkit. */
function countsOf({ actions, searches, used }: SearchReport, { action, toolkit }: Pick<SearchesAsked, 'action' | 'toolkit'>) {
  const asked = actions.filter((found) => (action ? found.action === action : found.action.startsWith(`${toolkit}__`)));
  return {
    shown: Math.min(searches, sum(asked.map(({ shown }) => shown))),
    used: Math.min(used, sum(asked.map((found) => found.used))),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
