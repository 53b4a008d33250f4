/**
 * The way of a conversation's `Tools` to the service: as the signed-in person, with one of their agent keys. The requests are those of an agent, at
 * `/v1/keys/<id>/…`. Questions to a person are asked here, and the same request is made again afterwards.
 */
import type { RequiredApproval } from '#sdk/protocol/approvals';
import type { RequiredConnection } from '#sdk/protocol/connections';
import type { Problem } from '#sdk/protocol/errors';
import { HEADERS, PATHS, type Progress } from '#sdk/protocol/http';
import type { RunAsk } from '#sdk/protocol/runs';
import { readEvents } from '#sdk/protocol/sse';
import type { FetchLike } from '#sdk/tools/http-client';

/** The answer to one request. */
export interface ServiceAnswer {
  /** As an agent asks, such as `/v1/search`. */
  path: string;
  status: number;
  /** The JSON of the answer: a result, or a problem document. */
  body: unknown;
  ms: number;
}

export type OpenAsk = { approval: RequiredApproval; of?: RunAsk } | { connect: RequiredConnection & { url: string } };

interface TransportHooks {
  onProgress(progress: Progress): void;
  onExchange(exchange: ServiceAnswer): void;
  /** Resolves with whether the request shall be made again. Rejects when the signal aborts. */
  ask(asked: OpenAsk, signal: AbortSignal): Promise<boolean>;
}

/** Reading waits for people as long as the conversation is open; the service itself waits so long for a result. */
const CALL_MS = '60000';
const RUN_WAIT = 'respond-async, wait=45';

export function keyTransport(keyId: string, hooks: TransportHooks): FetchLike {
  return async (url, { method, headers: given, body, signal }) => {
    const path = new URL(url).pathname;
    const { authorization: _, ...headers } = given;
    const isCall = path === PATHS.invoke;
    const init = {
      method,
      signal,
      headers: { ...headers, [HEADERS.timeoutMs]: CALL_MS, ...(isCall && { accept: 'text/event-stream' }) },
      ...(body !== undefined && { body }),
    };
    const ownPath = (agentPath: string) => agentPath.replace(/^\/v1\//, `/v1/keys/${keyId}/`);
    // It may be sent while a call runs, whose exchanges the conversation shows.
    if (path === PATHS.usage) return fetch(ownPath(path), init);
    const asked = new Set<string>();
    for (let at = path, sent: RequestInit = init; ; ) {
      const startedAt = performance.now();
      const response = await fetch(ownPath(at), sent);
      const answer = await read(response, hooks.onProgress);
      hooks.onExchange({ path, ...answer, ms: performance.now() - startedAt });
      const open = questionsIn(answer.body).filter((question) => !asked.has(nameOf(question)));
      let again = false;
      for (const question of open) {
        asked.add(nameOf(question));
        if (await hooks.ask(question, signal)) again = true;
      }
      const run = runIn(answer.body);
      if (!again) return asJson(answer, response.headers);
      // A run goes on by itself, and is followed; a call is made again with its idempotency key.
      if (run !== undefined) [at, sent] = [`${PATHS.runs}/${run}`, { method: 'GET', signal, headers: { prefer: RUN_WAIT } }];
    }
  };
}

function asJson({ status, body }: Pick<ServiceAnswer, 'status' | 'body'>, ofStream: Headers): Response {
  const headers = new Headers(ofStream);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
}

/** A stream becomes the status and the body that the call would have without one. */
async function read(response: Response, onProgress: (progress: Progress) => void): Promise<Pick<ServiceAnswer, 'status' | 'body'>> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body)
    return { status: response.status, body: await response.json().catch(() => null) };
  for await (const { event, data } of readEvents(response.body)) {
    const value: unknown = JSON.parse(data);
    if (event === 'progress') onProgress(value as Progress);
    else if (event === 'result') return { status: 200, body: value };
    else if (event === 'error') return { status: (value as Problem).status, body: value };
  }
  throw new TypeError('the stream ended before the result');
}

function questionsIn(body: unknown): OpenAsk[] {
  const { code, approval, connect, status, asks } = (body ?? {}) as Partial<Omit<Problem, 'status'>> & {
    status?: unknown;
    asks?: RunAsk[];
  };
  if (code === 'APPROVAL_REQUIRED' && approval) return [{ approval }];
  if (code === 'CONNECTION_REQUIRED' && connect?.url !== undefined) return [{ connect: { ...connect, url: connect.url } }];
  if (status !== 'waiting' || !asks) return [];
  return asks.flatMap((of): OpenAsk[] => {
    if (of.approval) return [{ approval: of.approval, of }];
    return of.connect?.url === undefined ? [] : [{ connect: { ...of.connect, url: of.connect.url } }];
  });
}

function nameOf(asked: OpenAsk): string {
  return 'approval' in asked ? asked.approval.id : asked.connect.toolkit;
}

function runIn(body: unknown): string | undefined {
  const { run } = (body ?? {}) as { run?: unknown };
  return typeof run === 'string' ? run : undefined;
}
