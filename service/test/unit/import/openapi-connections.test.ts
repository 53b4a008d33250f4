/** Documents whose calls act with the account of a connection: what the toolkit asks for, and what each request has. */
import type { ServerResponse } from 'node:http';
import { type ConnectionChoice, comparePins, importOpenapi, type OpenapiImport, openSource, pinsOf } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import type { FrameConnection } from '#sdk/protocol/connections';
import { heldConnection } from '../../support/connections/held-connection';
import { type RecordedRequest, recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { documentOf } from './documents';

const SIGN_IN = { authorizationUrl: 'https://login.example.com/authorize', tokenUrl: 'https://login.example.com/token' };
const BEARER = { type: 'http', scheme: 'bearer' };
const BASIC = { type: 'http', scheme: 'basic' };
const HEADER_KEY = { type: 'apiKey', in: 'header', name: 'X-Key' };
const QUERY_KEY = { type: 'apiKey', in: 'query', name: 'key' };
const CODE_FLOW = { type: 'oauth2', flows: { authorizationCode: { ...SIGN_IN, scopes: { 'pets:read': '', 'pets:write': '' } } } };

/** A document with an operation for each security. */
function documentWith(schemes: object, securities: Record<string, unknown>, more: object = {}) {
  const paths = Object.entries(securities).map(([name, security]) => {
    const operation = { operationId: name, summary: `Does ${name}`, responses: {}, ...(security !== undefined && { security }) };
    return [`/${name}`, { get: operation }];
  });
  return documentOf(Object.fromEntries(paths), { components: { securitySchemes: schemes }, ...more });
}

const authOf = ({ actions, ...imported }: OpenapiImport) => imported.authOf(actions.map(({ action }) => action));

const actionAuths = ({ actions }: OpenapiImport) => Object.fromEntries(actions.map(({ action, auth }) => [action, auth]));

describe('the toolkit asks for', () => {
  const one = { mine: [{ it: [] }] };
  test.each<[string, object, ConnectionChoice, object]>([
    ['a token', BEARER, 'user', { type: 'bearer', from: 'user' }],
    ['user and password', BASIC, 'agent', { type: 'basic', from: 'agent' }],
    ['a key in a header', HEADER_KEY, 'caller', { type: 'apiKey', from: 'caller', in: 'header', name: 'X-Key' }],
    ['a key in the query', QUERY_KEY, 'everyone', { type: 'apiKey', from: 'everyone', in: 'query', name: 'key' }],
    ['a sign-in', CODE_FLOW, 'user', { type: 'oauth2', from: 'user', ...SIGN_IN }],
    ['a token, where a sign-in has no code flow', { type: 'oauth2', flows: { implicit: {} } }, 'user', { type: 'bearer', from: 'user' }],
    ['a token, where OpenID Connect is discovered', { type: 'openIdConnect' }, 'user', { type: 'bearer', from: 'user' }],
    ['a token in place of a sign-in', CODE_FLOW, { from: 'caller', type: 'bearer' }, { type: 'bearer', from: 'caller' }],
    [
      'the sign-in of the settings, with their scopes',
      BEARER,
      { from: 'user', type: 'oauth2', ...SIGN_IN, scopes: ['all'], help: 'Your account' },
      { type: 'oauth2', from: 'user', ...SIGN_IN, scopes: ['all'], help: 'Your account' },
    ],
  ])('%s', (_name, scheme, auth, asked) => {
    expect(authOf(importOpenapi(documentWith({ it: scheme }, one), { auth }))).toEqual(asked);
  });

  test('a sign-in of Swagger 2.0', () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Pets' },
      host: 'api.example.com',
      schemes: ['https'],
      securityDefinitions: { it: { type: 'oauth2', flow: 'accessCode', ...SIGN_IN, scopes: { read: '' } } },
      paths: { '/mine': { get: { operationId: 'mine', security: [{ it: ['read'] }], responses: {} } } },
    };
    expect(authOf(importOpenapi(swagger, { auth: 'user' }))).toEqual({ type: 'oauth2', from: 'user', ...SIGN_IN, scopes: ['read'] });
  });

  test('the scheme that most operations accept, or the one of the settings', () => {
    const document = documentWith(
      { key: HEADER_KEY, token: BEARER },
      { a: [{ key: [] }], b: [{ token: [] }], c: [{ key: [] }, { token: [] }], d: [{ token: [] }] },
    );
    expect(authOf(importOpenapi(document, { auth: 'user' }))).toEqual({ type: 'bearer', from: 'user' });
    const chosen = importOpenapi(document, { auth: { from: 'user', scheme: 'key' } });
    expect(authOf(chosen)).toMatchObject({ type: 'apiKey', name: 'X-Key' });
    expect(actionAuths(chosen)).toEqual({ a: undefined, b: false, c: undefined, d: false });
    expect(chosen.missing).toEqual([{ scheme: 'token', type: 'http', operations: 2 }]);
  });

  test('the scopes of its operations, and each action for its own; an action without security needs no connection', () => {
    const securities = {
      read: [{ it: ['pets:read'] }],
      write: [{ it: ['pets:write', 'pets:read'] }],
      any: [{ it: [] }],
      open: [],
      free: [{}],
    };
    const imported = importOpenapi(documentWith({ it: CODE_FLOW }, securities), { auth: 'user' });
    expect(authOf(imported)).toMatchObject({ scopes: ['pets:read', 'pets:write'] });
    expect(imported.authOf(['read'])).toMatchObject({ scopes: ['pets:read'] });
    expect(imported.authOf(['open', 'free'])).toBeUndefined();
    expect(actionAuths(imported)).toEqual({
      read: { scopes: ['pets:read'] },
      write: { scopes: ['pets:write', 'pets:read'] },
      any: undefined,
      open: false,
      free: false,
    });
  });

  test('nothing of the operator', () => {
    const imported = importOpenapi(documentWith({ it: BEARER }, one), {
      auth: { from: 'user', help: 'Your token' },
      headers: { 'X-App': 'a' },
    });
    expect(imported.targets).toEqual([
      { address: 'https://api.example.com/v1', actions: 1, sent: ['header authorization of the connection', 'header X-App'] },
    ]);
  });

  test('a type of the settings for a document without schemes, such as that of GitHub', () => {
    const document = documentOf({ '/mine': { get: { operationId: 'mine', responses: {} } } });
    const imported = importOpenapi(document, { auth: { from: 'caller', type: 'apiKey', in: 'query', name: 'k' } });
    expect(authOf(imported)).toEqual({ type: 'apiKey', from: 'caller', in: 'query', name: 'k' });
    expect(actionAuths(imported)).toEqual({ mine: undefined });
  });
});

