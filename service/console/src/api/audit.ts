import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { AuditEntry } from '#sdk/protocol/admin';
import { api } from './request';
import { isSpan, startOf } from './spans';

export interface AuditFilters {
  /** Words. */
  text?: string;
  /** Id of an account. */
  person?: string;
  /** First words of codes, separated by commas. */
  what?: string;
  /** A span such as `24h`, or a time. */
  from?: string;
  to?: string;
}

const queryOf = ({ text, from, ...rest }: AuditFilters) => ({ ...rest, q: text, from: isSpan(from) ? startOf(from) : from });

/** The audit log, newest first; many equal entries in a row are one. */
export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/audit', { query: { ...queryOf(filters), grouped: 'true', cursor: pageParam, limit: 50 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

/** The entries behind the first one of a group. */
export const auditGroupQuery = (filters: AuditFilters, { id, group }: AuditEntry) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'group', id, filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/audit', { query: { ...queryOf(filters), since: group?.since, cursor: pageParam, limit: 100 }, signal }),
    initialPageParam: id,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Entries never change.
    staleTime: Infinity,
  });

export function auditFilePath(filters: AuditFilters, format: 'csv' | 'jsonl'): string {
  const given = Object.entries({ format, ...queryOf(filters) }).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/v1/audit/export?${new URLSearchParams(given)}`;
}
