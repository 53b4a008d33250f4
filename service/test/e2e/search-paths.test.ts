/**
 * `POST /v1/search` is answered on its socket, by `node:http` or by hono. Each path gives the same answer: a request with a query string is
 * handled by `node:http`, a request with an escaped letter in its path by hono.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';
import { PlainRoute } from '../../src/http/plain-route';

const PATHS = { socket: '/v1/search', node: '/v1/search?a=1', hono: '/v1/%73earch' };

interface Sent {
  key?: string | undefined;
  headers?: string[];
  body?: string;
  version?: '1.0' | '1.1';
}

/** Values that differ from answer to answer. */
const OWN_VALUES = new Set(['date', 'svc-search-id', 'ratelimit-reset']);

test('each path gives the same answer to a search, byte for byte', async () => {
  const service = await startService({ limits: { requestBodyBytes: 5_000 } });
  await service.toolkit('Weather', (toolkit) => {
    for (let number = 0; number < 12; number++)
      toolkit.action(
        { action: `forecast_${number}`, actionDescription: `Förecast ☔ of day ${number}`, payloadDescription: SCHEMA },
        () => 1,
      );
    toolkit.action({ action: 'atlas', actionDescription: 'Draws maps', payloadDescription: LONG_SCHEMA }, () => 1);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'finds' });
  const { key: toolkitKey } = await service.keys.create({ kind: 'toolkit', name: 'Other' });
  const { key: limited } = await service.keys.create({ kind: 'agent', name: 'limited', callsPerMinute: 4 });
  const search = (of: object) => JSON.stringify(of);
  const forecast = search({ query: 'forecast' });
  const requests: [what: string, sent: Sent][] = [
    ['a search', { key, body: forecast }],
    ['a small answer', { key, body: search({ query: 'forecast of day', limit: 3, maxTokens: 200 }) }],
    ['the id of an action', { key, body: search({ query: 'weather__forecast_3' }) }],
    ['the id of an action with a long schema', { key, body: search({ query: 'weather__atlas' }) }],
    ['words that find nothing', { key, body: search({ query: 'zebra' }) }],
    ['no words', { key, body: search({ query: '' }) }],
    ['a long query', { key, body: search({ query: 'forecast '.repeat(300) }) }],
    ['unknown fields', { key, body: search({ query: 'forecast', colour: 'red' }) }],
    ['a limit out of range', { key, body: search({ query: 'forecast', limit: 99 }) }],
    ['three wrong fields', { key, body: search({ query: 1, limit: 'x', maxTokens: 1 }) }],
    ['no JSON', { key, body: '{"query":' }],
    ['no body', { key, body: '' }],
    ['deep JSON', { key, body: '['.repeat(2_000) }],
    ['a body that is too large', { key, body: search({ query: 'x'.repeat(6_000) }) }],
    ['a charset', { key, headers: ['Content-Type: application/json; charset=utf-8'], body: search({ query: 'Förecast ☔' }) }],
    ['an unknown key', { key: 'svc_agent_none', body: forecast }],
    ['no key', { body: forecast }],
    ['a toolkit key', { key: toolkitKey, body: forecast }],
    ['another scheme', { headers: ['Authorization: Basic YTpi'], body: forecast }],
    ['a session', { key, headers: ['Svc-Session-Id: chat/7', 'Svc-User-Id: ada', 'Svc-Search-Id: a.b'], body: forecast }],
    ['a wrong user', { key, headers: ['Svc-User-Id: two words'], body: forecast }],
    ['HTTP/1.0', { key, version: '1.0', body: forecast }],
    ['event streams', { key, headers: ['Accept: text/event-stream'], body: forecast }],
    ['a key with a rate limit', { key: limited, body: forecast }],
  ];
  const handlePlain = vi.spyOn(PlainRoute.prototype, 'handlePlain');
  for (const [what, sent] of requests) {
    const before = handlePlain.mock.calls.length;
    const socket = await answerOf(service, PATHS.socket, sent);
    if (socket.status.endsWith('200 OK')) expect(JSON.stringify(JSON.parse(socket.body)), what).toBe(socket.body);
    if (what === 'a search') expect(handlePlain.mock.calls.length).toBe(before + 1);
    const plainRequests = handlePlain.mock.calls.length;
    for (const path of [PATHS.node, PATHS.hono]) {
      const answer = await answerOf(service, path, sent);
      expect(answer.head.get('ratelimit-remaining') === undefined, what).toBe(sent.key !== limited);
      answer.head.delete('ratelimit-remaining');
      socket.head.delete('ratelimit-remaining');
      expect(answer, `${what}, ${path}`).toEqual(socket);
    }
    expect(handlePlain.mock.calls.length).toBe(plainRequests);
  }
  await answerOf(service, PATHS.socket, { key: limited, body: forecast });
  for (const path of Object.values(PATHS)) {
    const refused = await answerOf(service, path, { key: limited, body: forecast });
    expect([refused.status, refused.head.get('retry-after') !== undefined]).toEqual(['HTTP/1.1 429 Too Many Requests', true]);
  }
});

