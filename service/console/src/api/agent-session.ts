/** A session of an agent, which is one of its conversations: all searches and calls with its id. A person's session is in `sessions.ts`. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './request';

const PAGE = 200;

export const agentSessionQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['agent-sessions', id],
    queryFn: ({ pageParam, signal }) => api('GET /v1/sessions/{id}', { params: { id }, query: { limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
