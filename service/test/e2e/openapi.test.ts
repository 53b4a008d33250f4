/** GET /v1/openapi.json: a valid document, of every route that there is, whose schemas fit what the service really answers. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ERRORS } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { startService, type TestService } from '../../../test/support/service';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { createApp } from '../../src/http/app';
import type { AppDeps } from '../../src/http/app-deps';

interface Document {
  paths: Record<
    string,
    Record<string, { operationId: string; tags: string[]; responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  components: { schemas: Record<string, object> };
}

async function startWithToolkit(): Promise<{ service: TestService; document: Document }> {
  const service = await startService();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action(
      {
        action: 'today',
        actionDescription: 'Weather of today in a city',
        payloadDescription: { city: { type: 'string', required: true } },
        annotations: { readOnly: true },
      },
      (ctx, { city }) => {
        ctx.progress({ progress: 1, total: 2, message: 'half' });
        return city === 'Atlantis'
          ? ctx.error('CITY_UNKNOWN', 'No station', { data: { city }, retryable: true, retryAfterMs: 5 })
          : { celsius: 21 };
      },
    );
  });
  const document = (await (await fetch(service.url + PATHS.openapi)).json()) as Document;
  return { service, document };
}

test('the document is valid OpenAPI 3.0, which every generator of clients reads', async () => {
  const { document } = await startWithToolkit();
  const { valid, errors } = await new Validator().validate(document as unknown as Record<string, unknown>);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(document).toMatchObject({ openapi: '3.0.3' });
});

test('clients can be generated: names that read and are unique, tags, errors by status in one shape, no two values of an enum alike', async () => {
  const { document } = await startWithToolkit();
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toEqual(expect.arrayContaining(['searchActions', 'invokeAction', 'resolveAction', 'listActions', 'createKey']));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operationId, tags, responses } of operations) {
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(tags, operationId).toHaveLength(1);
    // Generators take it for a success too.
    expect(Object.keys(responses), operationId).not.toContain('default');
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(new Set(errors.map(([, { content }]) => JSON.stringify(content))).size, operationId).toBe(1);
  }
  const enums = [...JSON.stringify(document).matchAll(/"enum":(\[[^\]]*\])/g)].map(([, values]) => JSON.parse(values ?? '[]') as unknown[]);
  for (const values of enums) expect(new Set(values.map((value) => String(value).toLowerCase())).size).toBe(values.length);
  const invoke = document.paths[PATHS.invoke]?.post?.responses ?? {};
  expect(invoke['422']).toMatchObject({
    description: expect.stringContaining('INVALID_PAYLOAD'),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('every route is in it, and no other', async () => {
  const { document } = await startWithToolkit();
  const told = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // Nothing is called: the routes are only listed. ALL is how hono names what runs before a route.
  const onHono = [...createApp({ admin: {}, store: {} } as AppDeps).routes, ...ADMIN_ROUTES]
    .filter(({ method, path }) => method !== 'ALL' && !path.endsWith('/*'))
    // Pages for people, as those of the console.
    .filter(({ path }) => !/^\/(?:connections|catalogue)(?:\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(':id', '{id}')}`);
  const beside = ['GET /', `GET ${PATHS.openapi}`];
  expect(told.concat(beside).sort()).toEqual([...new Set(onHono), `POST ${PATHS.invoke}`].sort());
});

test('the answers of the service match the schemas', async () => {
  const { service, document } = await startWithToolkit();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'openapi');
  const { key: adminKey } = await service.keys.create({ kind: 'admin', name: 'admin' });
  const { id: spare } = await service.keys.create({
    kind: 'agent',
    name: 'spare',
    allow: { toolkits: ['weather'] },
    callsPerMinute: 9,
    expiresInDays: 1,
  });

  /** Sends a request and checks the answer against the document's schema for the operation and status. */
  const check = async (
    method: string,
    route: string,
    { path = route, body, admin }: { path?: string; body?: unknown; admin?: boolean } = {},
  ) => {
    const response = await service.request(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(admin && { headers: { authorization: `Bearer ${adminKey}` } }),
    });
    const { responses } = document.paths[route]?.[method.toLowerCase()] ?? {
      responses: {} as Document['paths'][string][string]['responses'],
    };
    const text = await response.text();
    const told = responses[response.status];
    expect(told, `${method} ${path}: ${text}`).toBeDefined();
    if (text === '') return expect({ path, content: told?.content }).toEqual({ path, content: undefined });
    const type = response.headers.get('content-type') ?? '';
    const schema = told?.content?.[type]?.schema;
    expect(schema, `${method} ${path} ${response.status} ${type}`).toBeDefined();
    const pointer = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const validate = ajv.compile(JSON.parse(pointer));
    validate(JSON.parse(text));
    expect(validate.errors ?? [], `${method} ${path}: ${text}`).toEqual([]);
    return { status: response.status, answer: JSON.parse(text) };
  };

  await check('GET', PATHS.health);
  await check('GET', PATHS.ready);
  await check('POST', PATHS.search, { body: { query: 'weather' } });
  await check('POST', PATHS.search, { body: { query: 'qqqq' } });
  await check('POST', PATHS.explain, { body: { query: 'weather of a city', action: 'weather__today' } });
  await check('POST', PATHS.explain, { body: { query: 'qqqq', action: 'weather__today', limit: 1 } });
  await check('GET', PATHS.actions, { path: `${PATHS.actions}?toolkit=weather&limit=1` });
  await check('GET', `${PATHS.actions}/{id}`, { path: `${PATHS.actions}/weather__today` });
  await check('GET', PATHS.toolkits);
  await check('GET', `${PATHS.toolkits}/{id}`, { path: `${PATHS.toolkits}/weather` });
  await check('POST', PATHS.invoke, { body: { action: 'weather__today', payload: { city: 'Rome' } } });
  await check('POST', PATHS.invoke, { body: { action: 'weather__today', city: 'Rome' } });
  await check('GET', PATHS.keys, { admin: true });
  await check('POST', PATHS.keys, { admin: true, body: { kind: 'toolkit', name: 'new', expiresInDays: 3 } });
  await check('POST', `${PATHS.keys}/{id}/rotate`, { path: `${PATHS.keys}/${spare}/rotate`, admin: true });
  await check('DELETE', `${PATHS.keys}/{id}`, { path: `${PATHS.keys}/${spare}`, admin: true });
  await check('GET', PATHS.keys, { admin: true });

  const problems = [
    await check('POST', PATHS.invoke, { body: { action: 'weather__tody', payload: {} } }),
    await check('POST', PATHS.invoke, { body: { action: 'weather__today', payload: { town: 'Rome' } } }),
    await check('POST', PATHS.invoke, { body: { action: 'weather__today', payload: { city: 'Atlantis' } } }),
    await check('POST', PATHS.search, { body: { limit: 'x' } }),
    await check('GET', `${PATHS.toolkits}/{id}`, { path: `${PATHS.toolkits}/wether` }),
    await check('GET', PATHS.keys),
    await check('POST', PATHS.keys, { admin: true, body: { kind: 'robot' } }),
  ];
  expect(problems.map((problem) => problem?.answer.code)).toEqual([
    'ACTION_NOT_FOUND',
    'INVALID_PAYLOAD',
    'ACTION_FAILED',
    'INVALID_REQUEST',
    'TOOLKIT_NOT_FOUND',
    'WRONG_KEY_KIND',
    'INVALID_REQUEST',
  ]);
  for (const problem of problems) expect(problem?.status).toBe(ERRORS[problem?.answer.code as keyof typeof ERRORS].status);
});

test('a request without a required member is refused, and every allowed member is accepted', async () => {
  const { service, document } = await startWithToolkit();
  const { SearchRequest, CreateKeyRequest } = document.components.schemas as Record<string, { required: string[] }>;
  expect(SearchRequest?.required).toEqual(['query']);
  expect(CreateKeyRequest?.required).toEqual(['kind', 'name']);
  const search = (body: object) => service.request(PATHS.search, { method: 'POST', body: JSON.stringify(body) });
  expect((await search({})).status).toBe(400);
  expect((await search({ query: 'weather' })).status).toBe(200);
});