describe('refused, with the reason', () => {
  const manyScopes = Array.from({ length: 101 }, (_scope, index) => `s${index}`);
  test.each<[string, object, Record<string, unknown>, ConnectionChoice, string]>([
    ['no scheme', {}, { mine: undefined }, 'user', 'auth: the document has no security scheme for a connection; give its type'],
    [
      'only a cookie',
      { it: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      { mine: [{ it: [] }] },
      'user',
      'no security scheme for a connection',
    ],
    [
      'an unknown scheme',
      { it: BEARER },
      { mine: [{ it: [] }] },
      { from: 'user', scheme: 'other' },
      'no scheme "other" for a connection; it has it',
    ],
    [
      'a sign-in without endpoints',
      { it: BEARER },
      { mine: [{ it: [] }] },
      { from: 'user', type: 'oauth2' },
      'auth: oauth2 needs authorizationUrl and tokenUrl',
    ],
    ['scopes that no sign-in asks for', { it: CODE_FLOW }, { mine: [{ it: manyScopes }] }, 'user', 'the operations need 101 scopes'],
  ])('%s', (_name, schemes, securities, auth, message) => {
    expect(() => authOf(importOpenapi(documentWith(schemes, securities), { auth }))).toThrow(message);
  });

  test("a header of the operator in the connection's place", () => {
    const document = documentWith({ it: BEARER }, { mine: [{ it: [] }] });
    expect(() => importOpenapi(document, { auth: 'user', headers: { Authorization: 'Bearer mine' } })).toThrow(
      'headers has Authorization, which the connection of each call sets',
    );
  });
});

const MINE = { '/mine': { get: { operationId: 'mine', security: [{ it: [] }], responses: {} } } };

/** An API that takes one credential, and quotes what it got in its answer and in its refusal. */
async function apiTaking(isGood: (request: RecordedRequest) => boolean) {
  return recordedApi((request, response: ServerResponse) => {
    const { authorization = '', 'x-key': key = '' } = request.headers;
    const status = isGood(request) ? 200 : 401;
    const body = { message: `You sent ${authorization}${key}${request.url}`, base64: Buffer.from(`(${authorization})`).toString('base64') };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

async function callMine(scheme: object, held: { connection: unknown } | undefined, isGood: (request: RecordedRequest) => boolean) {
  const api = await apiTaking(isGood);
  const { actions } = importOpenapi(documentOf(MINE, { components: { securitySchemes: { it: scheme } } }), {
    auth: 'caller',
    baseUrl: api.url,
  });
  const outcome = Promise.resolve(actions[0]?.handler(context(undefined, { ...held } as never), {}));
  await outcome.catch(() => {});
  return { api, outcome };
}

const TOKEN: FrameConnection = { type: 'bearer', token: 'tok-first-of-ann' };

describe('a request has the connection', () => {
  test.each<[string, object, FrameConnection, (request: RecordedRequest) => unknown, string]>([
    ['a token', BEARER, TOKEN, ({ headers }) => headers.authorization, 'Bearer tok-first-of-ann'],
    [
      'user and password',
      BASIC,
      { type: 'basic', username: 'ann', password: 'pa:ss-wörd' },
      ({ headers }) => headers.authorization,
      'Basic YW5uOnBhOnNzLXfDtnJk',
    ],
    [
      'a key in a header',
      HEADER_KEY,
      { type: 'apiKey', apiKey: 'key-1-of-ann', in: 'header', name: 'X-Key' },
      ({ headers }) => headers['x-key'],
      'key-1-of-ann',
    ],
    [
      'a key in the query',
      QUERY_KEY,
      { type: 'apiKey', apiKey: 'key 1&of=ann', in: 'query', name: 'key' },
      ({ url }) => url,
      '/mine?key=key%201%26of%3Dann',
    ],
  ])('%s, and the result shows nothing of it', async (_name, scheme, frame, read, sent) => {
    const { api, outcome } = await callMine(scheme, heldConnection(frame), () => true);
    expect(read(api.requests[0]!)).toBe(sent);
    const shown = JSON.stringify(await outcome);
    for (const secret of ['tok-first', 'pa:ss', 'YW5uOnBhOnNz', 'key-1-of', 'key%201']) expect(shown).not.toContain(secret);
    expect(shown).toContain('[connection]');
  });

  test('no redirect takes it to another origin', async () => {
    const other = await recordedApi();
    const api = await recordedApi((_request, response) => response.writeHead(302, { location: `${other.url}/mine` }).end());
    const { actions } = importOpenapi(documentOf(MINE, { components: { securitySchemes: { it: BEARER } } }), {
      auth: 'user',
      baseUrl: api.url,
    });
    const { connection } = heldConnection(TOKEN);
    expect(await actions[0]?.handler(context(undefined, { connection }), {})).toEqual({ status: 302, location: `${other.url}/mine` });
    expect(other.requests).toEqual([]);
  });

  test('an operation without security gets none', async () => {
    const api = await recordedApi();
    const paths = { '/open': { get: { operationId: 'open', security: [], responses: {} } }, ...MINE };
    const { actions } = importOpenapi(documentOf(paths, { components: { securitySchemes: { it: BEARER } } }), {
      auth: 'user',
      baseUrl: api.url,
    });
    const { connection } = heldConnection(TOKEN);
    await actions.find(({ action }) => action === 'open')?.handler(context(undefined, { connection }), {});
    expect(api.requests[0]?.headers.authorization).toBeUndefined();
  });
});

test('a token that a header cannot hold is an error without the token', async () => {
  const { api, outcome } = await callMine(BEARER, heldConnection({ type: 'bearer', token: 'tok\nof-ann' }), () => true);
  await expect(outcome).rejects.toMatchObject({ code: 'INVALID_HEADER', message: expect.not.stringContaining('of-ann') });
  expect(api.requests).toEqual([]);
});

describe('a refused connection', () => {
  const isRenewed = ({ headers }: RecordedRequest) => headers.authorization === 'Bearer tok-second-of-ann';

  test('is renewed once, and the request is sent once more', async () => {
    const held = heldConnection(TOKEN, { type: 'bearer', token: 'tok-second-of-ann' });
    const { api, outcome } = await callMine(BEARER, held, isRenewed);
    expect(JSON.stringify(await outcome)).not.toMatch(/tok-(first|second)/);
    expect([api.requests.length, held.renewals]).toEqual([2, 1]);
  });

  test('is CONNECTION_REQUIRED if the renewed one is refused too; the error shows neither', async () => {
    const held = heldConnection(TOKEN, { type: 'bearer', token: 'tok-third-of-ann' }, { type: 'bearer', token: 'tok-second-of-ann' });
    const { api, outcome } = await callMine(BEARER, held, isRenewed);
    await expect(outcome).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      message: 'The API answered 401: You sent Bearer [connection]/mine',
    });
    expect([api.requests.length, held.renewals]).toEqual([2, 1]);
  });

  test('is CONNECTION_REQUIRED if it cannot be renewed', async () => {
    const { api, outcome } = await callMine(BEARER, heldConnection(TOKEN), () => false);
    await expect(outcome).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED', message: 'connect again' });
    expect(api.requests).toHaveLength(1);
  });

  test.each([
    ['none', undefined],
    ['another type', heldConnection({ type: 'basic', username: 'ann', password: 'x' })],
  ])('a call with %s sends nothing', async (_name, held) => {
    const { api, outcome } = await callMine(BEARER, held, () => true);
    await expect(outcome).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
    expect(api.requests).toEqual([]);
  });
});

test('a document that moves its sign-in, or asks for more scopes, is held, and its endpoint is asked for by no toolkit', async () => {
  const source = (scheme: object, scopes: string[]) =>
    openSource(
      'pets',
      { openapi: { file: 'pets.json', auth: 'user' } },
      { folder: '.', env: {}, document: JSON.stringify(documentWith({ it: scheme }, { mine: [{ it: scopes }] })) },
    );
  const approved = await source(CODE_FLOW, ['pets:read']);
  const pins = pinsOf(approved);
  expect(pins.toolkit).not.toHaveProperty('auth');
  expect(comparePins(approved, pins).changes).toEqual([]);

  const evil = { type: 'oauth2', flows: { authorizationCode: { ...SIGN_IN, tokenUrl: 'https://evil.example/token' } } };
  for (const [scheme, scopes] of [
    [evil, ['pets:read']],
    [CODE_FLOW, ['pets:read', 'pets:write']],
  ] as const) {
    const changed = await source(scheme, [...scopes]);
    const { served } = comparePins(changed, pins);
    expect(served).toEqual([]);
    expect(changed.authOf(served.map(({ action }) => action))).toBeUndefined();
  }
});
