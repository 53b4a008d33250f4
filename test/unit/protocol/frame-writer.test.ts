import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { FrameWriter } from '../../../src/protocol/frame-writer';

/** Every form of the length, and characters of one to four bytes. */
const TEXTS = [
  '',
  'a',
  'x'.repeat(125),
  'x'.repeat(126),
  'é€𝄞',
  'é'.repeat(32_767),
  'x'.repeat(65_535),
  'x'.repeat(65_536),
  '𝄞'.repeat(100_000),
];

/** Both ends of a connection of `ws`, each with the socket that it reads and writes. */
async function connect() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { perMessageDeflate: false });
  const [[near, { socket }], [response]] = await Promise.all([once(server, 'connection'), once(client, 'upgrade'), once(client, 'open')]);
  onTestFinished(() => client.terminate());
  return {
    client: { webSocket: client, stream: response.socket as Socket },
    server: { webSocket: near as WebSocket, stream: socket as Socket },
  };
}

test.each(['client', 'server'] as const)('ws reads every frame that the %s writes, in order', async (side) => {
  const ends = await connect();
  const { webSocket, stream } = ends[side];
  const received: string[] = [];
  ends[side === 'client' ? 'server' : 'client'].webSocket.on('message', (data, isBinary) => received.push(`${isBinary}${data}`));
  const isOpen = () => webSocket.readyState === WebSocket.OPEN;
  const writer = new FrameWriter(stream, { isOpen, masked: side === 'client' });
  for (const text of TEXTS) writer.send(text);
  webSocket.ping();
  for (const text of TEXTS.toReversed()) writer.send(text);
  await vi.waitFor(() => expect(received).toHaveLength(2 * TEXTS.length));
  expect(received).toEqual([...TEXTS, ...TEXTS.toReversed()].map((text) => `false${text}`));
});

test('sent frames arrive before the close frame, and nothing after it', async () => {
  const { client, server } = await connect();
  const received: string[] = [];
  server.webSocket.on('message', (data) => received.push(String(data)));
  const writer = new FrameWriter(client.stream, { isOpen: () => client.webSocket.readyState === WebSocket.OPEN, masked: true });
  writer.send('before');
  writer.flush();
  client.webSocket.close(1000);
  writer.send('after');
  const [code] = await once(server.webSocket, 'close');
  expect({ code, received }).toEqual({ code: 1000, received: ['before'] });
});

function writerInto(written: Buffer[], masked: boolean): FrameWriter {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return new FrameWriter(stream, { isOpen: () => true, masked });
}

test('the frames of one turn are one write at its end', async () => {
  const written: Buffer[] = [];
  const writer = writerInto(written, false);
  writer.send('one');
  writer.send('two');
  expect(written).toEqual([]);
  await new Promise(setImmediate);
  expect(written.map(String)).toEqual(['\x81\x03one\x81\x03two'].map((text) => String(Buffer.from(text, 'latin1'))));
});

test('many characters do not wait for the end of the turn', () => {
  const written: Buffer[] = [];
  writerInto(written, false).send('x'.repeat(100_000));
  expect(written).toHaveLength(1);
});

test('each masked frame has a separate key', () => {
  const written: Buffer[] = [];
  const writer = writerInto(written, true);
  for (let count = 0; count < 5_000; count++) {
    writer.send('same');
    writer.flush();
  }
  expect(new Set(written.map((frame) => frame.toString('hex'))).size).toBe(5_000);
});
