/** Connections whose plain requests are read before `node:http`: their timeouts, their callers that leave, and their end. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FastConnections } from '../../../src/http/fast-path/connections';
import type { PlainRequest } from '../../../src/http/fast-path/plain-request';
import { RequestBodies } from '../../../src/http/read-body';

const HEADERS_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 5_000;

async function startServer() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const calls: (PlainRequest & { body: string })[] = [];
  const ended: [path: string, status: number][] = [];
  const server = createServer((_request, response) => response.end('node:http'));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const handler = {
    mayReadBody: () => true,
    handlePlain: (call: PlainRequest, body: string) => void calls.push(Object.assign(call, { body })),
  };
  const connections = new FastConnections({
    server,
    handlers: { '/v1/invoke': handler, '/v1/search': handler },
    headers: {},
    bodies: new RequestBodies({ requestBodyBytes: 1_000_000, unfinishedBodyBytes: 1_000_000 }),
    answerTimeoutMs: 120_000,
    isCrowded: () => false,
    requestEnded: (path, status) => ended.push([path, status]),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    connections.closeAll();
    server.closeAllConnections();
    server.close();
  });
  const open = async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const [peer] = await accepted;
    const received = { text: '', isOver: false };
    client.on('data', (chunk) => {
      received.text += chunk;
    });
    client.on('end', () => client.end());
    client.on('error', () => {});
    client.on('close', () => {
      received.isOver = true;
    });
    return { client, peer, received };
  };
  return { server, connections, calls, ended, open };
}

const plainCall = (body: string, length = body.length, path = '/v1/invoke') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${body}`;
const nth = <Call>(calls: Call[], index: number) => calls[index] ?? expect.unreachable(`There is no call ${index}`);

test('a connection that sends nothing is answered 408 after the headers timeout', async () => {
  const { open, ended } = await startServer();
  const { received } = await open();
  vi.advanceTimersByTime(HEADERS_TIMEOUT_MS);
  await turn();
  expect(received.isOver).toBe(false);
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => expect(received.isOver).toBe(true));
  expect(received.text).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  expect(ended).toEqual([]);
});

test('an incomplete body is answered 408 after the request timeout', async () => {
  const { open, calls, ended } = await startServer();
  const { client, peer, received } = await open();
  client.write(plainCall('{', 10));
  await vi.waitFor(() => expect(peer.bytesRead).toBeGreaterThan(0));
  vi.advanceTimersByTime(REQUEST_TIMEOUT_MS + 1_000);
  await vi.waitFor(() => expect(received.isOver).toBe(true));
  expect(received.text).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  expect([calls.length, ended]).toEqual([0, [['/v1/invoke', 0]]]);
});

test('a caller that ends its stream within a body is answered 400', async () => {
  const { open, calls } = await startServer();
  const { client, received } = await open();
  client.end(plainCall('{', 10));
  await vi.waitFor(() => expect(received.isOver).toBe(true));
  expect([received.text, calls.length]).toEqual(['HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', 0]);
});

test('a call has no time limit, and its connection closes after the idle time of its answer', async () => {
  const { open, calls, ended } = await startServer();
  const { client, received } = await open();
  client.write(plainCall('{}'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  vi.advanceTimersByTime(600_000);
  nth(calls, 0).answer(200, { 'content-type': 'application/json' }, '"ä"');
  await vi.waitFor(() => expect(received.text).toContain('ä'));
  expect(received.text).toMatch(
    /^HTTP\/1.1 200 OK\r\ncontent-type: application\/json\r\ncontent-length: 4\r\nDate: .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n/,
  );
  vi.advanceTimersByTime(6_000);
  await turn();
  expect(received.isOver).toBe(false);
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => expect(received.isOver).toBe(true));
  expect(ended).toEqual([['/v1/invoke', 200]]);
});

test('a call whose caller closes the connection is cancelled, and its answer is dropped', async () => {
  const { open, calls, ended } = await startServer();
  for (const leave of [
    (client: Socket) => client.destroy(),
    (client: Socket) => client.end(),
    (client: Socket) => client.resetAndDestroy(),
  ]) {
    const { client, received } = await open();
    client.write(plainCall('{}'));
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const [call = expect.unreachable('There is a call')] = calls.splice(0);
    const gone = vi.fn();
    call.onDisconnect(gone);
    leave(client);
    await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce());
    call.answer(200, {}, '{}');
    const late = vi.fn();
    call.onDisconnect(late);
    expect(late).toHaveBeenCalledOnce();
    expect(received.text).toBe('');
    expect(ended.splice(0)).toEqual([['/v1/invoke', 0]]);
  }
});

test('a search is a plain request too, and counts under its own path', async () => {
  const { open, calls, ended } = await startServer();
  const { client, received } = await open();
  for (const [index, path] of ['/v1/search', '/v1/invoke', '/v1/search'].entries()) {
    client.write(plainCall('{}', 2, path));
    await vi.waitFor(() => expect(calls).toHaveLength(index + 1));
    expect(nth(calls, index).head.path).toBe(path);
    nth(calls, index).answer(200, {}, `answer ${index}`);
    await vi.waitFor(() => expect(received.text).toContain(`answer ${index}`));
  }
  client.write(plainCall('{', 10, '/v1/search'));
  client.end();
  await vi.waitFor(() => expect(received.isOver).toBe(true));
  expect(ended).toEqual([
    ['/v1/search', 200],
    ['/v1/invoke', 200],
    ['/v1/search', 200],
    ['/v1/search', 0],
  ]);
});

test('the next request of a connection waits for the answer before it', async () => {
  const { open, calls } = await startServer();
  const { client, peer, received } = await open();
  client.write(plainCall('1'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const sent = peer.bytesRead + plainCall('2').length;
  client.write(plainCall('2'));
  await vi.waitFor(() => expect(peer.bytesRead).toBe(sent));
  expect(calls).toHaveLength(1);
  nth(calls, 0).answer(200, {}, 'first');
  await Promise.resolve();
  expect(nth(calls, 1).body).toBe('2');
  nth(calls, 1).answer(200, {}, 'second');
  await vi.waitFor(() => expect(received.text).toMatch(/first.*second/s));
});

test('a connection returns from node:http after each request with a known end', async () => {
  const { open, calls } = await startServer();
  const { client, received } = await open();
  for (let round = 1; round <= 3; round++) {
    for (const other of [
      'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
      'POST /v1/resolve HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n"ab"',
    ]) {
      client.write(other);
      await vi.waitFor(() => expect(received.text).toContain('node:http'));
      received.text = '';
    }
    client.write(plainCall(`${round}`));
    await vi.waitFor(() => expect(calls).toHaveLength(round));
    nth(calls, round - 1).answer(200, {}, 'plain');
    await vi.waitFor(() => expect(received.text).toContain('plain'));
    received.text = '';
  }
  vi.advanceTimersByTime(7_000);
  await vi.waitFor(() => expect(received.isOver).toBe(true));
});

test('node:http keeps a connection whose request has no plain end, and one that is pipelined', async () => {
  const { open, calls } = await startServer();
  const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
  for (const first of ['POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', get + get]) {
    const { client, received } = await open();
    client.write(first);
    await vi.waitFor(() => expect(received.text).toContain('node:http'));
    client.write(plainCall('{}'));
    await vi.waitFor(() => expect(received.text.match(/node:http/g)?.length).toBeGreaterThan(1));
    client.destroy();
  }
  expect(calls).toEqual([]);
});

test('a caller that sends without end while a call is under way is not read any more', async () => {
  const { open, calls, connections } = await startServer();
  const { client, peer } = await open();
  client.write(plainCall('{}'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  client.write(Buffer.alloc(20_000_000));
  await vi.waitFor(() => expect(peer.isPaused()).toBe(true));
  const read = peer.bytesRead;
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(peer.bytesRead - read).toBeLessThan(200_000);
  connections.closeAll();
});

test('no further request is read from a caller until it reads its answer', async () => {
  const { open, calls, received } = { ...(await startServer()), received: { bytes: 0 } };
  const { client } = await open();
  client.removeAllListeners('data').pause();
  client.write(plainCall('1'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const answer = 'x'.repeat(20_000_000);
  nth(calls, 0).answer(200, {}, answer);
  client.write(plainCall('2'));
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(calls).toHaveLength(1);
  // Neither timeout of requests is meant for it.
  vi.advanceTimersByTime(60_000);
  client.on('data', (chunk) => {
    received.bytes += chunk.length;
  });
  client.resume();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await vi.waitFor(() => expect(received.bytes).toBeGreaterThan(answer.length));
});

test('a server that sends callers away closes idle connections and ends the others with their answers', async () => {
  const { open, calls, connections, server } = await startServer();
  const [idle, busy, fresh] = [await open(), await open(), await open()];
  idle.client.write(plainCall('{}'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  nth(calls, 0).answer(200, {}, 'done');
  busy.client.write(plainCall('{}'));
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  connections.closeAfterAnswers();
  const closed = new Promise((resolve) => server.close(resolve));
  await vi.waitFor(() => expect(idle.received.isOver).toBe(true));
  nth(calls, 1).answer(200, {}, 'last');
  await vi.waitFor(() => expect(busy.received.isOver).toBe(true));
  expect(busy.received.text).toMatch(/^HTTP\/1.1 200 OK\r\ncontent-length: 4\r\nDate: [^\r]*\r\nConnection: close\r\n\r\nlast$/);
  fresh.client.write(plainCall('{}'));
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  nth(calls, 2).answer(200, {}, 'too');
  await closed;
  await vi.waitFor(() => expect(fresh.received.text).toContain('Connection: close'));
});
