/** The attachments of a handler's result on the wire. */
import { expect, test } from 'vitest';
import type { ActionContext } from '../../../src/index';
import { PNG } from '../../support/vectors';
import { newToolkit, running, startService } from './wire-service';

const png = Buffer.from(PNG, 'base64');
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const words = '[image image/png, 70 bytes]';

async function answerOf(handler: (ctx: ActionContext) => unknown) {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action({ action: 'show', actionDescription: 'Shows' }, handler);
  const socket = await running(service, toolkit);
  const { result, content, error } = await socket.call('inv_1', 'show');
  return { result, content, error: error?.data };
}

test.each<[string, (ctx: ActionContext) => unknown, unknown]>([
  ['an image that is returned', (ctx) => ctx.image(png, 'image/png'), null],
  ['an image that is the result', (ctx) => ctx.result(ctx.image(png, 'image/png')), null],
  ['an image that is only made', (ctx) => void ctx.image(png, 'image/png'), null],
  ['an image in a list', (ctx) => [ctx.image(png, 'image/png')], null],
  [
    'an image beside a result',
    (ctx) => {
      ctx.image(png, 'image/png');
      return { width: 1 };
    },
    { width: 1 },
  ],
  [
    'an image after a result',
    (ctx) => {
      ctx.result({ width: 1 });
      return ctx.image(png, 'image/png');
    },
    { width: 1 },
  ],
  ['an image within a result', (ctx) => ({ chart: ctx.image(png, 'image/png') }), { chart: words }],
  ['methods that were taken out of ctx', ({ image: show, result }) => [show(png, 'image/png')].map(() => result('see'))[0], 'see'],
])("%s is sent once, in MCP's form", async (_what, handler, result) => {
  expect(await answerOf(handler)).toEqual({ result, content: [image], error: undefined });
});

test('several blocks keep the order of their creation, for any return value', async () => {
  const { content } = await answerOf((ctx) => {
    ctx.text('Before:');
    const first = ctx.image(png, 'IMAGE/PNG; x=1');
    ctx.text('After:');
    return [ctx.audio(new Uint8Array([1, 2, 3]).buffer, 'audio/mpeg'), first];
  });
  const audio = { type: 'audio', data: 'AQID', mimeType: 'audio/mpeg' };
  expect(content).toEqual([{ type: 'text', text: 'Before:' }, image, { type: 'text', text: 'After:' }, audio]);
});

test('a file of a text type is text, any other a blob; its URI is of this call and ends with its name', async () => {
  const { content } = await answerOf((ctx) => {
    ctx.file('a,b', 'text/csv', 'table 1.csv');
    ctx.file(Buffer.from('{"ü":1}'), 'application/json; charset=utf-8');
    ctx.file(Buffer.from([0xff, 0xfe]), 'text/plain', 'odd.txt');
    ctx.file(new DataView(new Uint8Array([9, 1, 2, 9]).buffer, 1, 2), 'application/pdf', '../r.pdf');
  });
  expect(content).toEqual([
    { type: 'resource', resource: { uri: 'svc://inv_1/table%201.csv', mimeType: 'text/csv', text: 'a,b' } },
    { type: 'resource', resource: { uri: 'svc://inv_1/file-2', mimeType: 'application/json', text: '{"ü":1}' } },
    { type: 'resource', resource: { uri: 'svc://inv_1/odd.txt', mimeType: 'text/plain', blob: '//4=' } },
    { type: 'resource', resource: { uri: 'svc://inv_1/..%2Fr.pdf', mimeType: 'application/pdf', blob: 'AQI=' } },
  ]);
});

test('a link has a name and the given details', async () => {
  const { content } = await answerOf((ctx) => {
    ctx.link('https://example.com/a/report.pdf?x=1');
    ctx.link('https://example.com');
    ctx.link('s3://bucket/key', { name: 'Key', title: 'The key', description: 'It', mediaType: 'text/plain', size: 3 });
  });
  expect(content).toEqual([
    { type: 'resource_link', uri: 'https://example.com/a/report.pdf?x=1', name: 'report.pdf' },
    { type: 'resource_link', uri: 'https://example.com', name: 'example.com' },
    { type: 'resource_link', uri: 's3://bucket/key', name: 'Key', title: 'The key', description: 'It', mimeType: 'text/plain', size: 3 },
  ]);
});

test.each<[string, (ctx: ActionContext) => unknown, RegExp]>([
  ['no bytes', (ctx) => ctx.image(new Uint8Array(), 'image/png'), /ctx\.image got no bytes/],
  ['a Blob', (ctx) => ctx.image(new Blob() as never, 'image/png'), /await it\.arrayBuffer\(\)/],
  ['another media type', (ctx) => ctx.image(png, 'application/pdf'), /such as "image\/png", not "application\/pdf"; use ctx\.file/],
  ['no media type', (ctx) => ctx.image(png, undefined as never), /A media type looks like "image\/png", not nothing/],
  ['a path as link', (ctx) => ctx.link('/report.pdf'), /whole address such as .*, not "\/report\.pdf"/],
])('%s: the error has the line to write', async (_what, handler, message) => {
  const { error } = await answerOf(handler);
  expect(error).toMatchObject({ code: 'INVALID_RESULT', message: expect.stringMatching(message) });
});

test('images that together do not fit into a frame are a failure with the next step', async () => {
  const { error } = await answerOf((ctx) => {
    for (let i = 0; i < 4; i++) ctx.image(Buffer.alloc(2 * 1024 * 1024), 'image/png');
  });
  expect(error).toMatchObject({ code: 'RESULT_TOO_LARGE', message: expect.stringContaining('ctx.link(…)') });
});

test('a result without attachments has no content on the wire', async () => {
  expect(await answerOf(() => ({ type: 'image', data: PNG }))).toEqual({ result: { type: 'image', data: PNG }, content: undefined });
});
