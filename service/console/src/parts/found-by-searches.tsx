/** The recorded searches that found an action, or the actions of a toolkit, and whether agents used them. */
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SearchReport } from '#sdk/protocol/admin';
import { type SearchesAsked, searchesQuery } from '../api/searches';
import { type Column, DataTable } from './data-table';
import { formatCount, formatPlural } from './format';
import { QueryView } from './query-view';
import { TimeAgo } from './time-ago';

/** @param props.onTest shows why the search finds what it finds */
export function FoundBySearches({ onTest, ...of }: Pick<SearchesAsked, 'action' | 'toolkit'> & { onTest?: (query: string) => void }) {
  const searches = useInfiniteQuery(searchesQuery({ ...of, limit: 10 }));
  return (
    <QueryView query={searches}>
      {({ pages }) => {
        const all = pages.flatMap((page) => page.searches);
        const texts = pages[0]?.texts;
        if (all.length > 0)
          return (
            <SearchTable
              searches={all}
              of={of}
              onTest={onTest}
              more={searches.hasNextPage ? () => void searches.fetchNextPage() : undefined}
            />
          );
        return (
          <Text size="sm" c="dimmed">
            {texts === 'off'
              ? 'Search texts are not recorded. An owner can turn this on in Settings.'
              : texts === 'unmet'
                ? 'None yet. Only unmet searches are recorded: those whose results no agent used.'
                : 'None yet.'}
          </Text>
        );
      }}
    </QueryView>
  );
}

interface FoundBy {
  search: SearchReport;
  own: { shown: number; used: number };
}

const NOT_FOLLOWED: Column<FoundBy> = {
  title: 'Not followed',
  kind: 'number',
  cell: ({ own }) =>
    own.used === 0 ? (
      <Text span size="sm" fw={600}>
        {formatCount(own.shown)}
      </Text>
    ) : (
      formatCount(own.shown - own.used)
    ),
};

const COLUMNS: Column<FoundBy>[] = [
  {
    title: 'Search',
    className: 'written',
    cell: ({ search: { query } }) => (
      <Link to="/search" search={{ query }} className="plain-link">
        {query}
      </Link>
    ),
  },
  { title: 'Found it', kind: 'number', cell: ({ own }) => formatCount(own.shown) },
  { title: 'Followed', kind: 'number', cell: ({ own }) => formatCount(own.used) },
  NOT_FOLLOWED,
  {
    title: 'Last',
    cell: ({ search }) => (
      <Text size="sm" c="dimmed" span>
        <TimeAgo at={search.lastAt} />
      </Text>
    ),
  },
];

const testColumn = (onTest: (query: string) => void): Column<FoundBy> => ({
  title: 'Test',
  kind: 'actions',
  cell: ({ search: { query } }) => (
    <Button variant="subtle" size="compact-xs" onClick={() => onTest(query)} aria-label={`Why “${query}” finds it`}>
      Why?
    </Button>
  ),
});

interface SearchTableProps {
  searches: readonly SearchReport[];
  of: Pick<SearchesAsked, 'action' | 'toolkit'>;
  onTest: ((query: string) => void) | undefined;
  more: (() => void) | undefined;
}

function SearchTable({ searches, of, onTest, more }: SearchTableProps) {
  const rows = byShown(searches, of);
  const [found, followed] = [sum(rows.map(({ own }) => own.shown)), sum(rows.map(({ own }) => own.used))];
  return (
    <>
      <Text size="sm" mb="xs" className="numbers">
        Found by {formatPlural(found, 'search', 'searches')}
        {more && ' of these'}, followed in {formatCount(followed)}, not followed in {formatCount(found - followed)}.
      </Text>
      <DataTable
        label="Searches"
        rows={rows}
        rowKey={({ search }) => search.query}
        columns={onTest ? [...COLUMNS, testColumn(onTest)] : COLUMNS}
        minWidth={460}
        verticalSpacing="xs"
      />
      {more && (
        <Button variant="default" size="xs" mt="sm" onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

/** Sorts by the number of searches that no call followed, then by all. */
function byShown(searches: readonly SearchReport[], of: Pick<SearchesAsked, 'action' | 'toolkit'>): FoundBy[] {
  return searches
    .map((search) => ({ search, own: countsOf(search, of) }))
    .sort((one, other) => notFollowed(other) - notFollowed(one) || other.own.shown - one.own.shown);
}

/** The number of searches that returned the action, or an action of the toolkit: one search may return several. */
function countsOf({ actions, searches, used }: SearchReport, { action, toolkit }: Pick<SearchesAsked, 'action' | 'toolkit'>) {
  const asked = actions.filter((found) => (action ? found.action === action : found.action.startsWith(`${toolkit}__`)));
  return {
    shown: Math.min(searches, sum(asked.map(({ shown }) => shown))),
    used: Math.min(used, sum(asked.map((found) => found.used))),
  };
}

const notFollowed = ({ own: { shown, used } }: FoundBy) => shown - used;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
