import { Paper, Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditFilters, auditQuery } from '../../api/audit';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { MoreButton } from '../../parts/more-button';
import { AuditEntryItem } from './audit-entry-item';
import { AuditGroupItem } from './audit-group-item';

export function AuditLog({ filters }: { filters: AuditFilters }) {
  const query = useInfiniteQuery(auditQuery(filters));
  const { data, error, refetch, isPlaceholderData } = query;
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <Skeleton height={320} aria-busy="true" />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0)
    return Object.keys(filters).length > 0 ? (
      <EmptyState title="No entry matches">Clear a filter, or choose a longer time.</EmptyState>
    ) : (
      <EmptyState title="No changes yet">Changes of keys, people and settings appear here.</EmptyState>
    );
  return (
    <Stack gap="md" align="stretch" className="fading" data-faded={isPlaceholderData}>
      <Paper withBorder component="ol" className="plain-list" aria-label="Changes and sign-ins">
        {entries.map((entry) =>
          entry.group ? (
            <AuditGroupItem key={entry.id} entry={entry} count={entry.group.count} filters={filters} />
          ) : (
            <AuditEntryItem key={entry.id} entry={entry} />
          ),
        )}
      </Paper>
      {error && <ErrorNotice error={error} title="Could not load older entries" />}
      <MoreButton query={query} />
    </Stack>
  );
}
