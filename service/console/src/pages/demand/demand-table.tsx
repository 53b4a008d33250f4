import { Anchor, Box, Button, Flex, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SearchReport } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';

export interface DemandTableProps {
  searches: readonly SearchReport[];
  /** The list holds only searches after which no action was used. */
  unmet: boolean;
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

export function DemandTable({ searches, unmet, more, isLoadingMore }: DemandTableProps) {
  return (
    <>
      <Paper withBorder>
        <DataTable label="Searches of agents" rows={searches} rowKey={({ query }) => query} columns={unmet ? UNMET_COLUMNS : COLUMNS} />
      </Paper>
      {more && (
        <Button variant="default" mx="auto" loading={isLoadingMore} onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

const COLUMNS = demandColumns('Results');
const UNMET_COLUMNS = demandColumns('Closest results');

function demandColumns(results: string): Column<SearchReport>[] {
  return [
    {
      title: 'Search',
      className: 'wide-column',
      cell: ({ query, searches, keys, empty, used }) => (
        <>
          <Text size="sm" fw={600} className="written">
            {query}
          </Text>
          <Text size="xs" c="dimmed">
            {used > 0
              ? `used after ${formatPlural(used, 'search', 'searches')}`
              : empty === searches
                ? 'found nothing'
                : 'nothing was used'}
          </Text>
          <Box hiddenFrom="md" mt={4}>
            <Text size="xs" c="dimmed" mb="xs">
              {formatPlural(searches, 'search', 'searches')} of {formatPlural(keys, 'agent')}
            </Text>
            <NextSteps query={query} isOfferable={used === 0} />
          </Box>
        </>
      ),
    },
    { title: 'Searches', kind: 'number', from: 'md', cell: ({ searches }) => formatCount(searches) },
    { title: 'Agents', kind: 'number', from: 'lg', cell: ({ keys }) => formatCount(keys) },
    { title: results, className: 'wide-column', from: 'md', cell: ({ actions }) => <Shown actions={actions} /> },
    {
      title: 'Last',
      from: 'lg',
      className: 'one-line',
      cell: ({ lastAt }) => (
        <Text size="sm" c="dimmed" span>
          <TimeAgo at={lastAt} />
        </Text>
      ),
    },
    { title: 'Actions', kind: 'actions', from: 'md', cell: ({ query, used }) => <NextSteps query={query} isOfferable={used === 0} /> },
  ];
}

function NextSteps({ query, isOfferable }: { query: string; isOfferable: boolean }) {
  return (
    <Flex gap="xs" wrap="wrap" justify={{ base: 'flex-start', md: 'flex-end' }}>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Search now: ${query}`}
        renderRoot={(props) => <Link to="/search" search={{ query }} {...props} />}
      >
        Search now
      </Button>
      {isOfferable && (
        <Button
          size="compact-sm"
          variant="light"
          aria-label={`Build this: ${query}`}
          renderRoot={(props) => <Link to="/start" search={{ wanted: query }} {...props} />}
        >
          Build this
        </Button>
      )}
    </Flex>
  );
}

const SHOWN = 3;

function Shown({ actions }: Pick<SearchReport, 'actions'>) {
  if (actions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        –
      </Text>
    );
  return (
    <>
      {actions.slice(0, SHOWN).map(({ action: id }) => (
        <Anchor
          key={id}
          size="xs"
          className="ids"
          display="block"
          py={4}
          renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}
        >
          {id}
        </Anchor>
      ))}
      {actions.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {formatPlural(actions.length - SHOWN, 'other')}
        </Text>
      )}
    </>
  );
}
