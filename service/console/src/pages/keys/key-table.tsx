import { Anchor, Box, Button, Checkbox, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { CallCounts, KeySort, OwnedKey, OwnedKeysPage } from '#sdk/protocol/admin';
import { keyState } from '../../api/key-state';
import { EmptyState } from '../../parts/empty-state';
import { formatCount, formatPlural } from '../../parts/format';
import { type PagedColumn, PagedTable, type SortOrder } from '../../parts/paged-table';
import { TimeAgo } from '../../parts/time-ago';
import { KeyKindBadge, KeyStateBadge } from './key-badges';
import { scopeWords } from './key-scope';
import type { KeysSearch } from './keys-search';
import { RevokeMany } from './revoke-many';

export interface KeyTableProps {
  page: OwnedKeysPage;
  sort: KeySort;
  order: SortOrder;
  cursor: string | undefined;
  withOwner: boolean;
  isFaded: boolean;
  /** Shows the first page in another order, or another page. */
  onShow: (changed: Pick<KeysSearch, 'sort' | 'order' | 'cursor'>) => void;
}

export function KeyTable({ page: { keys, total, nextCursor }, sort, order, cursor, withOwner, isFaded, onShow }: KeyTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // A copy: the list refreshes while the keys are revoked.
  const [revoking, setRevoking] = useState<readonly OwnedKey[]>();
  const columns = useMemo(() => keyColumns(withOwner, chosen, setChosen), [withOwner, chosen]);
  if (total === 0)
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
  const revocable = keys.filter(({ revokedAt }) => !revokedAt);
  const picked = revocable.filter(({ id }) => chosen.has(id));
  const tools = (
    <>
      {picked.length > 0 && (
        <Button size="sm" variant="light" color="red" onClick={() => setRevoking(picked)}>
          Revoke {formatPlural(picked.length, 'key')}
        </Button>
      )}
      {picked.length > 0 && picked.length < revocable.length && (
        <Button size="sm" variant="subtle" onClick={() => setChosen(new Set(revocable.map(({ id }) => id)))}>
          Choose all {formatCount(revocable.length)} shown
        </Button>
      )}
      {revoking && (
        <RevokeMany
          keys={revoking}
          onClose={() => {
            setRevoking(undefined);
            setChosen(new Set());
          }}
        />
      )}
    </>
  );
  return (
    <PagedTable
      label="Keys"
      noun="key"
      rows={keys}
      rowKey={({ id }) => id}
      columns={columns}
      sort={sort}
      order={order}
      onSort={(sort, order) => onShow({ sort, order })}
      paging={{ cursor, nextCursor, total, onPage: (cursor) => onShow(cursor === undefined ? {} : { cursor }) }}
      isFaded={isFaded}
      tools={tools}
    />
  );
}

function keyColumns(
  withOwner: boolean,
  chosen: ReadonlySet<string>,
  onChoose: (chosen: ReadonlySet<string>) => void,
): PagedColumn<OwnedKey, KeySort>[] {
  const owner: PagedColumn<OwnedKey, KeySort> = { title: 'Owner', from: 'xl', cell: (key) => key.owner?.name ?? <None /> };
  const choose = (id: string, isChosen: boolean) => onChoose(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  return [
    {
      title: 'Choose',
      kind: 'choice',
      from: 'sm',
      cell: ({ id, name, revokedAt }) =>
        revokedAt ? null : (
          <Checkbox
            size="xs"
            aria-label={`Choose ${name}`}
            checked={chosen.has(id)}
            onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
          />
        ),
    },
    { title: 'Name', sort: 'name', first: 'asc', cell: (key) => <KeyName info={key} /> },
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
      from: 'xl',
      cell: (key) => limitWords(key) ?? <None />,
    },
    { title: 'Calls, 24 h', sort: 'calls', kind: 'number', from: 'xs', cell: ({ day }) => <DayCounts counts={day} /> },
    {
      title: 'Refused',
      sort: 'refused',
      kind: 'number',
      from: 'lg',
      cell: ({ day }) => (day?.refused ? <Alarming>{formatCount(day.refused)}</Alarming> : day ? '0' : <None />),
    },
    { title: 'Last used', sort: 'lastUsed', from: 'md', className: 'one-line', cell: ({ lastUsedAt }) => <AtOrNever at={lastUsedAt} /> },
    { title: 'Expires', sort: 'expiry', first: 'asc', from: 'lg', className: 'one-line', cell: (key) => <Expiry info={key} /> },
    { title: 'Created', sort: 'created', from: 'md', className: 'one-line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
}

function KeyName({ info }: { info: OwnedKey }) {
  const { id, name, kind, day, lastUsedAt } = info;
  const limit = limitWords(info);
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
        {limit !== undefined && `, ${limit === 'no limit' ? limit : `${limit} a minute`}`}
        {day && `, ${formatPlural(day.calls, 'call')} in 24 hours`}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {lastUsedAt ? (
          <>
            used <TimeAgo at={lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
        {info.expiresAt && keyState(info) === 'active' && (
          <>
            , ends <TimeAgo at={info.expiresAt} />
          </>
        )}
      </Text>
    </>
  );
}

/** Undefined for a key that makes no calls. */
function limitWords({ kind, callsPerMinute }: OwnedKey): string | undefined {
  if (callsPerMinute !== undefined) return formatCount(callsPerMinute);
  return kind === 'agent' ? 'no limit' : undefined;
}

function DayCounts({ counts }: { counts: CallCounts | undefined }) {
  if (!counts) return <None />;
  const failed = counts.errors - (counts.refused ?? 0);
  return (
    <Box>
      {formatCount(counts.calls)}
      {failed > 0 && (
        <Text size="xs">
          <Alarming>{formatPlural(failed, 'error')}</Alarming>
        </Text>
      )}
    </Box>
  );
}

function Expiry({ info }: { info: OwnedKey }) {
  if (!info.expiresAt || info.revokedAt) return <None />;
  const soon = Date.parse(info.expiresAt) - Date.now() < SOON_MS;
  return soon ? (
    <Alarming>
      <TimeAgo at={info.expiresAt} />
    </Alarming>
  ) : (
    <TimeAgo at={info.expiresAt} />
  );
}

const SOON_MS = 7 * 86_400_000;

function AtOrNever({ at }: { at: string | undefined }) {
  if (at) return <TimeAgo at={at} />;
  return (
    <Text size="sm" c="dimmed">
      never
    </Text>
  );
}

function Alarming({ children }: { children: ReactNode }) {
  return (
    <Text span inherit c="var(--text-alarming)">
      {children}
    </Text>
  );
}

function None() {
  return (
    <Text span c="dimmed" aria-label="none">
      –
    </Text>
  );
}
