/**
 * The reader of plain requests beside `node:http` alone: the same bytes, in the same chunks, give the same calls, searches and answers, byte for byte, and
 * the connection ends alike.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HEADERS } from '#sdk/protocol/http';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { AnsweredCall, CallRequest } from '../../../src/calls/call-request';
import { AgentGate } from '../../../src/http/agent-gate';
import { FastConnections } from '../../../src/http/fast-path/connections';
import { LentSocket } from '../../../src/http/fast-path/lent-socket';
import { InvokeRoute } from '../../../src/http/invoke-route';
import { PlainRoute } from '../../../src/http/plain-route';
import { RequestBodies } from '../../../src/http/read-body';
import { SearchRoute } from '../../../src/http/search-route';
import { UsageReports } from '../../../src/http/usage-reports';
import { AgentTokens } from '../../../src/keys/agent-tokens';
import { KeyRing } from '../../../src/keys/key-ring';
import { hashKey, makeKey } from '../../../src/keys/key-text';
import { RateLimits } from '../../../src/keys/rate-limit';
import { silentLogger } from '../../../src/lib/logger';
import type { KeyRecord, Store } from '../../../src/store/store';
import { exchangeBytes } from './raw-http';

const GOOD_KEY = makeKey('agent');
const LIMITED_KEY = makeKey('agent');
const KEYS: Record<string, Partial<KeyRecord>> = {
  [GOOD_KEY]: {},
  [LIMITED_KEY]: { callsPerMinute: 100_000 },
  [makeKey('agent')]: { revokedAt: 1 },
  [makeKey('toolkit')]: { kind: 'toolkit', toolkitId: 'shop' },
};
const MAX_BODY_BYTES = 200;

interface Side {
  server: Server;
  /** The requests that the service received. */
  seen: unknown[];
}

let plain: Side;
let fast: Side;

beforeAll(async () => {
  plain = await startSide(false);
  fast = await startSide(true);
});
afterAll(() => {
  plain.server.close();
  fast.server.close();
});

