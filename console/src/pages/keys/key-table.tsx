import { Anchor, Box, Button, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallCounts, OwnedKey } from '../../../../src/protocol/admin';
import { EmptyState } from '../../parts/empty-state';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { KeyKindBadge, KeyStateBadge } from './key-badges';
import { scopeWords } from './key-scope';

const STEP = 100;

export interface KeyTableProps {
  keys: readonly OwnedKey[];
  /** Of the last day, by id; undefined while they are not known. */
  counts: ReadonlyMap<string, CallCounts> | undefined;
  withOwner: boolean;
}

export function KeyTable({ keys, counts, withOwner }: KeyTableProps) {
  const [most, setMost] = useState(STEP);
  if (keys.length === 0)
    return (
      <EmptyState
        title="No key matches"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/keys" search={{ state: 'all' }} {...props} />}>
            Show all keys
          </Button>
        }
      />
    );
  return (
    <>
      <Paper withBorder>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Name</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                Access
              </Table.Th>
              {withOwner && (
                <Table.Th scope="col" visibleFrom="lg">
                  Owner
                </Table.Th>
              )}
              <Table.Th scope="col" visibleFrom="lg" ta="right" className="one-line">
                Limit per min.
              </Table.Th>
              <Table.Th scope="col" visibleFrom="xs" ta="right" className="one-line">
                Calls, 24 h
              </Table.Th>
              <Table.Th scope="col" visibleFrom="md" className="one-line">
                Last used
              </Table.Th>
              <Table.Th scope="col" visibleFrom="md">
                Created
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.slice(0, most).map((key) => (
              <KeyRow key={key.id} info={key} counts={counts?.get(key.id)} counted={counts !== undefined} withOwner={withOwner} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {keys.length > most && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => setMost(most + STEP)}>
            Show {formatPlural(Math.min(STEP, keys.length - most), 'more key', 'more keys')}
          </Button>
        </Group>
      )}
    </>
  );
}

interface KeyRowProps {
  info: OwnedKey;
  counts: CallCounts | undefined;
  counted: boolean;
  withOwner: boolean;
}

function KeyRow({ info, counts, counted, withOwner }: KeyRowProps) {
  const { id, name, kind, owner, callsPerMinute, createdAt, lastUsedAt } = info;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="wrap">
          <Anchor
            renderRoot={(props) => <Link to="/keys" search={(former) => ({ ...former, id })} {...props} />}
            size="sm"
            fw={600}
            c="var(--mantine-color-text)"
            className="names"
          >
            {name}
          </Anchor>
          <KeyKindBadge kind={kind} />
          <KeyStateBadge info={info} />
        </Group>
        <Text size="xs" c="dimmed" className="ids">
          {id}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm" mt={4}>
          {scopeWords(info)}
          {counts && `, ${formatPlural(counts.calls, 'call')} in 24 hours`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" className="names">
          {scopeWords(info)}
        </Text>
      </Table.Td>
      {withOwner && <Table.Td visibleFrom="lg">{owner?.name ?? <None />}</Table.Td>}
      <Table.Td visibleFrom="lg" ta="right" className="one-line">
        {callsPerMinute === undefined ? kind === 'agent' ? 'no limit' : <None /> : formatCount(callsPerMinute)}
      </Table.Td>
      <Table.Td visibleFrom="xs" ta="right" className="one-line">
        {kind === 'agent' ? <DayCounts counts={counts} counted={counted} /> : <None />}
      </Table.Td>
      <Table.Td visibleFrom="md" className="one-line">
        {lastUsedAt ? (
          <TimeAgo at={lastUsedAt} />
        ) : (
          <Text size="sm" c="dimmed">
            never
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md" className="one-line">
        <TimeAgo at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

function DayCounts({ counts, counted }: { counts: CallCounts | undefined; counted: boolean }) {
  if (!counted) return <None />;
  return (
    <Box>
      {formatCount(counts?.calls ?? 0)}
      {counts !== undefined && counts.errors > 0 && (
        <Text size="xs" c="var(--text-alarming)">
          {faultsOf(counts)}
        </Text>
      )}
    </Box>
  );
}

/** `3 errors, 411 refused` */
function faultsOf({ errors, refused = 0 }: CallCounts): string {
  const failed = errors - refused;
  return [failed > 0 && formatPlural(failed, 'error'), refused > 0 && `${formatCount(refused)} refused`].filter(Boolean).join(', ');
}

function None() {
  return (
    <Text span c="dimmed" aria-label="none">
      –
    </Text>
  );
}
