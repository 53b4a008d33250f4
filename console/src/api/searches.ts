/** What agents looked for, as far as the settings let texts be kept. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './request';

export interface SearchesAsked {
  /** Only those that found nothing, or nothing that was used. */
  unmet?: boolean;
  /** Only those that found actions of this toolkit. */
  toolkit?: string;
  /** Only those that found this action. */
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
