/** Searches and calls like an agent with one of the keys, without the key's secret: the same results and limits. */
import { queryOptions } from '@tanstack/react-query';
import { HEADERS, type InvokeRequest, type InvokeResponse, type SearchRequest } from '#sdk/protocol/http';
import { api } from './request';

/** Each search counts for the key, so it is not repeated when the window gets the focus. */
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
  /** An amount. */
  maxPayment: string;
  /** Cancels the call. */
  signal: AbortSignal;
}

/** @throws ApiError */
export async function invokeAs(call: InvokeAs): Promise<InvokeResponse> {
  const { keyId, action, payload, idempotencyKey, timeoutMs, maxPayment, signal } = call;
  return api('POST /v1/keys/{id}/invoke', {
    params: { id: keyId },
    body: { action, payload } satisfies InvokeRequest,
    headers: {
      [HEADERS.maxPayment]: maxPayment,
      ...(idempotencyKey && { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...(timeoutMs && { [HEADERS.timeoutMs]: String(timeoutMs) }),
    },
    signal,
  });
}
