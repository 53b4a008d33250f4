/** Actions that wait for an owner's approval, and those whose texts an owner rejected. */
import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Review } from '#sdk/protocol/admin';
import { api } from './request';

const SHOWN = 50;

export interface ReviewsAsked {
  /** Words in ids and descriptions. */
  q?: string | undefined;
  state?: 'rejected' | undefined;
}

/** The key has the prefix of reports, which are refreshed with every change of the catalogue. */
export const reviewsQuery = ({ q, state }: ReviewsAsked) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'reviews', { q, state }],
    queryFn: ({ pageParam, signal }) => api('GET /v1/reviews', { query: { q, state, cursor: pageParam, limit: SHOWN }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

const textsOf = (reviews: readonly Review[]) => reviews.map(({ action, hash }) => ({ action, hash }));

/** Approves the shown texts. The service refuses texts that have changed since. */
export function useApprove() {
  return useDecision((reviews: readonly Review[]) => api('POST /v1/reviews/approvals', { body: { approvals: textsOf(reviews) } }));
}

/** Rejects the shown texts, with a reason for their developer. The service refuses texts that have changed since. */
export function useReject() {
  return useDecision(({ reviews, reason }: { reviews: readonly Review[]; reason: string }) =>
    api('POST /v1/reviews/rejections', { body: { rejections: textsOf(reviews), reason } }),
  );
}

function useDecision<Decision, Answer>(mutationFn: (decision: Decision) => Promise<Answer>) {
  const queryClient = useQueryClient();
  // After a refusal too: the page shows the new texts.
  return useMutation({ mutationFn, onSettled: () => queryClient.invalidateQueries({ queryKey: ['reports'] }) });
}
