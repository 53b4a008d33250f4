/** A session of an agent, which is one of its conversations: all searches and calls with its id. A person's session is in `sessions.ts`. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { SessionPage } from '#sdk/protocol/admin';
import { api } from './request';

const PAGE = 200;
export const AGENT_SESSIONS = 'agent-sessions';
/** A session without a search or call for so long has probably ended. */
const IDLE_MS = 120_000;

export const agentSessionQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [AGENT_SESSIONS, id],
    queryFn: ({ pageParam, signal }) => api('GET /v1/sessions/{id}', { params: { id }, query: { limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Finds out when an ended session goes on.
    refetchInterval: IDLE_MS,
  });

/**
 * Whether a change of the records may be one of this session: of an ended one it hardly is, and every call of anyone is such a change.
 *
 * @param data of a query for one session; true for lists and sums of sessions, which have the same first part in their keys
 */
export function goesOn(data: unknown, now = Date.now()): boolean {
  const entries = (data as Partial<InfiniteData<SessionPage>> | undefined)?.pages?.flatMap((page) => page.entries) ?? [];
  if (entries.length === 0) return true;
  return entries.some((entry) => now - Date.parse(entry.at) < IDLE_MS || (entry.kind === 'call' && entry.call.code === undefined));
}
