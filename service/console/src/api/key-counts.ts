import { queryOptions } from '@tanstack/react-query';
import type { CallCounts } from '#sdk/protocol/admin';
import { api } from './request';

const DAY_MS = 86_400_000;
const MOST = 100;

/** Calls of the last day of the keys with the most calls, by key id. */
export const keyCountsQuery = queryOptions({
  queryKey: ['stats', 'top', 'keys-of-the-day'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, CallCounts>> => {
    const now = Date.now();
    const { items } = await api('GET /v1/stats/top', {
      query: { by: 'key', order: 'calls', from: new Date(now - DAY_MS).toISOString(), to: new Date(now).toISOString(), limit: MOST },
      signal,
    });
    return new Map(items.map(({ id, ...counts }) => [id, counts]));
  },
});
