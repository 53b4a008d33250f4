/** Images, files and links, from a handler to a model. */
import type { Toolkit } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startRecorded } from '../../../test/support/recorded-service';
import { startService, toolCall } from '../../../test/support/service';
import { PNG } from '../../../test/support/vectors';

const png = Buffer.from(PNG, 'base64');
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'https://example.com/a.png', name: 'a.png' };

function camera(toolkit: Toolkit): void {
  toolkit.action({ action: 'shot', actionDescription: 'Takes a picture' }, (ctx) => {
    ctx.image(png, 'image/png');
    ctx.link('https://example.com/a.png');
    return { width: 1 };
  });
  toolkit.action({ action: 'large', actionDescription: 'Takes a large picture' }, (ctx) => ctx.image(Buffer.alloc(900_000), 'image/png'));
  toolkit.action({ action: 'scan', actionDescription: 'Scans a page' }, (ctx) => ctx.image(Buffer.alloc(30_000), 'image/png'));
  toolkit.action({ action: 'file', actionDescription: 'Gives files' }, (ctx) => {
    ctx.file('a,b\n1,2', 'text/csv', 'table.csv');
    ctx.file(png, 'application/pdf', 'report.pdf');
  });
}

test('a program gets the JSON and the blocks; a model that only reads gets words, and no base64', async () => {
  const service = await startService();
  await service.toolkit('camera', camera);
  const tools = await service.tools();
  expect(await tools.invoke('camera__shot')).toEqual({
    invocationId: expect.any(String),
    result: { width: 1 },
    content: [image, link],
  });
  const [message] = await tools.callTools([toolCall('invoke_service', { action: 'camera__shot', payload: {} })]);
  expect(JSON.parse(message?.content ?? '')).toEqual({
    result: { width: 1 },
    content: ['[image image/png, 70 bytes]', '[link a.png: https://example.com/a.png]'],
  });
  expect(await tools.callTool('camera__file', {})).toEqual({
    content: ['[file table.csv, text/csv]\na,b\n1,2', '[file report.pdf, application/pdf, 70 bytes]'],
  });
});

test('an adapter gets the blocks, with the JSON as the first of them', async () => {
  const service = await startService();
  await service.toolkit('camera', camera);
  const tools = await service.tools();
  const { blocks } = await tools.answerTool('camera__shot', { x: 1 });
  expect(blocks).toEqual([{ type: 'text', text: '{"width":1}' }, image, link]);
  const files = await tools.answerTool('camera__file', {});
  expect(files.blocks?.map(({ type }) => type)).toEqual(['resource', 'resource']);
});

test('a retry gets the same content', async () => {
  const service = await startService();
  await service.toolkit('camera', camera);
  const tools = await service.tools();
  const first = await tools.invoke('camera__shot', {}, { idempotencyKey: 'a' });
  const again = await tools.invoke('camera__shot', {}, { idempotencyKey: 'a' });
  expect(again).toEqual({ ...first, replayed: true });
  expect(again.content).toEqual([image, link]);
});

test('content above the limit of a result is a failure with the next step', async () => {
  const service = await startService();
  await service.toolkit('camera', camera);
  const tools = await service.tools();
  await expect(tools.invoke('camera__large')).rejects.toMatchObject({
    code: 'ACTION_FAILED',
    message: expect.stringMatching(/1200\d\d\d bytes .* 1048576 are the limit \(resultBytes\).*ctx\.link/),
    details: { cause: { code: 'RESULT_TOO_LARGE' } },
  });
});

test('content that does not match its media type never reaches an agent', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  raw.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'register',
    params: {
      protocol: 1,
      sdk: 'raw/1',
      instance: 'raw-instance',
      actions: [{ action: 'show', actionDescription: 'Shows' }],
      concurrency: 10,
      unfinished: [],
    },
  });
  await vi.waitFor(() => expect(raw.received).toHaveLength(1));
  const tools = await service.tools();
  const bad: [unknown, RegExp][] = [
    [[], /content/],
    ['text', /content/],
    [[{ type: 'video', data: PNG, mimeType: 'video/mp4' }], /0\.type|\[0\]/],
    [[{ type: 'image', data: '<script>', mimeType: 'image/png' }], /\[0\]\.data: must be base64/],
    [[{ type: 'image', data: PNG, mimeType: 'no type' }], /\[0\]\.mimeType/],
    [[{ type: 'resource', resource: { uri: 'x:y' } }], /\[0\]\.resource: must have text or blob/],
    [new Array(33).fill(image), /content/],
  ];
  for (const [index, [content, message]] of bad.entries()) {
    const answer = tools.invoke('raw__show').catch((error: unknown) => error);
    const { id } = await raw.invoked(index);
    raw.send({ jsonrpc: '2.0', id, result: null, content });
    expect(await answer).toMatchObject({
      code: 'ACTION_FAILED',
      message: expect.stringMatching(message),
      details: { cause: { code: 'INVALID_RESULT' } },
    });
  }
});

test('records have the bytes that fit into the stored size, and of others how large they are', async () => {
  const service = await startRecorded({ settings: { content: 'all' } });
  await service.toolkit('camera', camera);
  const tools = await service.tools();
  for (const action of ['shot', 'file', 'scan']) {
    await tools.invoke(`camera__${action}`);
    const kept = await vi.waitFor(async () => {
      const [call] = await service.calls();
      expect(call?.action).toBe(`camera__${action}`);
      const details = await service.details();
      expect(details?.result).toBeTruthy();
      return JSON.parse(details?.result ?? '');
    });
    if (action === 'shot') expect(kept).toEqual({ result: { width: 1 }, content: [image, link] });
    else if (action === 'file') expect(kept.content[1].resource).toMatchObject({ mimeType: 'application/pdf', blob: PNG });
    else expect(kept).toEqual({ result: null, content: [{ ...image, data: '29 KB' }] });
  }
});
