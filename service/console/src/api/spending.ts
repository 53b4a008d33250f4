/** The cost of paid calls: sums, entries and files of the ledger. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type InvocationInfo } from '#sdk/protocol/admin';
import type { AdminApi } from '../../../src/http/admin/admin-routes';
import { api } from './request';

export type SpendingBy = AdminApi['GET /v1/spending']['query']['by'];

export interface SpendingOf {
  from: string;
  /** Members only: what their keys spent, or what their toolkits earned. */
  mine?: 'keys' | 'toolkits' | undefined;
  key?: string | undefined;
  toolkit?: string | undefined;
}

/** The service's limit. */
export const MOST_LISTED = 200;

export const spendingSumsQuery = (by: SpendingBy, of: SpendingOf) =>
  queryOptions({
    queryKey: ['spending', by, of],
    queryFn: ({ signal }) => api('GET /v1/spending', { query: { by, ...of, limit: MOST_LISTED }, signal }),
    placeholderData: keepPreviousData,
  });

/** The entry of a call in the ledger; null for a free call. The ledger has no filter by call, so this queries the millisecond of its start. */
export const callPaymentQuery = ({ id, key, startedAt }: Pick<InvocationInfo, 'id' | 'key' | 'startedAt'>) =>
  queryOptions({
    // The first member is the call's, so that both are refreshed together.
    queryKey: ['invocations', 'payment', id],
    queryFn: async ({ signal }) => {
      const to = new Date(Date.parse(startedAt) + 1).toISOString();
      const { entries } = await api('GET /v1/ledger', { query: { key: key.id, from: startedAt, to, limit: MOST_LISTED }, signal });
      return entries.find(({ invocationId }) => invocationId === id) ?? null;
    },
  });

/** The address of the ledger as a file. */
export function ledgerFilePath({ from, mine }: SpendingOf, format: 'csv' | 'jsonl'): string {
  return `${ADMIN_PATHS.ledger}/export?${new URLSearchParams({ format, from, ...(mine && { mine }) })}`;
}
