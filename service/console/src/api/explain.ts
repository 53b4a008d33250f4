/** Why a query finds an action or not. Counts in no demand, and uses no rate of a key. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './request';

export interface RankAsked {
  action: string;
  query: string;
  limit?: number;
  /** As this agent key. Default: among all actions, for the developer of the action. */
  key?: string;
}

export const explainQuery = ({ action, ...body }: RankAsked) =>
  queryOptions({
    queryKey: ['explain', action, body],
    queryFn: ({ signal }) => api('POST /v1/reports/actions/{id}/explain', { params: { id: action }, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
