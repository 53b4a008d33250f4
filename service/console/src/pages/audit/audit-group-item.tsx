/** Many entries of one actor and one kind in a row: the newest one, and the others on demand. */
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '#sdk/protocol/admin';
import { type AuditFilters, auditGroupQuery } from '../../api/audit';
import { ErrorNotice } from '../../parts/error-notice';
import { formatCount, formatStretch } from '../../parts/format';
import { MoreButton } from '../../parts/more-button';
import { AuditEntryItem } from './audit-entry-item';

export interface AuditGroupItemProps {
  /** The newest entry. */
  entry: AuditEntry;
  /** Number of entries, with the newest. */
  count: number;
  filters: AuditFilters;
}

export function AuditGroupItem({ entry, count, filters }: AuditGroupItemProps) {
  const [isOpened, { toggle }] = useDisclosure();
  const others = useInfiniteQuery({ ...auditGroupQuery(filters, entry), enabled: isOpened });
  const since = entry.group?.from ?? entry.at;
  return (
    <>
      <AuditEntryItem entry={entry} />
      <li className="audit-group">
        <Group gap="xs">
          <Button size="compact-sm" variant="subtle" aria-expanded={isOpened} loading={isOpened && others.isPending} onClick={toggle}>
            {isOpened ? 'Hide' : 'Show'} {formatCount(count - 1)} more of the same, {formatStretch(since, entry.at)}
          </Button>
        </Group>
        {isOpened && others.error && <ErrorNotice error={others.error} retry={() => void others.refetch()} />}
      </li>
      {isOpened && others.data?.pages.flatMap(({ entries }) => entries).map((one) => <AuditEntryItem key={one.id} entry={one} />)}
      {isOpened && others.hasNextPage && (
        <li className="audit-group">
          <MoreButton query={others} />
        </li>
      )}
    </>
  );
}
