/** Swagger 2.0: each feature that affects a request, and the request that is sent. */
import { type ImportOpenapiOptions, importOpenapi } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import { recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { actionsOf } from './documents';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const swagger = (more: object) => ({
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'api.example.com',
  basePath: '/v1',
  schemes: ['https'],
  ...more,
});

/** The request of the only operation of the document. */
async function requestOf(document: object, payload: unknown, options: ImportOpenapiOptions = {}) {
  const api = await recordedApi();
  const [action] = Object.values(actionsOf(document, { baseUrl: `${api.url}/v1`, ...options }));
  expect(await action?.handler(context(), payload)).toEqual({ ok: true });
  expect(api.requests).toHaveLength(1);
  const [{ url, headers, body }] = api.requests as [(typeof api.requests)[0]];
  return { url, headers, type: headers['content-type'], body: body.toString() };
}

/** The parts of a multipart body: name -> its text, or file name and type. */
async function partsOf({ type, body }: { type?: string | undefined; body: string }) {
  const form = await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} ${value.type}`]);
}

const pet = { in: 'body', name: 'pet', required: true, schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } };
const field = { in: 'formData', name: 'a', type: 'string', required: true };
const post = (operation: object, more: object = {}) => swagger({ paths: { '/pets': { post: operation } }, ...more });

describe('a body', () => {
  test.each([
    ['of the operation', post({ parameters: [pet] }, { consumes: [JSON_TYPE] })],
    ['without any `consumes`', post({ parameters: [pet] })],
    ['with an empty `consumes` of the operation', post({ consumes: [], parameters: [pet] }, { consumes: [JSON_TYPE] })],
    ['with an empty `consumes` of the document', post({ parameters: [pet] }, { consumes: [] })],
    ['shared by reference', post({ parameters: [{ $ref: '#/parameters/Pet' }] }, { parameters: { Pet: pet } })],
    ['of the path, before its operations', swagger({ paths: { '/pets': { parameters: [pet], post: {} } } })],
    ['of the path, after its operations', swagger({ paths: { '/pets': { post: {}, parameters: [pet] } } })],
    [
      'of the path by reference, beside parameters of the operation',
      swagger({
        paths: {
          '/pets': { parameters: [{ $ref: '#/parameters/Pet' }], post: { parameters: [{ in: 'query', name: 'q', type: 'string' }] } },
        },
        parameters: { Pet: pet },
      }),
    ],
    ['in JSON where XML is first', post({ consumes: ['application/xml', JSON_TYPE], parameters: [pet] })],
  ])('%s is sent', async (_name, document) => {
    expect(importOpenapi(document).actions[0]?.payloadDescription).toMatchObject({ required: ['a'] });
    expect(await requestOf(document, { a: '1' })).toMatchObject({ type: JSON_TYPE, body: '{"a":"1"}' });
  });

  test('of the operation replaces the path’s', async () => {
    const other = { in: 'body', name: 'other', schema: { type: 'object', properties: { b: { type: 'string' } } } };
    const document = swagger({ paths: { '/pets': { parameters: [other], post: { parameters: [pet] } } } });
    expect(Object.keys(actionsOf(document).post_pets?.payloadDescription.properties ?? {})).toEqual(['a']);
  });

  test('has the media type of the operation, with its parameters', async () => {
    const type = 'application/json; charset=utf-8';
    expect(await requestOf(post({ consumes: [type], parameters: [pet] }, { consumes: ['text/plain'] }), { a: '1' })).toMatchObject({
      type,
    });
  });

  test('of bytes is a file', async () => {
    const file = { in: 'body', name: 'file', schema: { type: 'string', format: 'binary' } };
    const document = post({ consumes: ['image/png'], parameters: [file] });
    expect(await requestOf(document, { body: { text: 'hi' } })).toMatchObject({ type: 'image/png', body: 'hi' });
  });

  test('is not required, and may be null, if the document states it', () => {
    const definitions = { Pet: { type: 'object', properties: { name: { type: 'string', 'x-nullable': true } } } };
    const body = { in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' } };
    expect(actionsOf(post({ parameters: [body] }, { definitions })).post_pets?.payloadDescription).toEqual({
      type: 'object',
      properties: { name: { type: ['string', 'null'] } },
    });
  });

  test('whose schema leads to a place in the paths has its fields', () => {
    const first = { in: 'body', name: 'pet', schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } };
    const second = { in: 'body', name: 'pet', schema: { $ref: '#/paths/~1a/post/parameters/0/schema' } };
    const document = swagger({ paths: { '/a': { post: { parameters: [first] } }, '/b': { post: { parameters: [second] } } } });
    expect(actionsOf(document).post_b?.payloadDescription).toEqual(actionsOf(document).post_a?.payloadDescription);
  });
});

describe('a form', () => {
  test.each([
    ['of the operation', post({ parameters: [field] }, { consumes: [FORM_TYPE] })],
    ['without any `consumes`', post({ parameters: [field] })],
    ['where the document consumes JSON', post({ parameters: [field] }, { consumes: [JSON_TYPE] })],
    ['shared by reference', post({ parameters: [{ $ref: '#/parameters/A' }] }, { parameters: { A: field }, consumes: [FORM_TYPE] })],
    ['of the path', swagger({ paths: { '/pets': { parameters: [field], post: {} } }, consumes: [FORM_TYPE] })],
  ])('%s is sent', async (_name, document) => {
    expect(importOpenapi(document).actions[0]?.payloadDescription).toMatchObject({ required: ['a'] });
    expect(await requestOf(document, { a: 'x y' })).toMatchObject({ type: FORM_TYPE, body: 'a=x%20y' });
  });

  test('has the fields of the path and of the operation', async () => {
    const b = { ...field, name: 'b' };
    const document = swagger({ paths: { '/pets': { parameters: [field], post: { parameters: [b] } } }, consumes: [FORM_TYPE] });
    expect(await requestOf(document, { a: '1', b: '2' })).toMatchObject({ body: 'a=1&b=2' });
  });

  const list = (collectionFormat?: string) => ({
    in: 'formData',
    name: 'a',
    type: 'array',
    items: { type: 'string' },
    ...(collectionFormat && { collectionFormat }),
  });

  test.each([
    [undefined, '1,2'],
    ['csv', '1,2'],
    ['ssv', '1 2'],
    ['tsv', '1\t2'],
    ['pipes', '1|2'],
  ])('has a list of collectionFormat %s as one text', async (format, text) => {
    const { body } = await requestOf(post({ consumes: [FORM_TYPE], parameters: [list(format)] }), { a: ['1', '2'] });
    expect([...new URLSearchParams(body)]).toEqual([['a', text]]);
    const parts = await requestOf(post({ consumes: ['multipart/form-data'], parameters: [list(format)] }), { a: ['1', '2'] });
    expect(await partsOf(parts)).toEqual([['a', text]]);
  });

  test('has a list of collectionFormat multi as one pair for each', async () => {
    expect(await requestOf(post({ consumes: [FORM_TYPE], parameters: [list('multi')] }), { a: ['1', '2'] })).toMatchObject({
      body: 'a=1&a=2',
    });
    const parts = await requestOf(post({ consumes: ['multipart/form-data'], parameters: [list('multi')] }), { a: ['1', '2'] });
    expect(await partsOf(parts)).toEqual([
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  test.each([[['multipart/form-data']], [[FORM_TYPE]], [[]], [undefined]])(
    'with a file and consumes %j is sent in parts',
    async (consumes) => {
      const file = { in: 'formData', name: 'f', type: 'file', required: true };
      const document = post({ parameters: [file, field], ...(consumes && { consumes }) });
      const sent = await requestOf(document, { f: { filename: 'a.csv', contentType: 'text/csv', text: 'x' }, a: '1' });
      expect(await partsOf(sent)).toEqual([
        ['f', 'a.csv text/csv'],
        ['a', '1'],
      ]);
    },
  );
});

test.each([{ type: 'file' }, { type: 'string', format: 'binary' }])('a list of %j has a part for each', async (items) => {
  const files = { in: 'formData', name: 'f', type: 'array', items };
  const sent = await requestOf(post({ parameters: [files] }), {
    f: [
      { filename: 'a', text: 'x' },
      { filename: 'b', text: 'y' },
    ],
  });
  expect(await partsOf(sent)).toEqual([
    ['f', expect.stringMatching(/^a /)],
    ['f', expect.stringMatching(/^b /)],
  ]);
});

describe('a parameter', () => {
  const list = (place: string, collectionFormat?: string) => ({
    in: place,
    name: 'a',
    required: place === 'path',
    type: 'array',
    items: { type: 'string' },
    ...(collectionFormat && { collectionFormat }),
  });

  test.each([
    [undefined, 'a=1,2'],
    ['csv', 'a=1,2'],
    ['ssv', 'a=1 2'],
    ['tsv', 'a=1\t2'],
    ['pipes', 'a=1|2'],
    ['multi', 'a=1&a=2'],
  ])('of a query has collectionFormat %s, also by reference', async (format, query) => {
    const parameters = [list('query', format)];
    const documents = [
      swagger({ paths: { '/pets': { get: { parameters } } } }),
      swagger({ paths: { '/pets': { get: { parameters: [{ $ref: '#/parameters/A' }] } } }, parameters: { A: parameters[0] } }),
    ];
    for (const document of documents) {
      const { url } = await requestOf(document, { a: ['1', '2'] });
      expect(decodeURIComponent(url.split('?')[1] ?? '')).toBe(query);
    }
  });

  test.each([
    [undefined, '1,2'],
    ['csv', '1,2'],
    ['ssv', '1 2'],
    ['tsv', '1\t2'],
    ['pipes', '1|2'],
  ])('of a path or header has collectionFormat %s', async (format, text) => {
    const path = await requestOf(swagger({ paths: { '/pets/{a}': { get: { parameters: [list('path', format)] } } } }), { a: ['1', '2'] });
    expect(decodeURIComponent(path.url)).toBe(`/v1/pets/${text}`);
    const header = await requestOf(swagger({ paths: { '/pets': { get: { parameters: [list('header', format)] } } } }), { a: ['1', '2'] });
    expect(header.headers.a).toBe(text);
  });

  test('with allowEmptyValue may be empty', async () => {
    const flag = { in: 'query', name: 'flag', type: 'boolean', allowEmptyValue: true };
    const document = swagger({ paths: { '/pets': { get: { parameters: [flag] } } } });
    expect(actionsOf(document).get_pets?.payloadDescription).toEqual({
      type: 'object',
      properties: { flag: { anyOf: [{ type: 'boolean' }, { type: 'string', maxLength: 0 }] } },
    });
    expect(await requestOf(document, { flag: '' })).toMatchObject({ url: '/v1/pets?flag=' });
  });

  test('of the operation replaces the path’s of that name and place', () => {
    const parameters = [{ in: 'query', name: 'n', type: 'string' }];
    const own = { parameters: [{ in: 'query', name: 'n', type: 'integer', maximum: 9, description: 'How many' }] };
    const document = swagger({ paths: { '/pets': { parameters, get: own } } });
    expect(actionsOf(document).get_pets?.payloadDescription).toEqual({
      type: 'object',
      properties: { n: { type: 'integer', maximum: 9, description: 'How many' } },
    });
  });
});

describe('media types of answers', () => {
  const ok = { responses: { 200: { schema: { type: 'string' } } } };

  test.each([
    [
      'the operation',
      swagger({ produces: ['application/json'], paths: { '/pets': { get: { produces: ['text/csv'], ...ok } } } }),
      'text/csv',
    ],
    ['the document', swagger({ produces: ['text/csv', 'application/json'], paths: { '/pets': { get: ok } } }), 'application/json'],
    ['nothing', swagger({ paths: { '/pets': { get: ok } } }), 'application/json'],
    [
      'nothing, and the answer is a file',
      swagger({ paths: { '/pets': { get: { responses: { 200: { schema: { type: 'file' } } } } } } }),
      '*/*',
    ],
    [
      'a shared answer',
      swagger({
        produces: ['text/csv'],
        paths: { '/pets': { get: { responses: { 200: { $ref: '#/responses/Pets' } } } } },
        responses: { Pets: {} },
      }),
      'text/csv',
    ],
    [
      'parameters',
      swagger({ produces: ['application/json; odata=verbose'], paths: { '/pets': { get: ok } } }),
      'application/json; odata=verbose',
    ],
  ])('are those of %s', async (_name, document, accept) => {
    expect((await requestOf(document, {})).headers.accept).toBe(accept);
  });
});

describe('credentials', () => {
  test.each([
    [{ type: 'basic' }, { basic: 'me:secret' }, { authorization: `Basic ${btoa('me:secret')}` }],
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { apiKey: 'k' }, { 'x-key': 'k' }],
    [{ type: 'oauth2', flow: 'accessCode', scopes: {} }, { bearer: 't' }, { authorization: 'Bearer t' }],
  ])('for %j', async (scheme, auth, headers) => {
    const document = swagger({ paths: { '/pets': { get: {} } }, securityDefinitions: { s: scheme }, security: [{ s: [] }] });
    expect((await requestOf(document, {}, { auth })).headers).toMatchObject(headers);
    expect(importOpenapi(document).missing).toMatchObject([{ scheme: 's', operations: 1 }]);
  });
});

describe('the base URL', () => {
  const baseOf = (more: object) => () => importOpenapi({ ...swagger({ paths: { '/pets': { get: {} } } }), ...more });

  test('is an https scheme with host and basePath; without schemes, https', () => {
    expect(baseOf({ schemes: ['http', 'https'] })).not.toThrow();
    expect(baseOf({ schemes: undefined })).not.toThrow();
    expect(baseOf({ schemes: ['http'] })).toThrow('"http://api.example.com/v1"; give baseUrl');
    expect(baseOf({ host: undefined })).toThrow('"/v1"; give baseUrl');
  });
});

test('a malformed document loses only what is malformed', () => {
  const parameters = [{ name: 'nowhere' }, { $ref: '#/parameters/None' }, null];
  const document = swagger({
    paths: {
      '/a': { get: { parameters: [{ name: 'q', in: 'query', type: 'string' }], responses: { 200: null } } },
      '/b': { get: { parameters } },
      '/c': null,
    },
    securityDefinitions: { s: null },
  });
  const { actions, skipped } = importOpenapi(document);
  expect(actions.map(({ original }) => original)).toEqual(['GET /a']);
  expect(skipped.map(({ what }) => what)).toEqual(['GET /b', '/c']);
});
