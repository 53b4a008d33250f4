/** Requests of an agent's client and the service's answers, as test/vectors has them, and a service that gives these answers. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { type Bindings, expectMatch, fillInAll } from './match';

/** Null: there is none of that name. */
type Headers = Record<string, string | null>;

export interface VectorResponse {
  status: number;
  headers?: Headers;
  body?: unknown;
  /** The bytes of a body that is not JSON. */
  text?: string;
  events?: { event: string; data: unknown }[];
}

export interface Exchange {
  request: { method: string; path: string; query?: Record<string, string>; headers?: Headers; body?: unknown; text?: string };
  /** Members of the request's body that must not be there. */
  absent?: string[];
  response: VectorResponse;
  /** Numbers, from 1, of exchanges that are answered before this one. */
  after?: number[];
}

export interface ReceivedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface VectorService {
  url: string;
  received: ReceivedRequest[];
  /** The request that got the answer of this exchange. */
  requestOf(exchange: Exchange): ReceivedRequest | undefined;
}

/** Returns each exchange once, to the first matching request, in any order. */
export async function startVectorService(exchanges: readonly Exchange[], bindings: Bindings = new Map()): Promise<VectorService> {
  const received: ReceivedRequest[] = [];
  const taken = new Map<Exchange, ReceivedRequest>();
  const given = exchanges.map(() => Promise.withResolvers<void>());
  const server = createServer(async (incoming, response) => {
    const sent = await text(incoming).catch(() => undefined);
    // The client ended in the middle of its request, as a process does at the end of a test.
    if (sent === undefined) return;
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://localhost');
    const request = {
      method: incoming.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: incoming.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    };
    received.push(request);
    const index = exchanges.findIndex((exchange) => !taken.has(exchange) && isLike(request, exchange));
    const exchange = exchanges[index];
    if (!exchange) {
      response.writeHead(400).end();
      return;
    }
    taken.set(exchange, request);
    await Promise.all((exchange.after ?? []).map((number) => given[number - 1]?.promise));
    sendResponse(response, fillInAll(exchange.response, bindings) as VectorResponse);
    given[index]?.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, requestOf: (exchange) => taken.get(exchange) };
}

export function bodyOf({ body, text: raw, events }: VectorResponse): string {
  if (events) return events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return raw ?? JSON.stringify(body);
}

export function headersOf({ status, events, headers = {} }: VectorResponse): Record<string, string> {
  const type = events ? 'text/event-stream' : status < 400 ? 'application/json' : 'application/problem+json';
  return { 'content-type': type, ...presentHeaders(headers) };
}

export function presentHeaders(headers: Headers = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => header[1] !== null));
}

function sendResponse(response: ServerResponse, answer: VectorResponse): void {
  response.writeHead(answer.status, headersOf(answer)).end(bodyOf(answer));
}

function isLike(request: ReceivedRequest, { request: { method, path, query = {}, body } }: Exchange): boolean {
  try {
    expectMatch(request, { method, path, ...(body !== undefined && { body }) }, new Map());
    return isDeepStrictEqual(request.query, query);
  } catch {
    return false;
  }
}

/** Tolerance below `svc-timeout-ms`: the time until the request is sent. */
const TIMEOUT_TOLERANCE_MS = 1_000;

/** Compares headers, and fails for a `svc-` header that is not expected. */
export function expectHeaders(actual: IncomingHttpHeaders, expected: Headers, bindings: Bindings, path: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const sent = actual[name] ?? null;
    if (name === 'svc-timeout-ms') expect(Number(value) - Number(sent), `${path} ${name}: ${sent}`).toSatisfy(isLittle);
    else expectMatch(sent, value, bindings, `${path} ${name}`);
  }
  const surplus = Object.keys(actual).filter((name) => name.startsWith('svc-') && !(name in expected));
  expect(surplus, `${path}: headers`).toEqual([]);
}

function isLittle(ms: number): boolean {
  return ms >= 0 && ms < TIMEOUT_TOLERANCE_MS;
}
