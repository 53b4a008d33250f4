/** The recorded searches of agents; settings decide which are recorded. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './request';

export interface SearchesAsked {
  /** Only searches that found nothing, or whose results no agent used. */
  unmet?: boolean;
  /** Only searches that found actions of this toolkit. */
  toolkit?: string;
  /** Only searches that found this action. */
  action?: string;
  limit?: number;
}

export const searchesQuery = ({ unmet, toolkit, action, limit }: SearchesAsked) =>
  infiniteQueryOptions({
    queryKey: ['searches', { unmet, toolkit, action, limit }],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/searches', {
        query: { unmet: unmet ? 'true' : undefined, toolkit, action, limit, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
