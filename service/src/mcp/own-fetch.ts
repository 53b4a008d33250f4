/**
 * The service's way to itself: a `fetch` for a `Tools` that works for one message of an MCP client. Allow lists, limits, records, progress
 * and cancel are those of the routes, without a socket between.
 *
 * Shape:  as the routes answer; an invoke always as a stream of events.
 * Errors: problem documents without `retryAfterMs`. So nothing is retried here, and the client gets the error at once.
 */
import type { FetchLike } from 'svc-sdk';
import { readAsk } from '#sdk/protocol/ask';
import type { Problem } from '#sdk/protocol/errors';
import { HEADERS, PATHS, type SearchResponse } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { readPrefer } from '#sdk/protocol/prefer';
import type { TraceContext } from '#sdk/protocol/trace-context';
import type { CallRequest, Invoke } from '../calls/call-request';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { CallerCredentials } from '../lib/caller-credentials';
import type { Logger } from '../lib/logger';
import { toSvcError } from '../lib/problem';
import { type EventName, eventText } from '../lib/server-sent-events';
import type { SessionMemory } from './session-searches';

export interface OwnFetchDeps {
  invoke: Invoke;
  logger: Logger;
  /** Every route but invoke, for a caller that was let in. */
  dispatch(request: Request, key: CallingKey): Promise<Response>;
  /** A key for the states of this caller's calls, which its client keeps: the same at every node. */
  stateKey(caller: string): Promise<string>;
  /** Counts a call of the key; rejects with RATE_LIMITED. */
  count(key: CallingKey): Promise<unknown>;
}

export interface McpCaller {
  key: CallingKey;
  /** True while the client does not read: reports of progress would pile up. */
  isBehind(): boolean;
  trace: TraceContext | undefined;
  /** The searches of the client's session, in place of the memory of a `Tools`, which is made for one message. */
  searches: SessionMemory | undefined;
  /** The most that a call may cost, in millionths. */
  maxPayment: bigint | undefined;
  /** The version of the action that the client decided about. */
  actionVersion: string | undefined;
  /** The client's ids of session and user. */
  callerIds: CallerIds | undefined;
  /** The client's credentials for toolkits that ask for them. */
  credentials: CallerCredentials | undefined;
  /** Toolkit id -> the kept connection that the client chose. */
  connectionNames: ReadonlyMap<string, string> | undefined;
}

export function ownFetch(deps: OwnFetchDeps, { key, isBehind, searches, ...caller }: McpCaller): FetchLike {
  const { invoke, logger, dispatch, count } = deps;
  let counted: Promise<unknown> | undefined;
  const search = async (request: Request) => {
    if (searches?.newest !== undefined) request.headers.set(HEADERS.searchId, searches.newest);
    const answer = await dispatch(request, key);
    const searchId = answer.headers.get(HEADERS.searchId);
    if (searches && searchId !== null) {
      const { actions, more = [] } = (await answer.clone().json()) as SearchResponse;
      searches.add(
        searchId,
        [...actions, ...more].map(({ action }) => action),
      );
    }
    return answer;
  };
  return async (url, init) => {
    try {
      // One message of a client is one call, whatever has to be looked up for it.
      counted ??= count(key);
      await counted;
    } catch (error) {
      const problem = toProblem(error, logger);
      return Response.json(problem, { status: problem.status });
    }
    const { pathname } = new URL(url);
    if (pathname === PATHS.search) return search(new Request(url, init));
    if (pathname !== PATHS.invoke) return dispatch(new Request(url, init), key);

    const { headers, body: json = '', signal } = init;
    return answerWithEvents(signal, async (send) => {
      const body: unknown = JSON.parse(json);
      const call: CallRequest = {
        key,
        body,
        idempotencyKey: headers[HEADERS.idempotencyKey],
        timeoutMs: Number(headers[HEADERS.timeoutMs]),
        maxResultChars: Number(headers[HEADERS.maxResultChars]) || undefined,
        onDisconnect: (listener) => {
          if (signal.aborted) listener();
          else signal.addEventListener('abort', listener, { once: true });
        },
        onProgress: (progress) => {
          if (!isBehind()) send('progress', JSON.stringify(progress));
        },
        prefer: readPrefer(headers[HEADERS.prefer]),
        ask: readAsk(headers[HEADERS.ask]),
        ...caller,
        searchId: searches?.thatShowed(isObject(body) ? body.action : undefined),
      };
      await invoke(call).then(
        ({ json }) => send('result', json),
        (error: unknown) => send('error', JSON.stringify(toProblem(error, logger))),
      );
    });
  };
}

function toProblem(error: unknown, logger: Logger): Problem {
  const { retryAfterMs, ...problem } = toSvcError(error, logger, PATHS.mcp).toProblem();
  return problem;
}

/** The events of `work`, until it ends; the reason of `signal` as soon as that is aborted. */
function answerWithEvents(signal: AbortSignal, work: (send: (event: EventName, json: string) => void) => Promise<void>): Response {
  const encoder = new TextEncoder();
  const events = new ReadableStream<Uint8Array>({
    async start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      await work((event, json) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(eventText(event, json)));
      });
      if (!signal.aborted) controller.close();
    },
  });
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
}
