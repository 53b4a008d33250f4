/** The limits of strangers and slow clients: bodies, connections and answers. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

interface Client {
  socket: Socket;
  received(): string;
}

async function dial({ port }: { port: number }): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  // The service resets connections that it refuses.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received: () => received };
}

const head = (path: string, headers: Record<string, string | number>) =>
  `POST ${path} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

async function answered(client: Client): Promise<number> {
  return vi.waitFor(() => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(client.received())?.[1];
    if (status === undefined) throw new Error('no answer');
    return Number(status);
  });
}

const STRANGERS = [
  `${ADMIN_PATHS.invitations}/preview`,
  `${ADMIN_PATHS.invitations}/accept`,
  `${ADMIN_PATHS.auth}/sign-in/email`,
  `${ADMIN_PATHS.auth}/sign-out`,
  `${ADMIN_PATHS.auth}/passkey/verify-authentication`,
];

test.each(STRANGERS)('POST %s refuses a large body before it is there, announced, chunked or compressed', async (path) => {
  const service = await startConsole();
  const own = { host: new URL(service.url).host, origin: service.url, 'content-type': 'application/json' };
  const announced = await dial(service);
  announced.socket.write(head(path, { ...own, 'content-length': 1_000_000 }));
  announced.socket.write(`{"token":"${'x'.repeat(5_000)}`);
  expect(await answered(announced)).toBe(413);

  const chunked = await dial(service);
  chunked.socket.write(head(path, { ...own, 'transfer-encoding': 'chunked' }));
  chunked.socket.write(`${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`);
  expect(await answered(chunked)).toBe(413);

  const compressed = await service.as().ask('POST', path, undefined, {
    body: gzipSync('[1,'.repeat(1_000_000)),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(compressed.status).toBeOneOf([400, 413]);
});

test.each(['preview', 'accept'])('a one-time link checks origin and attempts before it reads %s', async (route) => {
  const service = await startConsole();
  const path = `${ADMIN_PATHS.invitations}/${route}`;
  const half = async (origin: string) => {
    const client = await dial(service);
    client.socket.write(head(path, { host: new URL(service.url).host, origin, 'content-type': 'application/json', 'content-length': 100 }));
    client.socket.write('{"tok');
    return client;
  };
  expect(await answered(await half('https://elsewhere.example'))).toBe(403);
  const joining = { name: 'Nora', email: 'nora@example.com', password: 'seven blue whales' };
  const guess = () => service.as().ask('POST', path, { token: 'inv_guess', ...(route === 'accept' && joining) });
  await vi.waitFor(async () => expect((await guess()).status).toBe(429));
  expect(await answered(await half(service.url))).toBe(429);
});

test('half-sent bodies are bounded in all: the oldest large ones are refused, and other requests pass', async () => {
  const service = await startService({ limits: { unfinishedBodyBytes: 1_000_000 } });
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const headers = { host: '127.0.0.1', authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const routes = [PATHS.invoke, PATHS.search, PATHS.resolve, PATHS.mcp];
  const clients: Client[] = [];
  for (let count = 0; count < 40; count++) {
    const client = await dial(service);
    const framing: Record<string, string | number> = count % 8 < 4 ? { 'content-length': 2_000_000 } : { 'transfer-encoding': 'chunked' };
    client.socket.write(head(routes[count % 4] ?? '', { ...headers, ...framing }));
    client.socket.write(count % 8 < 4 ? `"${'x'.repeat(100_000)}` : `${(100_001).toString(16)}\r\n"${'x'.repeat(100_000)}\r\n`);
    clients.push(client);
    await delay(5);
  }
  const refused = () => clients.filter((client) => client.received().startsWith('HTTP/1.1 503'));
  await vi.waitFor(() => expect(refused().length).toBeGreaterThanOrEqual(30));
  for (const client of refused()) expect(client.received().toLowerCase()).toContain('retry-after: 1');
  // The oldest are refused, so the last ones still wait.
  expect(clients.slice(-5).map((client) => client.received())).toEqual(['', '', '', '', '']);

  const call = (bytes: number) =>
    fetch(service.url + PATHS.invoke, {
      method: 'POST',
      headers,
      body: JSON.stringify({ action: 'echo__echo', payload: { text: 'x'.repeat(bytes) } }),
    });
  expect((await call(10)).status).toBe(200);
  expect((await call(500_000)).status).toBe(200);
});

test('above the limit a connection gets 503 and is closed; toolkits do not count, and idle connections give way', async () => {
  const service = await startService({ limits: { connections: 20 } });
  const toolkits = await Promise.all(Array.from({ length: 10 }, () => RawToolkit.connect(service)));
  const clients = await Promise.all(Array.from({ length: 40 }, () => dial(service)));
  const refused = () => clients.filter((client) => client.received().startsWith('HTTP/1.1 503'));
  await vi.waitFor(() => expect(refused().length).toBeGreaterThanOrEqual(20));
  for (const client of refused()) expect(client.received()).toContain('Retry-After: 1');
  expect(clients.filter(({ socket }) => !socket.closed).length).toBeLessThanOrEqual(20);
  // Connections without a request are closed after a second or two when it is crowded.
  await vi.waitFor(async () => expect((await fetch(`${service.url}/healthz`)).status).toBe(200));
  expect(toolkits.filter(({ closed }) => closed)).toEqual([]);
});

/** More than the buffers of a connection hold, less than the largest frame. */
const LARGE_CHARS = 8_000_000;

async function startLarge(): Promise<{ service: TestService; key: string }> {
  const service = await startService({ limits: { answerTimeoutMs: 1_000, resultBytes: 2 * LARGE_CHARS } });
  await service.toolkit('large', (toolkit) => {
    toolkit.action({ action: 'text', actionDescription: 'Returns a large text' }, () => 'x'.repeat(LARGE_CHARS));
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  return { service, key };
}

/** The readers of requests: the fast path, node:http, a stream. */
const WAYS_IN = [{}, { 'x-forwarded-for': '::1', te: 'trailers' }, { accept: 'text/event-stream' }];

test('a caller that does not read its answer is disconnected, for every request parser', async () => {
  const { service, key } = await startLarge();
  const body = JSON.stringify({ action: 'large__text', payload: {} });
  const readBytes = async (extra: object) => {
    const { socket } = await dial(service);
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      ...extra,
    };
    socket.write(head(PATHS.invoke, headers) + body);
    const closed = once(socket, 'close');
    // The answer has begun, however long the service took for it.
    await once(socket, 'data');
    socket.pause();
    await delay(3_000);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await closed;
    return bytes;
  };
  for (const bytes of await Promise.all(WAYS_IN.map(readBytes))) {
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(LARGE_CHARS);
  }
});

test('a caller that reads its large answer slowly is served', async () => {
  const { service, key } = await startLarge();
  const answer = await fetch(service.url + PATHS.invoke, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'large__text', payload: {} }),
  });
  await delay(300);
  expect(((await answer.json()) as { result: string }).result).toHaveLength(LARGE_CHARS);
});
