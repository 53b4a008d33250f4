/** Multipart bodies as they arrive: their parts with media types, headers and order. */
import { describe, expect, test } from 'vitest';
import { recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { actionsOf, documentOf } from './documents';

interface Sent {
  contentType: string;
  /** The head of each part, in one line, and its content. */
  parts: string[];
}

/** The body that arrives for a payload. */
async function sentBody(properties: object, payload: unknown, { type = 'multipart/form-data', media = {} } = {}): Promise<Sent> {
  const api = await recordedApi();
  const post = { requestBody: { content: { [type]: { schema: { type: 'object', properties }, ...media } } } };
  const [action] = Object.values(actionsOf(documentOf({ '/pets': { post } }), { baseUrl: api.url }));
  expect(await action?.handler(context(), payload)).toEqual({ ok: true });
  const { headers, body } = api.requests[0]!;
  const [, contentType = '', boundary = ''] = /^(.*); boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
  const [before, ...parts] = body.toString('latin1').split(`--${boundary}`);
  expect([before, parts.pop()]).toEqual(['', '--\r\n']);
  return { contentType, parts: parts.map((part) => part.trim().replace('\r\n\r\n', ' | ').replaceAll('\r\n', '; ')) };
}

const FILE = { type: 'string', format: 'binary' };
const disposition = (name: string, filename?: string) =>
  `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`;

test('servers read the fields and files', async () => {
  const api = await recordedApi();
  const properties = { photo: FILE, more: { type: 'array', items: FILE }, note: {}, meta: { type: 'object' } };
  const post = { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } } };
  const [action] = Object.values(actionsOf(documentOf({ '/pets': { post } }), { baseUrl: api.url }));
  await action?.handler(context(), {
    photo: { filename: 'ä "1"\r\n.png', contentType: 'image/png', base64: Buffer.from([0, 255]).toString('base64') },
    more: [{ filename: 'b.txt', text: 'b' }, { text: 'c' }],
    note: 'hellö',
    meta: { a: 1 },
  });
  const { body, headers } = api.requests[0]!;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } }).formData();
  const files = [form.get('photo'), ...form.getAll('more')] as File[];
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['ä "1"\r\n.png', 'image/png'],
    ['b.txt', 'text/plain'],
    ['file', 'text/plain'],
  ]);
  expect(Buffer.from(await files[0]!.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  expect([form.get('note'), form.get('meta')]).toEqual(['hellö', '{"a":1}']);
});

describe('the type of a part', () => {
  test('follows the kind of its property, and each item of a list is a part', async () => {
    const properties = {
      meta: { type: 'object' },
      file: FILE,
      tags: { type: 'array', items: { type: 'string' } },
      objects: { type: 'array', items: { type: 'object' } },
      count: { type: 'integer' },
    };
    const payload = {
      meta: { a: 1 },
      file: { filename: 'x.bin', base64: 'AAEC' },
      tags: ['p', 'q'],
      objects: [{ x: 1 }, { x: 2 }],
      count: 3,
    };
    expect((await sentBody(properties, payload)).parts).toEqual([
      `${disposition('meta')}; Content-Type: application/json | {"a":1}`,
      `${disposition('file', 'x.bin')}; Content-Type: application/octet-stream | \x00\x01\x02`,
      `${disposition('tags')} | p`,
      `${disposition('tags')} | q`,
      `${disposition('objects')}; Content-Type: application/json | {"x":1}`,
      `${disposition('objects')}; Content-Type: application/json | {"x":2}`,
      `${disposition('count')} | 3`,
    ]);
  });

  test.each([
    ['image/png', {}, 'image/png'],
    ['image/png, image/jpeg', { contentType: 'image/jpeg' }, 'image/jpeg'],
    ['image/png, image/jpeg', { contentType: 'text/csv' }, 'image/png'],
    ['image/*', { contentType: 'image/webp' }, 'image/webp'],
    ['image/*', {}, 'application/octet-stream'],
  ])('of a file is one that encoding allows: %s and %j', async (contentType, file, sent) => {
    const { parts } = await sentBody(
      { file: FILE },
      { file: { base64: 'aGk=', ...file } },
      { media: { encoding: { file: { contentType } } } },
    );
    expect(parts).toEqual([`${disposition('file', 'file')}; Content-Type: ${sent} | hi`]);
  });

  test.each([
    [{ type: 'string' }, 'application/json', 'x', 'application/json | "x"'],
    [{ type: 'string' }, 'application/json', '{"a": 1}', 'application/json | {"a": 1}'],
    [{ type: 'string' }, 'text/csv', 'a,b', 'text/csv | a,b'],
    [{ type: 'integer', format: 'int64' }, 'application/json', '12345678901234567890', 'application/json | 12345678901234567890'],
  ])('of %j is that of its encoding, %s', async (property, contentType, value, sent) => {
    const { parts } = await sentBody({ a: property }, { a: value }, { media: { encoding: { a: { contentType } } } });
    expect(parts).toEqual([`${disposition('a')}; Content-Type: ${sent}`]);
  });

  test('is contentMediaType where there is no encoding', async () => {
    const { parts } = await sentBody({ file: { type: 'string', contentMediaType: 'image/png' } }, { file: { base64: 'aGk=' } });
    expect(parts).toEqual([`${disposition('file', 'file')}; Content-Type: image/png | hi`]);
  });
});

test('a part has the headers whose value the document states, and its style', async () => {
  const encoding = {
    a: { headers: { 'X-Kind': { schema: { type: 'string', enum: ['new'] } }, 'X-Free': { schema: { type: 'string' } } } },
    b: { style: 'form', explode: false },
    c: { headers: { 'X-Bad': { schema: { const: 'a\r\nX-More: b' } } } },
  };
  const { parts } = await sentBody({ a: {}, b: {}, c: {} }, { a: '1', b: ['2', '3'], c: '4' }, { media: { encoding } });
  expect(parts).toEqual([`${disposition('a')}; X-Kind: new | 1`, `${disposition('b')} | 2,3`, `${disposition('c')} | 4`]);
});

test('a list of files has a part for each, for any style', async () => {
  const media = { encoding: { files: { style: 'form', explode: false } } };
  const { parts } = await sentBody({ files: { type: 'array', items: FILE } }, { files: [{ text: 'a' }, { text: 'b' }] }, { media });
  expect(parts).toEqual(['a', 'b'].map((text) => `${disposition('files', 'file')}; Content-Type: text/plain | ${text}`));
});

test('multipart/related begins with the first property of the document, which is its root', async () => {
  const properties = { metadata: { type: 'object' }, media: FILE };
  const payload = { media: { base64: 'aGk=', contentType: 'image/png' }, metadata: { name: 'a' } };
  expect(await sentBody(properties, payload, { type: 'multipart/related' })).toEqual({
    contentType: 'multipart/related; type="application/json"',
    parts: [
      `${disposition('metadata')}; Content-Type: application/json | {"name":"a"}`,
      `${disposition('media', 'file')}; Content-Type: image/png | hi`,
    ],
  });
});

test('multipart/mixed is sent as such, and its texts have a type', async () => {
  expect(await sentBody({ note: { type: 'string' } }, { note: 'a' }, { type: 'multipart/mixed' })).toEqual({
    contentType: 'multipart/mixed',
    parts: [`${disposition('note')}; Content-Type: text/plain | a`],
  });
});

test('a media type of a file with a line end is refused', async () => {
  const sent = sentBody({ file: FILE }, { file: { text: 'a', contentType: 'a/b\r\nX-More: c' } });
  await expect(sent).rejects.toMatchObject({ code: 'INVALID_FILE', message: expect.stringContaining('media type') });
});
