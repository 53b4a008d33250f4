/** A toolkit key sends large frames and floods. The event loop of the node still serves other work. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { expectPrompt } from '../../../test/support/prompt';
import { startService } from '../../../test/support/service';

/** Runs in a worker thread, so that building and sending the frames is not measured. */
const CLIENT = `
const { parentPort, workerData: { url, key, register, frames } } = require('node:worker_threads');
const { WebSocket } = require('ws');
const socket = new WebSocket(url.replace('http', 'ws') + '/v1/toolkit', { headers: { authorization: 'Bearer ' + key } });
socket.on('open', () => socket.send(register));
socket.once('message', () => parentPort.postMessage('registered'));
socket.on('message', (data) => {
  if (String(data).includes('"last"')) parentPort.postMessage('read');
});
socket.on('close', () => parentPort.postMessage('read'));
socket.on('error', () => {});
parentPort.on('message', () => {
  for (const { text, times, type = 'send' } of frames) for (let i = 0; i < times; i++) socket[type](text);
  socket.send('{"jsonrpc":"2.0","id":"last","method":"heartbeat"}');
});
`;

interface Flood {
  text: string;
  times: number;
  type?: 'ping' | 'pong';
}

/** Generous for a busy machine; before the limits each of these took 0.5 to 7 s. */
const MAX_BLOCK_MS = 400;
/** A flood that the service reads slowly, to protect others, is watched for so long. */
const MAX_WATCH_MS = 2_000;
/** Consecutive checks of an idle event loop, after which a flood is processed. */
const IDLE_LOOKS = 5;
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
const small = registration([{ action: 'a0', actionDescription: 'Does something' }]);
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`member_${n}`, 1]));
const wrongNames = Array.from({ length: 1_000 }, (_, n) => ({ action: `${'é '.repeat(500)}${n}`, actionDescription: 'x' }));
const wideActions = Array.from({ length: 16 }, (_, n) => ({
  action: `a${n}`,
  actionDescription: 'x',
  payloadDescription: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 900 }, (_, p) => [`p${n}_${p}`, { type: 'string', description: `text ${p} of ${n}` }]),
    ),
  },
}));
const UPDATE = '{"jsonrpc":"2.0","id":9,"method":"update","params":{"description":"x"}}';
const once = (text: string) => [{ text, times: 1 }];
const often = (text: string) => [{ text, times: 50_000 }];

test.each<[string, Flood[]]>([
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
  ['many updates', often(UPDATE)],
  ['many pings', [{ text: '', times: 100_000, type: 'ping' }]],
  ['many pongs', [{ text: '', times: 300_000, type: 'pong' }]],
  ['escaped backslashes', once(`{"jsonrpc":"2.0","id":"inv_x","result":[${fill('"\\\\",')}0]}`)],
  ['escaped backslashes as names', once(`{"jsonrpc":"2.0","id":"inv_x",${fill('"\\\\",')}"a":1}`)],
  ['90,000 members', once(registration([{ action: 'a', actionDescription: 'x', ...members(90_000) }]))],
  ['90,000 members of a payload', once(registration([{ action: 'a', actionDescription: 'x', payloadDescription: members(90_000) }]))],
  ['wide schemas', once(registration(wideActions))],
  ['wrong names', once(registration(wrongNames))],
  ['wrong entries', [{ text: registration(Array(700_000).fill(0)), times: 40 }]],
  ['empty entries', [{ text: registration(Array(500_000).fill({})), times: 40 }]],
])('%s: no block of the event loop', async (_what, frames) => {
  await expectPrompt(() => longestBlockMs(frames), MAX_BLOCK_MS);
});

async function longestBlockMs(frames: Flood[]): Promise<number> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const worker = new Worker(CLIENT, { eval: true, workerData: { url: service.url, key, register: small, frames } });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once('message', resolve));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let isRead = false;
  worker.once('message', () => {
    isRead = true;
  });
  worker.postMessage('go');
  for (let [idle, end] = [0, performance.now() + MAX_WATCH_MS]; idle < IDLE_LOOKS && performance.now() < end; ) {
    const before = performance.eventLoopUtilization();
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await sleep(20);
    idle = isRead && performance.eventLoopUtilization(before).utilization < 0.5 ? idle + 1 : 0;
  }
  delay.disable();
  await worker.terminate();
  return delay.max / 1e6;
}
