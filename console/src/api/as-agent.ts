/** What an agent with one of the keys would get, without the key's secret: the same search, the same call, the same limits. */
import { queryOptions } from '@tanstack/react-query';
import { HEADERS, type InvokeRequest, type InvokeResponse, type SearchRequest } from '../../../src/protocol/http';
import { api } from './request';

/** Each search counts as one of the key: it is not repeated because a window got the focus. */
export const agentSearchQuery = (keyId: string, search: SearchRequest) =>
  queryOptions({
    queryKey: ['agent-search', keyId, search],
    queryFn: ({ signal }) => api('POST /v1/keys/{id}/search', { params: { id: keyId }, body: search, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export interface InvokeAs extends InvokeRequest {
  keyId: string;
  idempotencyKey?: string | undefined;
  timeoutMs?: number | undefined;
  /** Cancels the call. */
  signal: AbortSignal;
}

/** @throws ApiError */
export async function invokeAs({ keyId, action, payload, idempotencyKey, timeoutMs, signal }: InvokeAs): Promise<InvokeResponse> {
  return api('POST /v1/keys/{id}/invoke', {
    params: { id: keyId },
    body: { action, payload } satisfies InvokeRequest,
    headers: {
      ...(idempotencyKey && { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...(timeoutMs && { [HEADERS.timeoutMs]: String(timeoutMs) }),
    },
    signal,
  });
}
