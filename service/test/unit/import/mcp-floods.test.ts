/** MCP servers that send far more than requested, as processes and over HTTP. */

import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listening } from '../../../../test/support/listening';
import { boundedLog } from '../../../import/mcp/bounded-log';
import { BoundedProgress } from '../../../import/mcp/bounded-progress';
import type { ServerLog } from '../../../import/mcp/config';
import { HttpTransport } from '../../../import/mcp/http-transport';
import { ProcessLog } from '../../../import/mcp/process-log';
import { ProcessTransport } from '../../../import/mcp/process-transport';
import { Redactor } from '../../../import/redactor';

const NOTE = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} };
const NOTES = 5_000;
const NO_SECRETS = new Redactor([]);

/** A process that runs the text as a program. */
function processOf(program: string, onLog: (log: ServerLog) => void = () => {}): ProcessTransport {
  const transport = new ProcessTransport({ command: process.execPath, args: ['-e', program] }, { log: onLog, redactor: NO_SECRETS });
  onTestFinished(() => transport.close());
  return transport;
}

/** The received messages, and their number in each turn of the event loop. */
function watch(transport: ProcessTransport | HttpTransport) {
  const methods: string[] = [];
  const perTurn: number[] = [];
  let inThisTurn = 0;
  const answered = Promise.withResolvers<void>();
  transport.onmessage = (message) => {
    methods.push('method' in message ? message.method : 'answer');
    if (inThisTurn++ === 0) {
      setImmediate(() => {
        perTurn.push(inThisTurn);
        inThisTurn = 0;
      });
    }
    if ('id' in message) answered.resolve();
  };
  return { methods, perTurn, answered: answered.promise };
}

function inOrder(notes: number): string[] {
  return [...Array.from({ length: notes }, () => NOTE.method), 'answer'];
}

test('a burst of notifications costs a few turns of many messages, none too long, and the answer is last', async () => {
  const transport = processOf(`
    process.stdout.write(${JSON.stringify(`${JSON.stringify(NOTE)}\n`)}.repeat(${NOTES}));
    process.stdout.write(${JSON.stringify(`${JSON.stringify(ANSWER)}\n`)});
    process.stdin.resume();
  `);
  const { methods, perTurn, answered } = watch(transport);
  await transport.start();
  await answered;
  expect(methods).toEqual(inOrder(NOTES));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(32);
  expect(perTurn.length).toBeLessThan(NOTES / 4);
});

test('the messages of a server before its end arrive, and then its end', async () => {
  const transport = processOf(`
    process.stdout.write(${JSON.stringify(`${JSON.stringify(NOTE)}\n`)}.repeat(${NOTES}));
    process.stdout.write(${JSON.stringify(`${JSON.stringify(ANSWER)}\n`)}, () => process.exit());
  `);
  const { methods } = watch(transport);
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await ended;
  expect(methods).toEqual(inOrder(NOTES));
});

test('a server is read no faster than its messages are handled', async () => {
  const note = `${JSON.stringify({ ...NOTE, params: { data: 'x'.repeat(100) } })}\n`;
  const count = 20_000;
  let handled = 0;
  const written = Promise.withResolvers<number>();
  const transport = processOf(
    `
    const { once } = require('node:events');
    const note = ${JSON.stringify(note)};
    (async () => {
      for (let n = 0; n < ${count}; n++) if (!process.stdout.write(note)) await once(process.stdout, 'drain');
      console.error('all is written');
      process.stdin.resume();
    })();
  `,
    () => written.resolve(handled),
  );
  transport.onmessage = () => void handled++;
  await transport.start();
  // The pipe, the stream and the chunk that is read hold some of them.
  expect(((count - (await written.promise)) * note.length) / 1024).toBeLessThan(512);
});

test('a server that sends requests and reads no answer gets at most 1 MiB of answers', async () => {
  const transport = processOf(`
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'pid', params: { pid: process.pid } }) + '\\n');
    setInterval(() => {}, 1_000);
  `);
  const pid = new Promise<number>((resolve) => {
    transport.onmessage = (message) => resolve(Number('params' in message && message.params?.pid));
  });
  await transport.start();
  const answer = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(100_000) } } as const;
  for (let n = 0; n < 20; n++) void transport.send(answer);
  // The answer is dropped at once; a send would wait without end.
  await transport.send(answer);
  process.kill(await pid, 'SIGKILL');
});

