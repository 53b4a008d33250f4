/** The agent keys that a person can search and call with, their own first. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './request';

const SUGGESTED = 20;

/** The first of the keys with every word of `q` in name, id or owner. */
export const agentKeySuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['keys', 'usable', q],
    queryFn: async ({ signal }) => {
      const { keys } = await api('GET /v1/keys', { query: { q, kind: 'agent', state: 'active', sort: 'mine', limit: SUGGESTED }, signal });
      return keys;
    },
    placeholderData: keepPreviousData,
  });

/** Agent keys in any state, for a filter of their calls. */
export const callerSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['keys', 'callers', q],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/keys', { query: { q, kind: 'agent', sort: 'mine', limit: SUGGESTED }, signal })).keys,
    placeholderData: keepPreviousData,
  });

/** The wanted key, if the person can use it, else the first that they can; null without one. */
export const agentKeyQuery = (wanted?: string) =>
  queryOptions({
    queryKey: ['keys', 'agent', wanted ?? ''],
    queryFn: async ({ signal }) => {
      const asked = { kind: 'agent', state: 'active', sort: 'mine' } as const;
      const named = wanted === undefined ? [] : (await api('GET /v1/keys', { query: { ...asked, q: wanted, limit: 5 }, signal })).keys;
      const found = named.find(({ id }) => id === wanted);
      if (found) return found;
      const { keys } = await api('GET /v1/keys', { query: { ...asked, limit: 1 }, signal });
      return keys[0] ?? null;
    },
    placeholderData: keepPreviousData,
  });
