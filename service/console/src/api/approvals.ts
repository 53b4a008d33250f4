/** Calls that wait for a person, and what became of them. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DecideRequest } from '#sdk/protocol/approvals';
import { api } from './request';

const SHOWN = 50;

/** Newest first. */
export const approvalsQuery = (show: 'pending' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['approvals', 'list', show],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/approvals', { query: { ...(show === 'pending' && { status: show }), cursor: pageParam, limit: SHOWN }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The number of calls that wait; `99+` for many. Undefined if none waits. */
export const waitingCountQuery = queryOptions({
  queryKey: ['approvals', 'waiting'],
  queryFn: ({ signal }) => api('GET /v1/approvals', { query: { status: 'pending', limit: 100 }, signal }),
  select: ({ approvals: { length } }) => (length === 0 ? undefined : length < 100 ? String(length) : '99+'),
});

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'one', id],
    queryFn: ({ signal }) => api('GET /v1/approvals/{id}', { params: { id }, signal }),
  });

export function useDecide(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (decision: DecideRequest) => api('POST /v1/approvals/{id}', { params: { id }, body: decision }),
    // After a refusal too: another person may have decided.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['approvals'] }),
  });
}

/** Ends the approval of later calls of a conversation. */
export function useEndStanding(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api('DELETE /v1/approvals/{id}', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['approvals'] }),
  });
}
