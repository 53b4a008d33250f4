/** One toolkit key sends large frames and floods: the event loop of the node goes on for everybody else. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../support/service';

/** Runs on a thread of its own: building and sending the frames must not count. */
const CLIENT = `
const { parentPort, workerData: { url, key, frames } } = require('node:worker_threads');
const { WebSocket } = require('ws');
const socket = new WebSocket(url.replace('http', 'ws') + '/v1/toolkit', { headers: { authorization: 'Bearer ' + key } });
socket.on('open', () => parentPort.postMessage('open'));
socket.on('error', () => {});
parentPort.on('message', () => {
  for (const { text, times } of frames) for (let i = 0; i < times; i++) socket.send(text);
});
`;

/** Generous for a busy machine; before the limits each of these took 0.5 to 7 s. */
const MAX_BLOCK_MS = 400;
const BYTES = 8 * 1024 * 1024 - 2_000;
const fill = (part: string, bytes = BYTES) => part.repeat(Math.floor(bytes / part.length));
const cjk = (chars: number, seed: number) =>
  Array.from({ length: chars }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7_919 + seed * 31) % 8_000))).join('');
const cjkActions = (bytes: number) =>
  Array.from({ length: Math.floor(bytes / 11_700) }, (_, n) => ({ action: `a${n}`, actionDescription: cjk(3_880, n) }));

const registration = (actions: unknown[]) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'register',
    params: { protocol: 1, sdk: 'raw/1', instance: 'instance-1', actions, concurrency: 10, unfinished: [] },
  });
const small = { text: registration([{ action: 'a0', actionDescription: 'Does something' }]), times: 1 };
const once = (text: string) => [small, { text, times: 1 }];
const often = (text: string) => [small, { text, times: 50_000 }];

test.each<[string, { text: string; times: number }[]]>([
  ['8 MB of Chinese text', once(registration(cjkActions(BYTES)))],
  ['1 MB of Chinese text', once(registration(cjkActions(1_000_000)))],
  ['a nested result', once(`{"jsonrpc":"2.0","id":"inv_x","result":${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}}`)],
  ['a wide result whose id comes last', once(`{"jsonrpc":"2.0","result":[${fill('{},')}0],"id":"inv_x"}`)],
  ['a wide error', once(`{"jsonrpc":"2.0","id":"inv_x","error":{"code":1,"message":"m","data":[${fill('{},')}0]}}`)],
  ['a wide late result', once(`{"jsonrpc":"2.0","id":7,"method":"result","params":{"invocationId":"x","result":[${fill('{},')}0]}}`)],
  ['a wide registration', once(`{"jsonrpc":"2.0","id":7,"method":"register","params":[${fill('{},')}0]}`)],
  ['a wide notification', once(`{"jsonrpc":"2.0","method":"progress","params":[${fill('{},')}0]}`)],
  ['many progress reports', often('{"jsonrpc":"2.0","method":"progress","params":{"invocationId":"inv_x","progress":1}}')],
  ['many results', often('{"jsonrpc":"2.0","id":"inv_x","result":1}')],
  ['many heartbeats', often('{"jsonrpc":"2.0","id":9,"method":"heartbeat"}')],
  // A neighbour on the machine may take the processor for as long.
])('%s: no block of the event loop', { retry: 2 }, async (_what, frames) => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const worker = new Worker(CLIENT, { eval: true, workerData: { url: service.url, key, frames } });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once('message', resolve));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  worker.postMessage('go');
  for (const end = performance.now() + 2_000; performance.now() < end; ) {
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await sleep(20);
  }
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(MAX_BLOCK_MS);
});