async function startSide(isFast: boolean): Promise<Side> {
  const seen: unknown[] = [];
  const store = storeOf(KEYS);
  const keys = new KeyRing(store);
  const gate = new AgentGate(keys, new AgentTokens({ settings: store.settings, oauth: store.oauth, keys }), new RateLimits(store));
  gate.onRefused((keyId, code) => seen.push({ keyId, code }));
  const bodies = new RequestBodies({ ...DEFAULT_LIMITS, requestBodyBytes: MAX_BODY_BYTES });
  const shared = { gate, bodies, usageReports: new UsageReports(undefined), logger: silentLogger };
  const invoke = new InvokeRoute({
    ...shared,
    begin: (call, answer) => {
      const { json, status } = answerOf(call, seen);
      answer(undefined, json, status);
    },
    invoke: async (call) => answerOf(call, seen),
  });
  const search = new SearchRoute({ ...shared, ...emptyCatalogue(seen) });
  const server = createServer((request, response) => {
    const path = request.method === 'POST' ? request.url?.split('?')[0] : undefined;
    if (path === '/v1/invoke') void invoke.handle(request, response);
    else if (path === '/v1/search') void search.handle(request, response);
    else echo(request, response, seen);
  });
  readByEvents(server);
  if (isFast)
    new FastConnections({
      server,
      handlers: { '/v1/invoke': invoke.plain, '/v1/search': search.plain },
      headers: {},
      bodies,
      answerTimeoutMs: DEFAULT_LIMITS.answerTimeoutMs,
      isCrowded: () => false,
      requestEnded: () => {},
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, seen };
}

/**
 * `node:http` reads a socket by itself, or by `data` events as after a hand-over. Where garbage follows a request in one chunk, this decides whether the
 * answer is written before the connection ends.
 */
function readByEvents(server: Server): void {
  const [listener] = server.listeners('connection') as [(socket: Socket) => void];
  server.off('connection', listener).on('connection', (socket) => {
    listener.call(server, socket);
    socket.on('data', () => {});
  });
}

/** Answers within the turn of the event loop, so that no answer depends on when the next chunk arrives. */
function answerOf({ key, onProgress, onDisconnect: _, ...call }: CallRequest, seen: unknown[]): AnsweredCall {
  seen.push({ keyId: key.id, ...call });
  onProgress?.({ progress: 1 });
  return { json: JSON.stringify({ keyId: key.id, ...call }), status: call.prefer?.respondAsync ? 202 : 200 };
}

/** Searches find nothing; their queries are recorded. */
function emptyCatalogue(
  seen: unknown[],
): Omit<ConstructorParameters<typeof SearchRoute>[0], 'gate' | 'bodies' | 'usageReports' | 'logger'> {
  const catalogue = {
    catalog: { action: () => undefined, toolkit: () => undefined },
    ranking: { search: () => [] },
    online: { has: () => false },
    searches: {
      searched: (search: object) => {
        seen.push(search);
        return 'node.7';
      },
    },
    limits: DEFAULT_LIMITS,
    metrics: undefined,
  };
  return catalogue as unknown as ReturnType<typeof emptyCatalogue>;
}

function echo({ method, url, headers }: IncomingMessage, response: ServerResponse, seen: unknown[]): void {
  seen.push({ method, url, headers });
  response.setHeader('content-type', 'text/plain');
  response.end(`${method} ${url}`);
}

function storeOf(keys: Record<string, Partial<KeyRecord>>): Store {
  const records = Object.entries(keys).map(
    ([text, changes], index): KeyRecord => ({
      id: `key_${index}`,
      hash: hashKey(text),
      kind: 'agent',
      name: 'fuzz',
      toolkitId: null,
      allow: null,
      callsPerMinute: null,
      budget: null,
      rules: null,
      code: false,
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
      ownerId: null,
      clientId: null,
      ...changes,
    }),
  );
  return {
    keys: { findByHash: async (hash: string) => records.find((record) => record.hash === hash) },
    settings: {},
    counter: ({ points, seconds }: { points: number; seconds: number }) => new RateLimiterMemory({ points, duration: seconds }),
  } as unknown as Store;
}

/** Times differ between the two. */
function comparable(answers: string): string {
  return answers.replace(/^Date: .*GMT\r$/gm, 'Date: …\r').replace(/^ratelimit-reset: \d+\r$/gm, 'ratelimit-reset: …\r');
}

const token = fc.constantFrom(...Object.keys(KEYS), makeKey('agent'), 'sk-123', '').map((key) => `Bearer ${key}`);

const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ action: fc.constant('shop__buy'), payload: fc.jsonValue({ maxDepth: 2 }) }).map((call) => JSON.stringify(call)),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ query: fc.string(), limit: fc.integer({ min: -1, max: 60 }), unknown: fc.boolean() }, { requiredKeys: ['query'] })
      .map((search) => JSON.stringify(search)),
  },
  fc.constantFrom(
    '',
    '{',
    'null',
    '\u0000',
    '{"action":"ä ö 漢字 🙂"}',
    ' {"action": "a__b"}\r\n',
    `"${'x'.repeat(MAX_BODY_BYTES - 2)}"`,
    `"${'x'.repeat(MAX_BODY_BYTES)}"`,
  ),
);

