/**
 * The service's way to itself: a `fetch` for a `Tools` that works for one message of an MCP client. Allow lists, limits, records, progress
 * and cancel are those of the routes, without a socket between.
 *
 * Shape:  as the routes answer; an invoke always as a stream of events.
 * Errors: problem documents without `retryAfterMs`. So nothing is tried again in here, and the client is told at once.
 */
import type { FetchLike } from 'svc-sdk';
import { HEADERS, PATHS, type Progress } from '../../protocol/http';
import { toSvcError } from '../http/problem';
import { eventText } from '../http/server-sent-events';
import type { Invoker } from '../invocations/invoker';
import type { Logger } from '../logger';
import type { KeyRecord } from '../store/store';

export interface OwnFetchParts {
  invoker: Invoker;
  logger: Logger;
  /** Every route but invoke, for a caller that was let in. */
  dispatch(request: Request, key: KeyRecord): Promise<Response>;
  /** Counts a call of the key; rejects with RATE_LIMITED. */
  count(key: KeyRecord): Promise<unknown>;
}

export interface Caller {
  key: KeyRecord;
  /** True while the client does not read: reports of progress would pile up. */
  isBehind(): boolean;
}

export function ownFetch({ invoker, logger, dispatch, count }: OwnFetchParts, { key, isBehind }: Caller): FetchLike {
  let counted: Promise<unknown> | undefined;

  const toProblem = (error: unknown) => ({ ...toSvcError(error, logger, PATHS.mcp).toProblem(), retryAfterMs: undefined });

  const invoke: FetchLike = async (_url, { headers, body = '', signal }) => {
    const encoder = new TextEncoder();
    const events = new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (event: Parameters<typeof eventText>[0], json: string) => controller.enqueue(encoder.encode(eventText(event, json)));
        const onProgress = (progress: Progress) => {
          if (!isBehind() && !signal.aborted) send('progress', JSON.stringify(progress));
        };
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        const call = {
          key,
          body: JSON.parse(body) as unknown,
          idempotencyKey: headers[HEADERS.idempotencyKey],
          timeoutMs: Number(headers[HEADERS.timeoutMs]),
          whenGone: (listener: () => void) => {
            if (signal.aborted) listener();
            else signal.addEventListener('abort', listener, { once: true });
          },
          onProgress,
        };
        const [event, json] = await invoker.invoke(call).then(
          (result) => ['result', result] as const,
          (error: unknown) => ['error', JSON.stringify(toProblem(error))] as const,
        );
        if (signal.aborted) return;
        send(event, json);
        controller.close();
      },
    });
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
  };

  return async (url, init) => {
    try {
      // One message of a client is one call, whatever has to be looked up for it.
      counted ??= count(key);
      await counted;
    } catch (error) {
      const problem = toProblem(error);
      return Response.json(problem, { status: problem.status });
    }
    return new URL(url).pathname === PATHS.invoke ? invoke(url, init) : dispatch(new Request(url, init), key);
  };
}