test('stderr is read at a bounded rate, and the last lines are known', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const chunk = 'e\n'.repeat(32 * 1024);
  const stderr = Readable.from([...Array.from({ length: 32 }, () => chunk), 'the reason\n'], { objectMode: false });
  let lines = 0;
  const log = new ProcessLog(() => lines++);
  log.readStderr(stderr);
  await vi.waitFor(() => expect(stderr.isPaused()).toBe(true));
  const burst = lines * 2;
  expect(burst).toBeLessThanOrEqual(256 * 1024 + chunk.length);

  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(stderr.isPaused()).toBe(true));
  expect(lines * 2 - burst).toBeLessThanOrEqual(256 * 1024 + chunk.length);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(log.lastWords).toBe('e\ne\ne\ne\nthe reason'));
});

test('the log has at most a burst of the lines of a flood, then their count, and a warning in between', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const logs: ServerLog[] = [];
  const log = boundedLog((line) => void logs.push(line));
  for (let n = 0; n < 10_000; n++) log({ level: 'info', message: `line ${n}` });
  log({ level: 'warn', message: 'A line has more than 32 MB' });
  const shown = logs.filter(({ level }) => level === 'info').length;
  expect(shown).toBe(200);
  expect(logs.at(-1)).toEqual({ level: 'warn', message: 'A line has more than 32 MB' });

  vi.advanceTimersByTime(1_000);
  expect(logs.at(-1)).toEqual({ level: 'info', message: expect.stringMatching(/^9800 line\(s\) of the server were left out/) });
  log({ level: 'info', message: 'later' });
  expect(logs.at(-1)).toEqual({ level: 'info', message: 'later' });
});

test('long lines have a bound too', () => {
  let chars = 0;
  const log = boundedLog(({ message }) => {
    chars += message.length;
  });
  for (let n = 0; n < 199; n++) log({ level: 'info', message: 'x'.repeat(100) });
  expect(chars).toBeLessThan(150_000);
});

test('with a flood of progress, the first reports pass, then some, and the last one before the result', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reports: number[] = [];
  const bounded = new BoundedProgress(({ progress }) => void reports.push(progress));
  for (let n = 1; n <= 3; n++) bounded.add({ progress: n });
  expect(reports).toEqual([1, 2, 3]);
  for (let n = 4; n <= 5_000; n++) bounded.add({ progress: n });
  expect(reports).toHaveLength(20);
  vi.advanceTimersByTime(1_000);
  expect(reports.slice(20)).toEqual([5_000]);
  for (let n = 5_001; n <= 6_000; n++) bounded.add({ progress: n });
  bounded.end();
  expect(reports.at(-1)).toBe(6_000);
  expect(reports.length).toBeLessThan(35);
});

test('an event stream with a burst of notifications is handled in small parts', async () => {
  const event = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
  const events = [event(NOTE).repeat(NOTES), event(ANSWER)].join('');
  const url = await listening(
    createServer((request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
    }),
  );
  const transport = new HttpTransport({ url }, { redactor: NO_SECRETS, credential: undefined });
  onTestFinished(() => transport.close());
  const { methods, perTurn, answered } = watch(transport);
  await transport.start();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
  await answered;
  expect(methods).toEqual(inOrder(NOTES));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(32);
});

test('an HTTP server that sends requests and accepts no answer gets at most 16 at a time', async () => {
  let asked = 0;
  const url = await listening(
    createServer(() => {
      asked++;
    }),
  );
  const transport = new HttpTransport({ url }, { redactor: NO_SECRETS, credential: undefined });
  onTestFinished(() => transport.close());
  await transport.start();
  for (let n = 0; n < 100; n++) void transport.send({ jsonrpc: '2.0', id: n, result: {} }).catch(() => {});
  await vi.waitFor(() => expect(asked).toBe(16));
  // The message is dropped at once; a send would wait without end.
  await transport.send({ jsonrpc: '2.0', id: 100, result: {} });
  expect(asked).toBe(16);
});
