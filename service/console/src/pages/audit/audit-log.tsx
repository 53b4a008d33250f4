import { Button, Center, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditQuery } from '../../api/audit';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { AuditEntryItem } from './audit-entry-item';
import { AUDIT_KINDS, type AuditKind, kindOf } from './audit-words';

const ALL = 'All';

export function AuditLog() {
  const [kind, setKind] = useState<AuditKind | typeof ALL>(ALL);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery);
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <Skeleton height={320} aria-busy="true" />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <EmptyState title="No changes yet">Changes of keys, people and settings appear here.</EmptyState>;
  const listed = entries.filter((entry) => kind === ALL || kindOf(entry) === kind);
  return (
    <Stack gap="md" align="stretch">
      <SegmentedControl
        aria-label="Show changes of"
        value={kind}
        onChange={(chosen) => setKind(chosen as typeof kind)}
        data={[ALL, ...AUDIT_KINDS]}
        className="audit-kinds"
      />
      {listed.length === 0 ? (
        <Text size="sm" c="dimmed">
          None of the newest {entries.length} entries match. Load more to look further back.
        </Text>
      ) : (
        <Paper withBorder component="ol" className="plain-list">
          {listed.map((entry) => (
            <AuditEntryItem key={entry.id} entry={entry} />
          ))}
        </Paper>
      )}
      {error && <ErrorNotice error={error} title="Could not load older entries" />}
      {hasNextPage && (
        <Center>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
