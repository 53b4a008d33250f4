import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Tools } from '../../../src/index';
import { type Answer, KEY, sendResult, wireServer } from './wire-server';

const MIB = 1024 * 1024;
const JSON_HEAD = { 'content-type': 'application/json' };
const STREAM_HEAD = { 'content-type': 'text/event-stream' };

/** Writes until the client leaves. Resolves with the bytes that the client let it write. */
function writeEndlessly(response: ServerResponse, chunk: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    response.once('close', () => resolve(bytes));
    const write = () => {
      while (!response.destroyed) {
        bytes += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', write);
    write();
  });
}

const tooLarge = {
  code: 'SERVICE_UNREACHABLE',
  retryable: false,
  message: expect.stringContaining('more than 32 MiB'),
};

test.each([
  ['JSON', JSON_HEAD, '{"result":"', 'x'],
  ['an event', STREAM_HEAD, 'event: result\ndata: "', 'x'],
  ['empty lines of one event', STREAM_HEAD, 'event: result\n', 'data\n'],
])('endless %s: the client reports its limit, disconnects, and does not retry', async (_name, head, begin, unit) => {
  const written = Promise.withResolvers<number>();
  const service = await wireServer((response) => {
    response.writeHead(200, head).write(begin);
    void writeEndlessly(response, Buffer.alloc(MIB, unit)).then(written.resolve);
  });
  await expect(service.tools().invoke('a__b', {}, { onProgress: () => undefined })).rejects.toMatchObject(tooLarge);
  expect(await written.promise).toBeLessThan(64 * MIB);
  expect(service.requests).toHaveLength(1);
});

test('a small compressed answer is counted by its decompressed size', async () => {
  const bomb = gzipSync(
    Buffer.concat([Buffer.from('{"invocationId":"inv_1","result":"'), Buffer.alloc(33 * MIB, 'x'), Buffer.from('"}')]),
    {
      level: 1,
    },
  );
  const service = await wireServer((response) => response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end(bomb));
  await expect(service.tools().invoke('a__b')).rejects.toMatchObject(tooLarge);
});

test('a fetch without streams is held to the limit after the fact', async () => {
  const answer = JSON.stringify({ invocationId: 'inv_1', result: 'x'.repeat(33 * MIB) });
  const fetch = async () => ({ status: 200, headers: { get: () => 'application/json' }, body: null, text: async () => answer });
  await expect(new Tools({ apiKey: KEY, fetch }).invoke('a__b')).rejects.toMatchObject(tooLarge);
});

test('a result of 31 MiB arrives, and a stream whose events are smaller may be longer', async () => {
  const large = 'ö'.repeat((31 * MIB) / 2);
  const service = await wireServer((response, _request, count) => {
    if (count === 1) return sendResult(response, large);
    response.writeHead(200, STREAM_HEAD);
    const progress = `event: progress\ndata: {"progress":1,"message":"${'x'.repeat(MIB)}"}\n\n`;
    for (let sent = 0; sent < 33; sent++) response.write(progress);
    response.end(`event: result\ndata: {"invocationId":"inv_1","result":"done"}\n\n`);
  });
  expect((await service.tools().invoke('a__b')).result === large).toBe(true);
  expect(await service.tools().invoke('a__b', {}, { onProgress: () => undefined })).toMatchObject({ result: 'done' });
});

test.each([
  ['an answer', (response) => response.writeHead(200, JSON_HEAD).end(`{"invocationId":"inv_1","result":${nested(300_000)}}`)],
  ['an error', (response) => response.writeHead(500, JSON_HEAD).end(`{"code":"INTERNAL","detail":"d","cause":${nested(300_000)}}`)],
] satisfies [string, Answer][])('%s that is nested 300,000 levels deep is not one of a service', async (_name, answer) => {
  const service = await wireServer(answer);
  await expect(service.tools().invoke('a__b')).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE', retryable: false });
});

test('a content type with the key and terminal codes is shown without either', async () => {
  const service = await wireServer((response, { headers }) =>
    response.writeHead(200, { 'content-type': `text/html; a="${headers.authorization} \x9b31m${'x'.repeat(8_000)}"` }).end('<html>'),
  );
  const error = await service
    .tools()
    .invoke('a__b')
    .catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining('(text/html; a="Bearer svc_agent_… x') });
  expect((error as Error).message.length).toBeLessThan(4_400);
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
