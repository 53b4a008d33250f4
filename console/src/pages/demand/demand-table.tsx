import { Anchor, Button, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SearchReport } from '../../../../src/protocol/admin';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';

export interface DemandTableProps {
  searches: readonly SearchReport[];
  /** None of them was used. */
  unmet: boolean;
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

export function DemandTable({ searches, unmet, more, isLoadingMore }: DemandTableProps) {
  return (
    <>
      <Paper withBorder>
        <Table.ScrollContainer minWidth={860} type="native">
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Search</Table.Th>
                <Table.Th scope="col" ta="right">
                  Searches
                </Table.Th>
                <Table.Th scope="col" ta="right">
                  Agents
                </Table.Th>
                <Table.Th scope="col">{unmet ? 'Closest results' : 'Results'}</Table.Th>
                <Table.Th scope="col">Last</Table.Th>
                <WaysColumn />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {searches.map((search) => (
                <Row key={search.query} search={search} isOfferable={search.used === 0} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      {more && (
        <Button variant="default" mx="auto" loading={isLoadingMore} onClick={more}>
          Load more
        </Button>
      )}
    </>
  );
}

function Row({ search, isOfferable }: { search: SearchReport; isOfferable: boolean }) {
  const { query, searches, keys, empty, used, lastAt, actions } = search;
  return (
    <Table.Tr>
      <Table.Td miw={220}>
        <Text size="sm" fw={600} className="written">
          {query}
        </Text>
        <Text size="xs" c="dimmed">
          {used > 0 ? `used after ${formatPlural(used, 'search', 'searches')}` : empty === searches ? 'found nothing' : 'nothing was used'}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{formatCount(searches)}</Table.Td>
      <Table.Td ta="right">{formatCount(keys)}</Table.Td>
      <Table.Td miw={220}>
        <Shown actions={actions} />
      </Table.Td>
      <Table.Td className="one-line">
        <Text size="sm" c="dimmed" span>
          <TimeAgo at={lastAt} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" justify="flex-end">
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
              renderRoot={(props) => <Link to="/start" {...props} />}
            >
              Build this
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
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
