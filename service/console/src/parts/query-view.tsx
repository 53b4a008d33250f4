/** A query that is loading, has failed, or has data. */
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice';

export interface QueryViewProps<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  rows?: number;
  /** The title of an error, such as "Could not load this toolkit". */
  failed?: string;
}

export function QueryView<T>({ query, children, rows = 4, failed }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} {...(failed !== undefined && { title: failed })} />;
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((key) => (
        <Skeleton key={key} height={36} />
      ))}
    </Stack>
  );
}
