/** Each way to write a request, read by the rules of the document alone: no code of the importer takes part. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Oracle } from '../../../../scripts/imports/oracle/oracle.ts';

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
});
afterAll(() => oracle.close());

const STRINGS = { type: 'array', items: { type: 'string' } };
const FORMATS = ['csv', 'ssv', 'tsv', 'pipes'];
const lists = (place: string, formats: readonly string[]) =>
  formats.map((collectionFormat) => ({
    ...STRINGS,
    in: place,
    name: `${place}-${collectionFormat}`,
    collectionFormat,
    required: place === 'path',
  }));
const Pet = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    tags: STRINGS,
    owner: { allOf: [{ $ref: '#/definitions/Owner' }], 'x-nullable': true },
  },
};
const body = { in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } };
const text = (place: string, name: string, more: object = {}) => ({ in: place, name, type: 'string', ...more });

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'api.example.com',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  parameters: { Body: body, Name: text('formData', 'name', { required: true }), Ids: { ...STRINGS, in: 'query', name: 'ids' } },
  definitions: {
    Pet,
    Owner: { type: 'object', properties: { name: { type: 'string' }, pets: { type: 'array', items: { $ref: '#/definitions/Pet' } } } },
  },
  securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'key' }, user: { type: 'basic' } },
  security: [{ key: [], user: [] }],
  paths: {
    '/lists': {
      get: { parameters: [...lists('query', [...FORMATS, 'multi']), ...lists('header', FORMATS), { $ref: '#/parameters/Ids' }] },
    },
    [`/${FORMATS.map((format) => `{path-${format}}`).join('/')}`]: { parameters: lists('path', FORMATS), get: { security: [] } },
    '/pets/{id}': { parameters: [text('path', 'id', { required: true }), { $ref: '#/parameters/Body' }], put: {}, patch: { consumes: [] } },
    '/pets': { post: { consumes: ['application/xml', 'application/json'], parameters: [body, text('query', 'name')] } },
    '/form': {
      parameters: [{ $ref: '#/parameters/Name' }],
      post: { consumes: ['application/x-www-form-urlencoded'], parameters: lists('formData', [...FORMATS, 'multi']) },
      put: { parameters: [text('formData', 'note')] },
      patch: {
        consumes: ['multipart/form-data'],
        parameters: [...lists('formData', [...FORMATS, 'multi']), { in: 'formData', name: 'file', type: 'file' }],
      },
    },
    '/?action=list': { get: { parameters: [text('query', 'q')] } },
    '/xml': { post: { consumes: ['application/xml'], parameters: [body] } },
    '/bytes': {
      put: { consumes: ['image/png'], parameters: [{ in: 'body', name: 'file', schema: { type: 'string', format: 'binary' } }] },
    },
    '/search': { get: { parameters: [body] }, delete: { parameters: [{ ...body, required: false }] } },
  },
};

const parameter = (name: string, place: string, schema: object, more: object = {}) => ({ name, in: place, schema, ...more });
const OBJECT = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
const media = (type: string, schema: object, encoding: object = {}) => ({
  requestBody: { required: true, content: { [type]: { schema, encoding } } },
});
const PARTS = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    more: { type: 'array', items: { type: 'string', format: 'binary' } },
    tags: STRINGS,
    name: { type: 'string' },
  },
};

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  components: {
    securitySchemes: {
      token: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      sid: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
    schemas: {
      Pet: { type: 'object', properties: { name: { type: ['string', 'null'] }, kind: { oneOf: [{ type: 'integer' }, OBJECT] } } },
    },
  },
  security: [{ token: [] }],
  paths: {
    '/query': {
      get: {
        security: [{ key: [], sid: [] }],
        parameters: [
          parameter('list', 'query', STRINGS),
          parameter('pipes', 'query', STRINGS, { style: 'pipeDelimited', explode: false }),
          parameter('deep', 'query', { type: 'object', properties: { c: OBJECT } }, { style: 'deepObject', explode: true }),
          parameter('flat', 'query', OBJECT, { explode: false }),
          parameter('where', 'query', {}, { content: { 'application/json': { schema: OBJECT } } }),
          parameter('X-List', 'header', STRINGS),
          parameter('X-Object', 'header', OBJECT, { explode: true }),
          parameter('lang', 'cookie', { type: 'string' }),
        ],
      },
    },
    '/{simple}/{label}/{matrix}/{object}': {
      get: {
        parameters: [
          parameter('simple', 'path', STRINGS),
          parameter('label', 'path', STRINGS, { style: 'label', explode: true }),
          parameter('matrix', 'path', STRINGS, { style: 'matrix', explode: true }),
          parameter('object', 'path', { ...OBJECT, required: ['a'] }, { explode: true }),
        ],
      },
    },
    '/json': {
      post: media('application/json', { $ref: '#/components/schemas/Pet' }),
      patch: media('application/merge-patch+json', OBJECT),
    },
    '/clash/{a}': { put: { parameters: [parameter('a', 'path', { type: 'string' })], ...media('application/json', OBJECT) } },
    '/form': {
      post: media(
        'application/x-www-form-urlencoded',
        { type: 'object', properties: { list: STRINGS, object: OBJECT } },
        { object: { style: 'deepObject', explode: true } },
      ),
    },
    '/parts': { post: media('multipart/form-data', PARTS) },
    '/list': { post: media('application/json', STRINGS) },
    '/text': { post: media('text/plain', { type: 'string' }) },
  },
};

test.each([
  ['Swagger 2.0', SWAGGER, 12],
  ['OpenAPI 3.1', OPENAPI, 9],
])('each request of %s is exact', async (_name, document, actions) => {
  const imported = oracle.import(document, 'pets');
  const { problems, ...counts } = await oracle.judge(document, imported);
  expect(problems).toEqual([]);
  expect(counts).toMatchObject({ requests: 2 * actions, exact: 2 * actions });
});

/** The imported document differs from the document that the reader of the requests uses. */
test.each([
  ['another separator', JSON.stringify(SWAGGER).replaceAll('"ssv"', '"pipes"'), 'query parameter query-ssv'],
  ['a lost body', JSON.stringify(SWAGGER).replace('{"$ref":"#/parameters/Body"}', ''), 'no body'],
  ['another media type', JSON.stringify(SWAGGER).replaceAll('image/png', 'image/gif'), 'body of type image/gif, for image/png'],
  ['a lost field', JSON.stringify(SWAGGER).replace('{"$ref":"#/parameters/Name"}', ''), 'the payload shows no field name'],
  ['another place', JSON.stringify(SWAGGER).replace('"in":"query","name":"q"', '"in":"header","name":"q"'), 'query parameter q: none'],
  ['a missing credential', JSON.stringify({ ...SWAGGER, security: [] }), 'no credential'],
])('the reader finds %s', async (_name, imported, problem) => {
  const text = imported.replaceAll('[,', '[').replaceAll(',]', ']');
  const { problems } = await oracle.judge(SWAGGER, oracle.import(JSON.parse(text), 'pets'));
  expect(problems.map((each) => each.problem)).toContainEqual(expect.stringContaining(problem));
});

test('the reader finds an operation that is missing without a reason', async () => {
  const { '/pets': _, ...paths } = SWAGGER.paths;
  const { problems } = await oracle.judge(SWAGGER, oracle.import({ ...SWAGGER, paths }, 'pets'));
  expect(problems).toEqual([{ what: 'POST /pets', problem: 'no action, and no reason' }]);
});