/** Headers that clients and proxies send, in their spellings. */
const harmless = fc.constantFrom(
  'Prefer: respond-async',
  'prefer: wait=5',
  'accept: */*',
  'Accept: application/json, text/plain',
  'accept-encoding: gzip, deflate',
  'accept-language: *',
  'Content-Type: application/json',
  'content-type:application/json',
  'sec-fetch-mode: cors',
  'user-agent: node',
  'User-Agent: python-httpx/0.28',
  'connection: keep-alive',
  'Connection: Keep-Alive',
  'X-Forwarded-For: 10.0.0.1',
  'x-request-id: 1',
  'Via: 1.1 proxy',
  'cookie: a=b',
  `${HEADERS.idempotencyKey}: order-1`,
  'Idempotency-Key: with space',
  `Idempotency-Key: ${'x'.repeat(256)}`,
  `${HEADERS.timeoutMs}: 1500`,
  'Svc-Timeout-Ms: soon',
  `${HEADERS.maxResultChars}: 2000`,
  `${HEADERS.maxResultChars}: 1`,
  `${HEADERS.searchId}: node.1`,
  `${HEADERS.sessionId}: chat/7`,
  `${HEADERS.userId}: two words`,
  `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  'traceparent: none',
  'tracestate: a=1',
);

/** Requests that must be left to `node:http`, and requests of attackers. */
const tricks = fc.constantFrom(
  'transfer-encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: xchunked',
  'transfer-encoding : chunked',
  'transfer-encoding:\tchunked',
  'X: y\r\n transfer-encoding: chunked',
  'X-Folded: a\r\n b',
  'x-folded: a\r\n\tb',
  'content-length: 0',
  'Content-Length: 5',
  'content-length : 5',
  'content-length: +5',
  'content-length: 5, 5',
  'content-length: 0x5',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'content-length:',
  'content_length: 5',
  'host: other',
  'host:',
  'Host : other',
  'expect: 100-continue',
  'Expect: nothing',
  'connection: close',
  'Connection: keep-alive, upgrade',
  'connection: close, keep-alive',
  'proxy-connection: keep-alive',
  'upgrade: websocket',
  'Upgrade: h2c',
  'te: trailers',
  'trailer: x',
  'origin: https://evil.example',
  'accept: text/event-stream',
  'accept: application/json',
  'authorization: Basic YTpi',
  'x-nul: a\u0000b',
  'x-bell: a\u0007b',
  'x-high: \u00e9',
  'x-bare-cr: a\rb',
  'x-bare-lf: a\nb',
  'x-tab: a\tb',
  'x-empty:',
  'x-space:  two',
  'x-trailing: a ',
  ' leading: a',
  'no colon',
  ': no name',
  'name with space: a',
  'na(me: a',
  `x-long: ${'a'.repeat(7_000)}`,
  `x-huge: ${'a'.repeat(20_000)}`,
  ...['unknown: 1', '__proto__: 1', 'constructor: 1', 'x-: 1', 'X: 1'],
);

const requestLine = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom('POST /v1/invoke HTTP/1.1', 'POST /v1/search HTTP/1.1') },
  { weight: 15, arbitrary: fc.constantFrom('POST /v1/resolve HTTP/1.1', 'PUT /v1/nothing HTTP/1.1') },
  fc.constantFrom(
    'POST /v1/invoke?a=1 HTTP/1.1',
    'POST /v1/search?a=1 HTTP/1.1',
    'POST /v1/search HTTP/1.0',
    'GET /v1/search HTTP/1.1',
    'POST /v1/invoke/ HTTP/1.1',
    'POST /V1/invoke HTTP/1.1',
    'POST http://127.0.0.1/v1/invoke HTTP/1.1',
    'POST //v1/invoke HTTP/1.1',
    'POST /v1/%69nvoke HTTP/1.1',
    'POST  /v1/invoke HTTP/1.1',
    'POST /v1/invoke  HTTP/1.1',
    'POST\t/v1/invoke HTTP/1.1',
    'POST /v1/invoke HTTP/1.0',
    'POST /v1/invoke HTTP/1.2',
    'POST /v1/invoke HTTP/2.0',
    'POST /v1/invoke http/1.1',
    'POST /v1/invoke',
    'post /v1/invoke HTTP/1.1',
    'PUT /v1/invoke HTTP/1.1',
    'GET /healthz HTTP/1.1',
    'OPTIONS /v1/invoke HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT 127.0.0.1:80 HTTP/1.1',
    'PRI * HTTP/2.0',
    '\r\nPOST /v1/invoke HTTP/1.1',
  ),
);

const lineEnd = fc.oneof({ weight: 60, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', '\r\r\n'));

const request = fc
  .record({
    line: requestLine,
    lineEnd,
    auth: fc.oneof({ weight: 4, arbitrary: fc.constant(`Bearer ${GOOD_KEY}`) }, token),
    headers: fc.uniqueArray(harmless, { maxLength: 6, selector: (line) => line.split(':')[0]?.toLowerCase() }),
    trick: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, tricks),
    trickAt: fc.nat(8),
    body,
    lengthError: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1, 30)),
  })
  .map(({ line, lineEnd: end, auth, headers, trick, trickAt, body: content, lengthError }) => {
    const length = Math.max(0, Buffer.byteLength(content) + lengthError);
    const lines = ['host: localhost', `authorization: ${auth}`, `content-length: ${length}`, ...headers];
    if (trick !== undefined) lines.splice(trickAt, 0, trick);
    return Buffer.concat([Buffer.from([line, ...lines, '', ''].join(end), 'latin1'), Buffer.from(content)]);
  });

const CHUNKED = Buffer.from(
  `POST /v1/invoke HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${GOOD_KEY}\r\ntransfer-encoding: chunked\r\n\r\n18\r\n{"action":"shop__buy"  }\r\n0\r\n\r\n`,
);

interface Mutation {
  at: number;
  kind: 'insert' | 'delete' | 'replace';
  byte: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('insert', 'delete', 'replace'),
  byte: fc.oneof(fc.constantFrom(...Buffer.from('\r\n :,\t\0{"')), fc.nat(255)),
});

const stream = fc
  .record({
    requests: fc.array(fc.oneof({ weight: 8, arbitrary: request }, fc.constant(CHUNKED)), { minLength: 1, maxLength: 4 }),
    mutations: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(mutation, { maxLength: 3 })),
    isCutBetween: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    cuts: fc.oneof(fc.constant([]), fc.array(fc.nat(), { maxLength: 4 })),
  })
  .map(({ requests, mutations, isCutBetween, cuts }) => {
    const ends = requests.map((_, index) => Buffer.concat(requests.slice(0, index + 1)).length);
    const bytes = (mutations as Mutation[]).reduce(mutate, Buffer.concat(requests));
    return chunksOf(bytes, [...(isCutBetween ? ends : []), ...cuts]);
  });

function mutate(bytes: Buffer, { at, kind, byte }: Mutation): Buffer {
  const place = at % (bytes.length + 1);
  const inserted = kind === 'delete' ? [] : [byte];
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(inserted), bytes.subarray(kind === 'insert' ? place : place + 1)]);
}

/** Latin-1, so that a failure shows them as text. */
function chunksOf(bytes: Buffer, cuts: number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, index) => {
    const chunk = bytes.toString('latin1', places[index], end);
    return chunk.length > 0 ? [chunk] : [];
  });
}

async function fateOf({ server, seen }: Side, chunks: string[]) {
  const before = seen.length;
  const answers = await exchangeBytes(server, chunks);
  // `node:http` runs pipelined requests side by side.
  const asked = seen.slice(before).map((it) => JSON.stringify(it));
  return { asked: asked.sort(), answers: comparable(answers) };
}

/** More of them: `SVC_FUZZ_RUNS=50000 SVC_FUZZ_SEED=7 npx vitest run service/test/unit/http`. */
const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 1_500);
const SEED = Number(process.env.SVC_FUZZ_SEED ?? 14);

test('any bytes are read and answered as node:http alone does', { timeout: 60_000 + RUNS * 20 }, async () => {
  const handlePlain = vi.spyOn(PlainRoute.prototype, 'handlePlain');
  const takeBack = vi.spyOn(LentSocket.prototype, 'takeBack');
  await fc.assert(
    fc.asyncProperty(stream, async (chunks) => {
      expect(await fateOf(fast, chunks)).toEqual(await fateOf(plain, chunks));
    }),
    { numRuns: RUNS, seed: SEED },
  );
  for (const path of ['/v1/invoke', '/v1/search']) {
    const plainRequests = handlePlain.mock.calls.filter(([{ head }]) => head.path === path);
    expect(plainRequests.length, `requests of ${path} that the reader took`).toBeGreaterThan(RUNS / 8);
  }
  expect(takeBack.mock.results.filter(({ value }) => value).length, 'sockets that came back').toBeGreaterThan(RUNS / 10);
});