test('chunked, pipelined and aborted searches on one service', async () => {
  const service = await startService();
  await service.toolkit('Weather', (toolkit) => toolkit.action({ action: 'forecast', actionDescription: 'Forecast' }, () => 1));
  const { key } = await service.keys.create({ kind: 'agent', name: 'finds' });
  const one = { key, body: JSON.stringify({ query: 'forecast' }) };
  const chunked = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{"query":"forecast"}\r\n0\r\n\r\n`;
  const expected = await answerOf(service, PATHS.socket, one);
  for (const path of Object.values(PATHS)) {
    expect(await answersTo(service, chunked(path), 1), path).toEqual([expected]);
    const pipelined = textOf(path, one).repeat(3);
    expect(await answersTo(service, pipelined, 3), path).toEqual([expected, expected, expected]);
    const aborted = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
    await once(aborted, 'connect');
    aborted.write(textOf(path, one).slice(0, -5));
    aborted.destroy();
  }
  expect(await answerOf(service, PATHS.socket, one)).toEqual(expected);
});

const SCHEMA = { city: { type: 'string', description: 'Name of the city, as Zürich or 東京', required: true }, days: { type: 'integer' } };

/** Longer than the texts that a form keeps. */
const LONG_SCHEMA = Object.fromEntries(
  Array.from({ length: 100 }, (_, number) => [`layer_${number}`, { type: 'string', description: `What to draw on layer ${number}` }]),
);

function textOf(path: string, { key, headers = [], body = '', version = '1.1' }: Sent): string {
  const lines = [`POST ${path} HTTP/${version}`, 'Host: x', `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`);
  return [...lines, '', body].join('\r\n');
}

async function answerOf(service: TestService, path: string, sent: Sent) {
  const [answer] = await answersTo(service, textOf(path, sent), 1);
  return answer ?? expect.unreachable('There is an answer');
}

/** Resolves with so many answers, or with fewer when the connection closes. */
async function answersTo(service: TestService, text: string, count: number) {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
  let received = Buffer.alloc(0);
  return new Promise<Answer[]>((resolve) => {
    const done = () => {
      socket.destroy();
      resolve(answersIn(received));
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (answersIn(received).length === count) done();
    });
    socket.on('error', () => undefined);
    socket.on('close', done);
    socket.write(text);
  });
}

interface Answer {
  status: string;
  head: Map<string, string | undefined>;
  body: string;
}

function answersIn(bytes: Buffer): Answer[] {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [status = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    return [name.toLowerCase(), value];
  });
  const head = new Map(fields.sort().map(([name, value]) => [name, OWN_VALUES.has(name) ? '…' : value]));
  const bodyEnd = end + 4 + Number(head.get('content-length'));
  if (bytes.length < bodyEnd) return [];
  return [{ status, head, body: bytes.toString('utf8', end + 4, bodyEnd) }, ...answersIn(bytes.subarray(bodyEnd))];
}
