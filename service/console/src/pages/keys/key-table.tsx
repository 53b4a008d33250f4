import { Anchor, Box, Button, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallCounts, OwnedKey } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { KeyKindBadge, KeyStateBadge } from './key-badges';
import { scopeWords } from './key-scope';

const STEP = 100;

export interface KeyTableProps {
  keys: readonly OwnedKey[];
  /** Calls of the last day, by key id; undefined while they load. */
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
        <DataTable
          label="Keys"
          rows={keys.slice(0, most)}
          rowKey={({ id }) => id}
          columns={keyColumns(counts, withOwner)}
          horizontalSpacing="md"
          highlightOnHover
        />
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

function keyColumns(counts: KeyTableProps['counts'], withOwner: boolean): Column<OwnedKey>[] {
  const owner: Column<OwnedKey> = { title: 'Owner', from: 'lg', cell: (key) => key.owner?.name ?? <None /> };
  return [
    { title: 'Name', cell: (key) => <KeyName info={key} counts={counts?.get(key.id)} /> },
    {
      title: 'Access',
      from: 'sm',
      cell: (key) => (
        <Text size="sm" className="names">
          {scopeWords(key)}
        </Text>
      ),
    },
    ...(withOwner ? [owner] : []),
    {
      title: 'Limit per min.',
      kind: 'number',
      from: 'lg',
      cell: ({ kind, callsPerMinute }) =>
        callsPerMinute === undefined ? kind === 'agent' ? 'no limit' : <None /> : formatCount(callsPerMinute),
    },
    {
      title: 'Calls, 24 h',
      kind: 'number',
      from: 'xs',
      cell: ({ id, kind }) => (kind === 'agent' && counts ? <DayCounts counts={counts.get(id)} /> : <None />),
    },
    {
      title: 'Last used',
      from: 'md',
      className: 'one-line',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? (
          <TimeAgo at={lastUsedAt} />
        ) : (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ),
    },
    { title: 'Created', from: 'md', className: 'one-line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
}

function KeyName({ info, counts }: { info: OwnedKey; counts: CallCounts | undefined }) {
  const { id, name, kind } = info;
  return (
    <>
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
    </>
  );
}

function DayCounts({ counts }: { counts: CallCounts | undefined }) {
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
