/** Searches and calls like an agent with one of the keys, without the key's secret: the same results and limits. */
import { queryOptions } from '@tanstack/react-query';
import type { Problem } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import { HEADERS, type InvokeRequest, type InvokeResponse, type Progress, type SearchRequest } from '#sdk/protocol/http';
import { readEvents } from '#sdk/protocol/sse';
import { ApiError, api, problemError, send } from './request';

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
  /** Called for each report of the handler while the call runs. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** @throws ApiError */
export async function invokeAs(call: InvokeAs): Promise<InvokeResponse> {
  const { keyId, action, payload, idempotencyKey, timeoutMs, maxPayment, signal, onProgress } = call;
  const { body } = await send(`/v1/keys/${encodeURIComponent(keyId)}/invoke`, {
    method: 'POST',
    body: { action, payload } satisfies InvokeRequest,
    headers: {
      accept: 'text/event-stream',
      [HEADERS.maxPayment]: maxPayment,
      ...(idempotencyKey && { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...(timeoutMs && { [HEADERS.timeoutMs]: String(timeoutMs) }),
    },
    signal,
  });
  if (body)
    for await (const { event, data } of readEvents(body)) {
      const value: unknown = parseExactJson(data);
      if (event === 'progress') onProgress?.(value as Progress);
      else if (event === 'result') return value as InvokeResponse;
      else if (event === 'error') throw problemError(value as Problem);
    }
  throw new ApiError('The service ended the call without an answer. Look at the list of calls for its outcome.');
}
