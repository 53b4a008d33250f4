/** Documents as a whole: versions, texts, filters, servers, credentials. */
import { importOpenapi } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import { actionsOf, BASE_URL, documentOf } from './documents';

const get = { operationId: 'list', summary: 'List pets', tags: ['pets'] };

describe('a document', () => {
  test('of Swagger 2.0', () => {
    const parameters = [
      { name: 'ids', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
      { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
    ];
    const definitions = { Pet: { type: 'object', properties: { name: { type: 'string' } } } };
    const swagger = { swagger: '2.0', info: { title: 'Pets' }, host: 'api.example.com', schemes: ['https'], definitions };
    const document = { ...swagger, paths: { '/pets': { post: { operationId: 'add', parameters } } } };
    const before = structuredClone(document);
    expect(actionsOf(document).add?.payloadDescription).toEqual({
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'string' } }, name: { type: 'string' } },
    });
    expect(document).toEqual(before);
  });

  test('as YAML, as JSON text, and of version 3.1', () => {
    const document = documentOf({ '/pets': { get } }, { openapi: '3.1.0' });
    expect(Object.keys(actionsOf(JSON.stringify(document)))).toEqual(['list']);
    const yaml = `openapi: 3.1.0\ninfo: { title: Pets }\nservers: [{ url: ${BASE_URL} }]\npaths:\n  /pets:\n    get: { operationId: list }\n`;
    expect(Object.keys(actionsOf(yaml))).toEqual(['list']);
  });

  test.each([
    ['{ "a": ', 'neither JSON nor YAML'],
    ['just words', 'not an OpenAPI document'],
    [{ asyncapi: '3.0.0' }, 'not an OpenAPI document'],
    [{ openapi: '4.0.0', paths: {} }, 'OpenAPI 4.0.0 is not known'],
  ])('%j is refused', (document, message) => {
    expect(() => importOpenapi(document)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) }),
    );
  });

  test('names and describes its toolkit', () => {
    const info = { title: 'Pet *Store*', description: 'Pets for [all](https://x.example). Since 1990.' };
    expect(importOpenapi(documentOf({}, { info })).toolkit).toEqual({ name: 'Pet *Store*', description: 'Pet *Store*. Pets for all.' });
  });
});

describe('operations', () => {
  test('the summary is first in the description; `describe` replaces both', () => {
    const document = documentOf({ '/pets': { get: { ...get, description: 'Lists them\n\n\n\nall' }, post: {} } });
    expect(actionsOf(document).list?.actionDescription).toBe('List pets.\n\nLists them\n\nall');
    expect(actionsOf(document).post_pets?.actionDescription).toBe('Create or run pets.');
    expect(actionsOf(document, { describe: { list: 'Shows the pets' } }).list?.actionDescription).toBe('Shows the pets');
    expect(() => actionsOf(document, { describe: { lst: 'x' } })).toThrow('describe names the action "lst"');
  });

  test('hints come from the method', () => {
    const actions = actionsOf(documentOf({ '/p': { get: {}, head: {}, put: {}, delete: {}, post: {}, patch: {} } }));
    expect(Object.fromEntries(Object.values(actions).map(({ action, annotations }) => [action, annotations]))).toEqual({
      get_p: { readOnly: true },
      head_p: { readOnly: true },
      put_p: { idempotent: true },
      delete_p: { destructive: true, idempotent: true },
      post_p: {},
      patch_p: {},
    });
  });

  test('of OpenAPI 3.2 have any method', () => {
    const item = { query: { operationId: 'find' }, additionalOperations: { COPY: { operationId: 'copy' }, CONNECT: {} } };
    const { actions, skipped } = importOpenapi(documentOf({ '/p': item }, { openapi: '3.2.0' }));
    expect(actions.map(({ action, original, annotations }) => [action, original, annotations])).toEqual([
      ['copy', 'COPY /p', {}],
      ['find', 'QUERY /p', { readOnly: true }],
    ]);
    expect(skipped).toEqual([{ what: 'CONNECT /p', why: 'a request of method "CONNECT" is not sent' }]);
  });

  test('deprecated ones are left out unless they are asked for', () => {
    const document = documentOf({ '/a': { get }, '/b': { get: { operationId: 'old', deprecated: true } } });
    expect(Object.keys(actionsOf(document))).toEqual(['list']);
    expect(Object.keys(actionsOf(document, { deprecated: true }))).toEqual(['list', 'old']);
  });

  test('a filter changes no name', () => {
    const document = documentOf({ '/a': { get: { ...get, tags: ['a'] } }, '/b': { get } });
    const all = Object.keys(actionsOf(document));
    expect(Object.keys(actionsOf(document, { include: ['tag:pets'] }))).toEqual(all.slice(1));
  });

  test('more than a toolkit may have are refused with the tags to choose from', () => {
    const paths = Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`/p${n}`, { get: { tags: [n % 2 ? 'odd' : 'even'] } }]));
    expect(() => importOpenapi(documentOf(paths))).toThrow(
      '5001 operations, and a toolkit 5000; choose with include: the tags are even (2501), odd (2500)',
    );
  });

  test('one that cannot be called is skipped with the reason', () => {
    const body = (type: string) => ({
      required: true,
      content: { [type]: { schema: { type: 'object', required: ['a'], properties: { a: {} } } } },
    });
    const { skipped } = importOpenapi(
      documentOf({
        '/a': { get: { requestBody: body('application/json') }, post: { parameters: [{ $ref: 'https://evil.example/p.json' }] } },
        '/b': { $ref: './b.yaml' },
        '/d': { post: { requestBody: { content: { 'multipart/form-data': { schema: { type: 'string', format: 'binary' } } } } } },
        '/e': { post: { requestBody: { content: { 'application/protobuf': {} } } } },
        '/c': { post: { servers: [{ url: 'https://uploads.example.com' }] } },
      }),
    );
    expect(skipped).toEqual([
      { what: 'POST /a', why: expect.stringContaining('leads out of the document') },
      { what: '/b', why: expect.stringContaining('leads out of the document') },
      { what: 'GET /a', why: 'a GET request has no body, and this one needs it' },
      { what: 'POST /d', why: 'the parts of its body have no names' },
      { what: 'POST /e', why: 'its body is application/protobuf; JSON, forms, text, XML and files are supported' },
      { what: 'POST /c', why: expect.stringContaining('https://uploads.example.com') },
    ]);
  });
});

