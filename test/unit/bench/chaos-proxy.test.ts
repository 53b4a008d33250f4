import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { FaultProxy } from '../../../bench/chaos/proxy.ts';

/** Answers everything with `<name>:` before it. */
async function startEcho(name: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (data) => socket.write(`${name}:${data}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function openLink(ports: readonly number[]): Promise<FaultProxy> {
  const link = await FaultProxy.open(() => ports);
  onTestFinished(() => link.close());
  return link;
}

function open(link: FaultProxy) {
  const socket = connect(link.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const ask = async (text: string) => {
    socket.write(text);
    const [answer] = await once(socket, 'data');
    return String(answer);
  };
  return { socket, ask, closed, received: () => received };
}

test('connections go to the targets in turn, and past one that refuses', async () => {
  const link = await openLink([await startEcho('a'), 1, await startEcho('b')]);
  expect(await open(link).ask('x')).toBe('a:x');
  expect(await open(link).ask('x')).toBe('b:x');
  expect(await open(link).ask('x')).toBe('b:x');
  expect(await open(link).ask('x')).toBe('a:x');
});

test('a held link lets no byte through, keeps its sockets, and brings all bytes once it passes again', async () => {
  const link = await openLink([await startEcho('a')]);
  const before = open(link);
  expect(await before.ask('1')).toBe('a:1');
  link.hold();
  before.socket.write('2');
  const during = open(link);
  await once(during.socket, 'connect');
  during.socket.write('3');
  // A second link is the clock: a round trip there would have been one here.
  expect(await open(await openLink([await startEcho('b')])).ask('x')).toBe('b:x');
  expect([before.received(), during.received()]).toEqual(['a:1', '']);
  link.pass();
  await expect.poll(() => [before.received(), during.received()]).toEqual(['a:1a:2', 'a:3']);
});

test('a cut resets open connections; a refusing link resets new connections until it passes again', async () => {
  const link = await openLink([await startEcho('a')]);
  const first = open(link);
  expect(await first.ask('x')).toBe('a:x');
  link.cut();
  await first.closed;
  expect(await open(link).ask('y')).toBe('a:y');
  link.refuse();
  await open(link).closed;
  link.pass();
  expect(await open(link).ask('z')).toBe('a:z');
});

test('without a listening target a connection is reset', async () => {
  await open(await openLink([1])).closed;
});

test('the end of one side reaches the other behind all its bytes', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('x'.repeat(1_000_000))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = open(await openLink([(server.address() as AddressInfo).port]));
  await client.closed;
  expect(client.received().length).toBe(1_000_000);
});

test('a side that is reset while the link is held ends the other once it passes again', async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const link = await openLink([(server.address() as AddressInfo).port]);
  const { socket } = open(link);
  await expect.poll(() => accepted.length).toBe(1);
  link.hold();
  socket.write('unread');
  socket.resetAndDestroy();
  // Another link is the clock: the reset arrives before this answer.
  await open(await openLink([await startEcho('b')])).ask('x');
  expect(accepted[0]?.destroyed).toBe(false);
  link.pass();
  await expect.poll(() => accepted[0]?.destroyed).toBe(true);
});
