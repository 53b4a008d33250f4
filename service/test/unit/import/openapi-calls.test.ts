/** Calls of imported actions against an API on loopback: the requests that arrive, the results and errors that come back. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { ImportOpenapiOptions } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../../test/support/listening';
import { type RecordedApi, recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { actionsOf, documentOf } from './documents';

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Calls the only operation of a document at that API. */
function call(
  api: RecordedApi,
  path: string,
  item: object,
  payload: unknown,
  options: ImportOpenapiOptions & { more?: object } = {},
  signal?: AbortSignal,
) {
  const [action] = Object.values(actionsOf(documentOf({ [path]: item }, options.more), { baseUrl: `${api.url}/v1`, ...options }));
  return Promise.resolve(action?.handler(context(signal), payload));
}

/** The one request for a call that succeeds. */
async function requestOf(path: string, item: object, payload: unknown, options: ImportOpenapiOptions & { more?: object } = {}) {
  const api = await recordedApi();
  expect(await call(api, path, item, payload, options)).toEqual({ ok: true });
  expect(api.requests).toHaveLength(1);
  const { body, ...request } = api.requests[0]!;
  return { ...request, body: body.toString() };
}

/** The outcome of `GET /pets` for an answer. */
async function resultOf(answer: Answer, options?: ImportOpenapiOptions) {
  return call(await recordedApi((_request, response) => answer(response)), '/pets', { get: {} }, {}, options);
}