describe('a skipped part of a document has its reason', () => {
  /** The skipped parts of `/pets`, without what they belong to. */
  const skippedOf = (item: object, more: object = {}) => importOpenapi(documentOf({ '/pets': item }, more)).skipped;
  const object = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  test.each([
    ['a body without a media type', { post: { requestBody: { required: true, content: {} } } }, 'body', 'names no media type'],
    ['an optional body of a GET', { get: { requestBody: json(object('a')) } }, 'body', 'a GET request has no body'],
    ['an optional body of any fields', { get: { requestBody: json({ type: 'object' }) } }, 'body', 'a GET request has no body'],
    ['an optional file of a GET', { get: { requestBody: { content: { 'image/png': {} } } } }, 'body', 'a GET request has no body'],
    [
      'another body of a second media type',
      { post: { requestBody: { content: { ...json(object('a')).content, 'multipart/form-data': { schema: object('b') } } } } },
      'body as multipart/form-data',
      'another of its media types',
    ],
    [
      'a place that is not known',
      { get: { parameters: [{ name: 'q', in: 'querystring', content: {} }] } },
      'parameter q',
      'its place "querystring" is not supported',
    ],
    [
      'a name that no object can have',
      { get: { parameters: [{ name: '__proto__', in: 'query' }] } },
      'parameter __proto__',
      'its name cannot be a field',
    ],
    [
      'a path parameter without a place in the path',
      { get: { parameters: [{ name: 'id', in: 'path' }] } },
      'parameter id',
      'the path has no place for it',
    ],
    [
      'a header that the request sets',
      { get: { parameters: [{ name: 'Accept', in: 'header' }] } },
      'header Accept',
      'the request itself sets it',
    ],
    [
      'callbacks',
      { post: { callbacks: { done: { '{$request.body#/url}': { post: {} } } } } },
      'callbacks',
      'calls from the API are not received',
    ],
    [
      'a reference that leads out',
      { post: { requestBody: json({ type: 'object', properties: { a: { $ref: 'https://x.example/a.json' } } }) } },
      'reference https://x.example/a.json',
      'leads out of the document',
    ],
  ])('%s', (_name, item, part, why) => {
    const [method] = Object.keys(item);
    expect(skippedOf(item)).toEqual([{ what: `${method?.toUpperCase()} /pets`, part, why: expect.stringContaining(why) }]);
    expect(Object.keys(actionsOf(documentOf({ '/pets': item })))).toEqual([`${method}_pets`]);
  });

  test('a schema that is too large', () => {
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field${index}`, { type: 'string' }]));
    expect(skippedOf({ post: { requestBody: json({ type: 'object', properties: { all: { type: 'object', properties } } }) } })).toEqual([
      { what: 'POST /pets', part: 'schema', why: expect.stringContaining('it is too large') },
    ]);
  });

  test('TRACE, an operation that is not an object, webhooks, and paths of an extension', () => {
    const beside = { webhooks: { a: { post: {} }, b: { post: {} } }, 'x-ms-paths': { '/pets?kind=cat': { get: {} } } };
    expect(skippedOf({ trace: {}, get: null }, beside)).toEqual([
      { what: 'GET /pets', why: 'it is not an object' },
      { what: 'TRACE /pets', why: 'a request of method "TRACE" is not sent' },
      { what: 'webhooks (2)', why: 'calls from the API are not received' },
      { what: 'x-ms-paths (1)', why: 'paths that differ only in their query are not read' },
    ]);
  });

  test('security schemes without a credential, once an operation needs them', () => {
    const securitySchemes = {
      digest: { type: 'http', scheme: 'digest' },
      certificate: { type: 'mutualTLS' },
      unused: { type: 'http', scheme: 'hoba' },
      token: { type: 'http', scheme: 'bearer' },
    };
    const document = documentOf(
      { '/pets': { get: { security: [{ digest: [] }, { certificate: [], token: [] }] } } },
      { components: { securitySchemes } },
    );
    const imported = importOpenapi(document, { auth: { bearer: 't' } });
    expect(imported.skipped).toEqual([
      { what: 'security scheme digest', why: 'a credential of type http digest is not made; a header can be given in "headers"' },
      { what: 'security scheme certificate', why: 'a client certificate is not sent' },
    ]);
    expect(imported.missing).toEqual([{ scheme: 'digest', type: 'http digest', operations: 1 }]);
    expect(() => importOpenapi(document, { auth: { schemes: { digest: 'secret' } } })).toThrow(
      'auth.schemes: a credential of type http digest is not made; a header can be given in "headers"',
    );
  });

  test('supported parts have no finding: an empty body of a GET, a body in two media types, headers of the operator', () => {
    const schema = object('a');
    const item = {
      get: { requestBody: json({ type: 'object', properties: {} }), parameters: [{ name: 'X-Version', in: 'header' }] },
      post: { requestBody: { content: { 'application/json': { schema }, 'application/xml': { schema } } } },
    };
    expect(importOpenapi(documentOf({ '/pets': item }), { headers: { 'X-Version': '2' } }).skipped).toEqual([]);
  });
});

describe('the base URL', () => {
  const withServers = (...servers: object[]) => documentOf({ '/pets': { get } }, { servers });

  test.each([
    ['a variable with a default', { url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }],
    ['the first https one', { url: 'https://api.example.com/' }],
  ])('%s of the document', (_name, server) => {
    expect(() => importOpenapi(withServers({ url: 'http://api.example.com' }, { url: '/v1' }, server))).not.toThrow();
  });

  test.each([
    'http://api.example.com',
    '/v1',
    'https://{tenant}.example.com',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost:8787',
    'https://metadata.google.internal',
    'https://user:secret@api.example.com',
    'file:///etc/passwd',
  ])('%s is not taken from a document, and baseUrl helps', (url) => {
    expect(() => importOpenapi(withServers({ url }))).toThrow('give baseUrl');
    expect(() => importOpenapi(withServers({ url }), { baseUrl: 'http://127.0.0.1:4010' })).not.toThrow();
  });

  test.each(['api.example.com', 'ftp://x.example', 'https://user:secret@api.example.com'])('baseUrl %s is refused', (baseUrl) => {
    expect(() => importOpenapi(withServers(), { baseUrl })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});

describe('credentials', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    app: { type: 'apiKey', in: 'query', name: 'app' },
    user: { type: 'oauth2' },
  };
  const document = documentOf(
    { '/a': { get: { security: [{ user: [] }] } }, '/b': { get: { security: [{ key: [], app: [] }] } }, '/c': { get: { security: [{}] } } },
    { components: { securitySchemes } },
  );

  test('the schemes that lack one are named', () => {
    expect(importOpenapi(document, { auth: { bearer: 'x' } }).missing).toEqual([
      { scheme: 'key', type: 'apiKey', operations: 1 },
      { scheme: 'app', type: 'apiKey', operations: 1 },
    ]);
    expect(importOpenapi(document, { auth: { bearer: 'x', schemes: { key: 'k', app: 'a' } } }).missing).toEqual([]);
  });

  test.each([
    [{ apiKey: 'secret' }, 'auth.apiKey: the document has several; write schemes: { key: key }'],
    [{ schemes: { kee: 'secret' } }, 'auth.schemes: the document has no scheme "kee"; it has key, app, user'],
  ])('%j is refused without showing the secret', (auth, message) => {
    expect(() => importOpenapi(document, { auth })).toThrow(expect.objectContaining({ message }));
  });
});
