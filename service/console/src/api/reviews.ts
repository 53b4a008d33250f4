/** Actions that wait for an owner's approval. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Review } from '#sdk/protocol/admin';
import { api } from './request';

const SHOWN = 20;

/** The key has the prefix of reports, which are refreshed with every change of the catalogue. */
export const reviewsQuery = infiniteQueryOptions({
  queryKey: ['reports', 'reviews'],
  queryFn: ({ pageParam, signal }) => api('GET /v1/reviews', { query: { cursor: pageParam, limit: SHOWN }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** Approves the shown texts. The service refuses texts that have changed since. */
export function useApprove() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reviews: readonly Review[]) =>
      api('POST /v1/reviews/approvals', { body: { approvals: reviews.map(({ action, hash }) => ({ action, hash })) } }),
    // After a refusal too: the page shows the new texts.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['reports'] }),
  });
}