/** An address where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  server.close();
  await once(server, 'close');
  return url;
}

const bodyOf = (type: string, properties: object, media = {}) => ({
  post: { requestBody: { required: true, content: { [type]: { schema: { type: 'object', properties }, ...media } } } },
});

describe('a request', () => {
  test('has path, query, header and cookie values in their places', async () => {
    const parameters = [
      { name: 'id', in: 'path', required: true },
      { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: {} } },
      { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
      { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      { name: 'lang', in: 'cookie', schema: { type: 'string' } },
    ];
    const responses = { 200: { content: { 'text/csv': {}, 'application/vnd.pets+json': {} } } };
    const payload = { id: 'a/b', tags: [1, 2], filter: { a: { b: 1 } }, where: { x: 1 }, 'X-Trace': 't', lang: 'en' };
    const { method, url, headers, body } = await requestOf('/pets/{id}', { get: { parameters, responses } }, payload);
    expect({ method, url, body }).toEqual({
      method: 'GET',
      url: '/v1/pets/a%2Fb?tags=1,2&filter%5Ba%5D%5Bb%5D=1&where=%7B%22x%22%3A1%7D',
      body: '',
    });
    expect(headers).toMatchObject({ 'x-trace': 't', cookie: 'lang=en', accept: 'application/vnd.pets+json' });
  });

  test('has lists and objects in cookies by their style', async () => {
    const cookie = (name: string, more = {}) => ({ name, in: 'cookie', schema: {}, ...more });
    const parameters = [cookie('a', { explode: false }), cookie('b'), cookie('c', { content: { 'application/json': {} } })];
    const { headers } = await requestOf('/pets', { get: { parameters } }, { a: ['x,y', 'z'], b: ['1', '2'], c: { d: 1 } });
    expect(headers.cookie).toBe('a=x%2Cy,z; b=1; b=2; c=%7B%22d%22%3A1%7D');
  });

  test('fills the values in the query that a path has', async () => {
    const parameters = [{ name: 'q', in: 'query', schema: { type: 'string' } }];
    expect(await requestOf('/pets?from={from}&q={q}', { get: { parameters } }, { from: 'a&b', q: '..' })).toMatchObject({
      url: '/v1/pets?from=a%26b&q=..',
    });
  });

  test('keeps the query that a path has, once, and nothing of its fragment', async () => {
    const parameters = [{ name: 'Action', in: 'query', required: true, schema: { enum: ['List'] } }];
    expect(await requestOf('/?Action=List#x', { get: { parameters } }, { Action: 'List' })).toMatchObject({ url: '/v1/?Action=List' });
  });

  test.each([
    ['application/json', {}, { a: 1, b: [{ c: 'é' }] }, 'application/json', '{"a":1,"b":[{"c":"é"}]}'],
    ['application/merge-patch+json', {}, { a: null }, 'application/merge-patch+json', '{"a":null}'],
    ['application/x-www-form-urlencoded', {}, { a: 'x y', b: { c: [1] } }, 'application/x-www-form-urlencoded', 'a=x%20y&b%5Bc%5D%5B%5D=1'],
    [
      'application/x-www-form-urlencoded',
      { encoding: { a: { style: 'form', explode: false } } },
      { a: [1, 2] },
      'application/x-www-form-urlencoded',
      'a=1,2',
    ],
    [
      'application/x-www-form-urlencoded',
      { encoding: { a: { explode: false }, b: { style: 'pipeDelimited' } } },
      { a: ['x,y', 'z'], b: ['1', '2'] },
      'application/x-www-form-urlencoded',
      'a=x%2Cy,z&b=1%7C2',
    ],
  ])('%s with %j is %j', async (type, media, payload, contentType, text) => {
    const { headers, body } = await requestOf('/pets', bodyOf(type, { a: {}, b: {} }, media), payload);
    expect([headers['content-type'], body]).toEqual([contentType, text]);
  });

  test.each([
    [
      { query: { requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { a: {} } } } } } } },
      'QUERY',
      '{"a":1}',
    ],
    [{ additionalOperations: { COPY: { parameters: [{ name: 'a', in: 'query' }] } } }, 'COPY', ''],
  ])('of OpenAPI 3.2 has its own method: %j', async (item, method, body) => {
    expect(await requestOf('/pets', item, { a: 1 }, { more: { openapi: '3.2.0' } })).toMatchObject({ method, body });
  });

  test('sends a file as the body', async () => {
    const binary = { post: { requestBody: { content: { 'application/octet-stream': {} } } } };
    const sent = await requestOf('/pets', binary, { body: { base64: 'aGk=', contentType: 'image/png' } });
    expect([sent.headers['content-type'], sent.body]).toEqual(['application/octet-stream', 'hi']);
  });

  test.each(['text/plain', 'application/x-ndjson', 'application/jsonl', 'application/json-seq'])(
    'sends a body of %s as the text that it is',
    async (type) => {
      const item = { post: { requestBody: { content: { [type]: { schema: { type: 'array', items: { type: 'object' } } } } } } };
      const body = '{"a":1}\n{"a":2}\n';
      expect(await requestOf('/pets', item, { body })).toMatchObject({ body, headers: { 'content-type': type } });
    },
  );

  test('a file without content is an error', async () => {
    const item = { post: { requestBody: { content: { 'image/png': {} } } } };
    await expect(call(await recordedApi(), '/pets', item, { body: { filename: 'a' } })).rejects.toMatchObject({ code: 'INVALID_FILE' });
  });

  test.each(['..', '%2e%2e', '..%2f..%2fadmin', 'x/../../admin'])('with the path value %j is not sent', async (id) => {
    const api = await recordedApi();
    await expect(call(api, '/pets/{id}', { get: {} }, { id })).rejects.toMatchObject({ code: 'INVALID_PATH_VALUE' });
    expect(api.requests).toEqual([]);
  });

  const emptyValues = [[], {}, [[]], [null, ''], { a: null }, { a: {} }, ['a', '']];
  const pathStyles = ['simple', 'label', 'matrix'].flatMap((style) => [false, true].map((explode) => [style, explode] as const));
  test.each(pathStyles)('with an empty list or object in the path (%s, explode %s) is not sent', async (style, explode) => {
    const api = await recordedApi();
    const parameters = [{ name: 'ids', in: 'path', required: true, style, explode, schema: {} }];
    for (const path of ['/users/{ids}', '/users({ids})']) {
      for (const ids of emptyValues)
        await expect(call(api, path, { delete: { parameters } }, { ids }), JSON.stringify(ids)).rejects.toMatchObject({
          code: 'INVALID_PATH_VALUE',
        });
    }
    expect(api.requests).toEqual([]);
  });

  test.each([
    ['/x/.{a}/y', { a: ';x' }],
    ['/x/{a}{b}/y', { a: '%2e%2', b: 'e' }],
    ['/x/{a}{b}', { a: '.%2', b: 'e/z' }],
    ['/x/.%2{a}', { a: 'e' }],
  ])('whose values make a segment that leads elsewhere in %s is not sent', async (path, payload) => {
    const api = await recordedApi();
    await expect(call(api, path, { get: {} }, payload)).rejects.toMatchObject({ code: 'INVALID_PATH_VALUE' });
    expect(api.requests).toEqual([]);
  });

  test('has several values in one segment, and lists in each style', async () => {
    expect(await requestOf('/x/{a}.{b}', { get: {} }, { a: 'v1', b: 'json' })).toMatchObject({ url: '/v1/x/v1.json' });
    const parameters = [
      { name: 'a', in: 'path', required: true, style: 'label', explode: true, schema: {} },
      { name: 'b', in: 'path', required: true, style: 'matrix', schema: {} },
    ];
    expect(await requestOf('/x/{a}/{b}', { get: { parameters } }, { a: [1, 2], b: [0, false] })).toMatchObject({
      url: '/v1/x/.1.2/;b=0,false',
    });
  });

  test.each(['form', 'spaceDelimited', 'deepObject'])(
    'without a value for a required list of the query (%s) is not sent',
    async (style) => {
      const api = await recordedApi();
      const item = (required: boolean) => ({ delete: { parameters: [{ name: 'ids', in: 'query', required, style, schema: {} }] } });
      for (const ids of [[], {}])
        await expect(call(api, '/users', item(true), { ids }), JSON.stringify(ids)).rejects.toMatchObject({ code: 'INVALID_QUERY_VALUE' });
      expect(api.requests).toEqual([]);
      expect(await call(api, '/users', item(false), { ids: [] })).toEqual({ ok: true });
    },
  );

  test('cannot get another header by a line end in a value', async () => {
    const parameters = [{ name: 'X-A', in: 'header', schema: { type: 'string' } }];
    const api = await recordedApi();
    await expect(call(api, '/pets', { get: { parameters } }, { 'X-A': 'a\r\nX-B: c' })).rejects.toMatchObject({ code: 'INVALID_HEADER' });
    expect(api.requests).toEqual([]);
  });
});

test.each([
  ['a content type of the document', { post: { requestBody: { content: { 'application/json;\r\nx: y': {} } } } }, { body: { a: 1 } }, {}],
  ['a header of the settings', { get: {} }, {}, { headers: { 'X-Secret': 'top\nsecret' } }],
])('%s with a line end is INVALID_HEADER, and shows no value', async (_name, item, payload, options) => {
  const api = await recordedApi();
  const error = await call(api, '/pets', item, payload, options).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'INVALID_HEADER', message: expect.stringContaining('becomes a header') });
  expect(String(error)).not.toMatch(/secret$|top/);
  expect(api.requests).toEqual([]);
});

test.each([200, 500])('an answer with status %i that is nested 300,000 levels deep is text', async (status) => {
  const deep = '['.repeat(300_000) + ']'.repeat(300_000);
  const api = await recordedApi((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(deep));
  const outcome = await call(api, '/pets', { get: {} }, {}).catch((thrown: unknown) => thrown);
  if (status === 200) expect(outcome === deep).toBe(true);
  else expect(outcome).toMatchObject({ code: 'HTTP_500' });
});

describe('the Idempotency-Key of a document', () => {
  const keyHeader = (name = 'Idempotency-Key') => ({ name, in: 'header', required: true, schema: { type: 'string' } });
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test.each(['Idempotency-Key', 'idempotency-key', 'X-Idempotency-Key'])(
    '%s is not a field, and its value is taken from the call',
    async (name) => {
      const item = { post: { parameters: [keyHeader(name)] } };
      const { post_pets } = actionsOf(documentOf({ '/pets': item }));
      expect(post_pets?.payloadDescription).toEqual({ type: 'object', properties: {} });
      const sent = [await requestOf('/pets', item, {}), await requestOf('/pets', item, {})];
      const [first, again] = sent.map(({ headers }) => headers[name.toLowerCase()]);
      expect(first).toMatch(UUID);
      expect(again).toBe(first);
    },
  );

  test('that `headers` sets has the value of the settings', async () => {
    const { headers } = await requestOf('/pets', { post: { parameters: [keyHeader()] } }, {}, { headers: { 'idempotency-key': 'fixed' } });
    expect(headers['idempotency-key']).toBe('fixed');
  });

  test('is sent by no operation that does not name it', async () => {
    expect((await requestOf('/pets', { post: {} }, {})).headers).not.toHaveProperty('idempotency-key');
  });
});

describe('credentials', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'query', name: 'key' },
    user: { type: 'http', scheme: 'basic' },
    token: { type: 'oauth2', flows: {} },
  };
  const components = { securitySchemes: schemes };

  test.each([
    [[{ token: [] }, { key: [] }], { apiKey: 'k&1' }, '/v1/pets?key=k%261', undefined],
    [[{ token: [] }], { bearer: 't' }, '/v1/pets', 'Bearer t'],
    [[{ user: [] }], { basic: 'me:secret' }, '/v1/pets', `Basic ${btoa('me:secret')}`],
    [[{}, { token: [] }], { bearer: 't' }, '/v1/pets', 'Bearer t'],
    [[], { bearer: 't' }, '/v1/pets', undefined],
    [[{ user: [] }], { bearer: 't' }, '/v1/pets', undefined],
    [[{ token: [], key: [] }], { schemes: { token: 'a', key: 'b' } }, '/v1/pets?key=b', 'Bearer a'],
  ])('for %j and %j', async (security, auth, url, authorization) => {
    const sent = await requestOf('/pets', { get: { security } }, {}, { auth, more: { components } });
    expect([sent.url, sent.headers.authorization]).toEqual([url, authorization]);
  });

  test('go with every operation of a document without schemes, and headers of the operator too', async () => {
    const { headers } = await requestOf('/pets', { get: {} }, {}, { auth: { bearer: 't' }, headers: { 'X-Version': '2' } });
    expect(headers).toMatchObject({ authorization: 'Bearer t', 'x-version': '2' });
  });

  test('that a document has as parameters are not fields of the payload if `headers` sets them', async () => {
    const token = { name: 'token', required: true, schema: { type: 'string' } };
    for (const place of ['header', 'query']) {
      const item = { get: { parameters: [{ ...token, in: place }] } };
      const { get_pets } = actionsOf(documentOf({ '/pets': item }), { headers: { token: 't' } });
      expect(get_pets?.payloadDescription).not.toHaveProperty('properties.token');
      const { headers } = await requestOf('/pets', item, {}, { headers: { token: 't' } });
      expect(headers).toMatchObject({ token: 't' });
    }
  });

  test('never leave the origin: a redirect elsewhere is the result', async () => {
    const other = await recordedApi();
    const result = await resultOf((response) => response.writeHead(302, { location: `${other.url}/steal` }).end(), {
      auth: { bearer: 't' },
    });
    expect(result).toEqual({ status: 302, location: `${other.url}/steal` });
    expect(other.requests).toEqual([]);
  });

  test('are not in an error that quotes them', async () => {
    const auth = { bearer: 'secret-token-1' };
    const failed = resultOf(json(401, { message: 'Bad token secret-token-1' }), { auth });
    await expect(failed).rejects.toMatchObject({
      code: 'HTTP_401',
      message: 'The API answered 401: Bad token [redacted]',
      options: { data: { status: 401, body: { message: 'Bad token [redacted]' } } },
    });
  });

  test.each([
    ['the base64 of basic', { auth: { basic: 'me:secret-token-1' } }, btoa('me:secret-token-1')],
    ['the password of basic', { auth: { basic: 'me:secret-token-1' } }, 'secret-token-1'],
    ['it in a URL', { auth: { bearer: 'secret/token 1' } }, 'secret%2Ftoken+1'],
    ['a header of the settings', { headers: { 'X-Api-Key': 'secret-token-1' } }, 'secret-token-1'],
    ['a variable of the entry', { secrets: { CITY: 'Göteborg' } }, 'Göteborg'],
  ])('are not in an error that quotes %s', async (_form, options, quoted) => {
    const error = await resultOf(json(403, { detail: `Not with ${quoted}` }), options).catch((thrown: unknown) => thrown);
    const { message, options: details } = error as Error & { options: object };
    expect(message).toMatch(/^The API answered 403: Not with [[$]/);
    expect(message + JSON.stringify(details)).not.toContain(quoted);
  });

  test('are not in a result that echoes the request, nor in the address of a redirect', async () => {
    const options = { auth: { bearer: 'secret-token-1' } };
    const echo = await resultOf(json(200, { headers: { authorization: 'Bearer secret-token-1' }, city: 'Göteborg' }), options);
    expect(echo).toEqual({ headers: { authorization: 'Bearer [redacted]' }, city: 'Göteborg' });
    const location = 'https://other.example/?token=secret-token-1';
    const redirect = await resultOf((response) => response.writeHead(302, { location }).end(), options);
    expect(redirect).toEqual({ status: 302, location: 'https://other.example/?token=[redacted]' });
  });
});

describe('redirects within the origin', () => {
  const redirecting = (status: number, location: string) =>
    recordedApi(({ url }, response) =>
      url === '/v1/pets' ? response.writeHead(status, { location }).end() : json(200, { ok: true })(response),
    );

  test.each([
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
    [303, 'GET', ''],
    [302, 'GET', ''],
  ])('%i becomes %s', async (status, method, body) => {
    const api = await redirecting(status, '/v2/pets');
    expect(await call(api, '/pets', bodyOf('application/json', { a: {} }), { a: 1 })).toEqual({ ok: true });
    expect(api.requests[1]).toMatchObject({ method, url: '/v2/pets', body: Buffer.from(body) });
  });

  test('end after 5', async () => {
    const api = await redirecting(302, '/v1/pets');
    await expect(call(api, '/pets', { get: {} }, {})).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    expect(api.requests).toHaveLength(6);
  });

  test('that lead elsewhere fail a call that changes something', async () => {
    const failed = call(await redirecting(307, 'http://127.0.0.1:9/x'), '/pets', bodyOf('application/json', { a: {} }), { a: 1 });
    await expect(failed).rejects.toMatchObject({
      code: 'HTTP_307',
      options: { data: { status: 307, body: 'a redirect to http://127.0.0.1:9' } },
    });
  });
});

describe('a result', () => {
  const answer =
    (type: string, content: string | Buffer): Answer =>
    (response) =>
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(content);

  test.each([
    ['JSON', answer('application/hal+json', '{"a":1}'), { a: 1 }],
    ['text', answer('text/csv; charset=utf-8', 'a,b'), 'a,b'],
    ['XML', answer('application/xml', '<a/>'), '<a/>'],
    ['JSON that is none', answer('application/json', 'oops'), 'oops'],
    ['nothing', (response: ServerResponse) => response.writeHead(204).end(), { status: 204 }],
    ['bytes', answer('image/png', Buffer.from([0, 255])), { contentType: 'image/png', bytes: 2, base64: 'AP8=' }],
    ['bytes without a type', answer('', Buffer.from([0, 255])), { contentType: 'application/octet-stream', bytes: 2, base64: 'AP8=' }],
    ['text without a type', answer('', 'a'), 'a'],
    ['many bytes', answer('application/zip', Buffer.alloc(200_001)), { contentType: 'application/zip', bytes: 200_001 }],
  ])('of %s', async (_name, send, result) => expect(await resultOf(send)).toEqual(result));

  test('of more than 16 MiB is an error', async () => {
    await expect(resultOf(answer('text/plain', Buffer.alloc(17 * 1024 * 1024, 'a')))).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  });
});

describe('an error', () => {
  test.each([
    [404, { message: 'Not Found' }, 'The API answered 404: Not Found'],
    [422, { errors: [{ detail: 'name is missing' }] }, 'The API answered 422: name is missing'],
    [400, { error: { message: 'Bad', code: 7 } }, 'The API answered 400: Bad'],
    [500, '<html>oops</html>', 'The API answered 500: Internal Server Error'],
  ])('%i %j', async (status, body, message) => {
    const failed = resultOf(json(status, body));
    await expect(failed).rejects.toMatchObject({ code: `HTTP_${status}`, message, options: { data: { status, body } } });
    await expect(failed).rejects.not.toMatchObject({ options: { retryable: true } });
  });

  test.each([429, 503])('%i may be tried again after Retry-After', async (status) => {
    const failed = resultOf(json(status, {}, { 'retry-after': '7' }));
    await expect(failed).rejects.toMatchObject({ code: `HTTP_${status}`, options: { retryable: true, retryAfterMs: 7_000 } });
  });

  test.each(['-5', '1.5', 'soon'])('Retry-After: %s names no time', async (header) => {
    const failed = resultOf(json(429, {}, { 'retry-after': header }));
    await expect(failed).rejects.toMatchObject({ options: { retryable: true } });
    await expect(failed).rejects.not.toMatchObject({ options: { retryAfterMs: expect.anything() } });
  });

  test('a long body is cut', async () => {
    await expect(resultOf(json(400, { text: 'x'.repeat(10_000) }))).rejects.toMatchObject({
      options: { data: { body: expect.stringMatching(/^.{4000}…$/) } },
    });
  });

  test('no connection: nothing ran, so it may be tried again', async () => {
    const failed = call({ url: await closedPort(), requests: [] }, '/pets', { get: {} }, {});
    await expect(failed).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE', options: { retryable: true } });
  });

  test('a connection that is lost: it may have run', async () => {
    await expect(resultOf((response) => response.destroy())).rejects.toMatchObject({ code: 'UPSTREAM_LOST', options: {} });
    const cut = (response: ServerResponse) => response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    await expect(resultOf(cut)).rejects.toMatchObject({ code: 'UPSTREAM_LOST' });
  });

  test('a call that is cancelled ends with the reason, and so does its request', async () => {
    const cancel = new AbortController();
    const { promise: isClosed, resolve: closed } = Promise.withResolvers<void>();
    const api = await recordedApi((_request, response) => {
      response.on('close', closed);
      cancel.abort(new Error('cancelled'));
    });
    await expect(call(api, '/pets', { get: {} }, {}, {}, cancel.signal)).rejects.toThrow('cancelled');
    await isClosed;
  });
});
