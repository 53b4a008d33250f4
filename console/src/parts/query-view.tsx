/** An answer of the service while it is on its way, when it failed, and when it is there. */
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice';

export function QueryView<T>({ query, children, rows = 4 }: { query: UseQueryResult<T>; children: (data: T) => ReactNode; rows?: number }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((key) => (
        <Skeleton key={key} height={36} />
      ))}
    </Stack>
  );
}
