/** The shapes of results that a document declares, as the actions return them. */
import { importOpenapi } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { MAX_RESULT_TOKENS } from '../../../import/openapi/slim-result';
import { toResultSchema } from '../../../src/payload/result-schema';
import { documentOf } from './documents';

const PET = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id'] };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

function shapeOf(responses: object, { schemas = {}, method = 'get', version = '3.0.3' } = {}) {
  const document = documentOf({ '/pets': { [method]: { operationId: 'list', responses } } }, { components: { schemas }, openapi: version });
  return shapeIn(document);
}

function shapeIn(document: object) {
  const shape = importOpenapi(document, { toolkitId: 'pets' }).actions[0]?.resultDescription;
  // The service takes each shape as it is.
  if (shape) expect(toResultSchema(shape, DEFAULT_LIMITS)).toEqual(shape);
  return shape;
}

describe('the answer that counts', () => {
  const other = json({ type: 'string' });
  test.each([
    ['the lowest of 2xx', { 201: other, 200: json(PET), 400: other }],
    ['the lowest with JSON', { 200: { description: 'None' }, 202: json(PET) }],
    ['one status before all', { '2XX': other, 203: json(PET) }],
    ['all of 2xx', { '2XX': json(PET), default: other }],
    ['the default of an operation without 2xx', { default: json(PET), 404: other }],
    ['one with a type of JSON', { 200: { content: { 'text/csv': {}, 'application/vnd.pets+json; v=1': { schema: PET } } } }],
    ['one with any type, if it is a structure', { 200: { content: { '*/*': { schema: PET } } } }],
  ])('is %s', (_, responses) => {
    expect(shapeOf(responses)).toEqual(PET);
  });

  test.each([
    ['only errors', { 404: json(PET) }],
    ['a default beside 2xx', { 200: { description: 'Done' }, default: json(PET) }],
    ['JSON of any kind', { 200: json({}) }],
    ['JSON without a schema', { 200: { content: { 'application/json': {} } } }],
    ['a file under the type of JSON', { 200: json({ type: 'string', format: 'binary' }) }],
    ['a number of any type', { 200: { content: { '*/*': { schema: { type: 'number' } } } } }],
    ['bytes that may be a text', { 200: { content: { 'application/octet-stream': {} } } }],
    ['a reference to nothing', { 200: json({ $ref: '#/components/schemas/None' }) }],
  ])('is none: %s', (_, responses) => {
    expect(shapeOf(responses)).toBeUndefined();
  });
});

describe('the result of', () => {
  const STATUS = { type: 'object', properties: { status: { type: 'integer' } }, required: ['status'] };
  const BYTES = { properties: { contentType: { type: 'string' }, bytes: { type: 'integer' }, base64: { type: 'string' } } };

  test('an answer without content is its status', () => {
    expect(shapeOf({ 204: { description: 'Gone' } }, { method: 'delete' })).toEqual(STATUS);
    expect(shapeOf({ 200: json(PET) }, { method: 'head' })).toEqual(STATUS);
    expect(shapeOf({ 200: { description: 'The document does not say' } })).toBeUndefined();
  });

  test.each(['text/csv', 'application/xml', 'text/event-stream', 'image/svg+xml'])('%s is a text', (type) => {
    expect(shapeOf({ 200: { content: { [type]: { schema: PET } } } })).toEqual({ type: 'string' });
  });

  test.each(['image/png', 'application/pdf', 'application/zip'])('%s has its bytes', (type) => {
    expect(shapeOf({ 200: { content: { [type]: { schema: { type: 'string', format: 'binary' } } } } })).toMatchObject(BYTES);
  });

  test('JSON lines is a list', () => {
    const lines = (media: object, version = '3.0.3') => shapeOf({ 200: { content: { 'application/x-ndjson': media } } }, { version });
    expect(lines({ schema: PET })).toEqual({ type: 'array', items: PET });
    expect(lines({ itemSchema: PET }, '3.2.0')).toEqual({ type: 'array', items: PET });
  });
});

describe('a shape', () => {
  test('may be a list, a text, a number or null', () => {
    expect(shapeOf({ 200: json({ type: 'array', items: PET }) })).toEqual({ type: 'array', items: PET });
    expect(shapeOf({ 200: json({ type: 'string', enum: ['a', 'b'] }) })).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(shapeOf({ 200: json({ type: ['number', 'null'] }) }, { version: '3.1.0' })).toEqual({ type: ['number', 'null'] });
  });

  test('has the fields of answers, and not those of requests', () => {
    const Pet = {
      type: 'object',
      required: ['id', 'password'],
      properties: {
        id: { type: 'string', readOnly: true },
        password: { type: 'string', writeOnly: true },
        owner: { $ref: '#/components/schemas/Owner' },
      },
    };
    const Owner = { type: 'object', properties: { key: { type: 'string', writeOnly: true }, name: { type: 'string' } } };
    expect(shapeOf({ 200: json({ $ref: '#/components/schemas/Pet' }) }, { schemas: { Pet, Owner } })).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, owner: { type: 'object', properties: { name: { type: 'string' } } } },
      required: ['id'],
    });
  });

  test('has no limits of values and fields, which an answer may exceed, and digits of 64 bits may be a text', () => {
    const size = { type: 'integer', format: 'int64', minimum: 1, default: 1 };
    const name = { type: 'string', pattern: '^a', maxLength: 3, format: 'uuid', description: 'Its name' };
    expect(shapeOf({ 200: json({ type: 'object', additionalProperties: false, properties: { size, name } }) })).toEqual({
      type: 'object',
      properties: {
        size: { type: ['integer', 'string'], format: 'int64' },
        name: { type: 'string', format: 'uuid', description: 'Its name' },
      },
    });
  });

  test('that contains itself is a reference with its type', () => {
    const Node = { type: 'object', properties: { below: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } };
    expect(shapeOf({ 200: json({ $ref: '#/components/schemas/Node' }) }, { schemas: { Node } })).toEqual({
      type: 'object',
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { below: { type: 'array', items: { $ref: '#/$defs/Node' } } } } },
    });
  });

  test('that is large loses its texts first, then its inner levels', () => {
    const fields = (count: number, schema: object) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, schema])),
    });
    const texts = shapeOf({ 200: json(fields(100, { type: 'string', description: 'A long text about the field. '.repeat(10) })) });
    expect(Object.keys(texts?.properties as object)).toHaveLength(100);
    expect(estimateTokens(JSON.stringify(texts))).toBeLessThanOrEqual(MAX_RESULT_TOKENS);
    const levels = shapeOf({ 200: json(fields(20, fields(20, fields(20, { type: 'string' })))) });
    expect(levels).toMatchObject({ properties: { field_3: { type: 'object' } } });
    expect(JSON.stringify(levels)).not.toContain('string');
    expect(shapeOf({ 200: json(fields(1_000, { type: 'string' })) })).toBeUndefined();
  });

  test('of a schema with subtypes has one form for each', () => {
    const of = (properties: object) => ({ allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', properties }] });
    const Pet = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } }, discriminator: { propertyName: 'kind' } };
    const schemas = { Pet, Cat: of({ lives: { type: 'integer' } }), Dog: of({ tricks: { type: 'integer' } }) };
    const forms = shapeOf({ 200: json({ $ref: '#/components/schemas/Pet' }) }, { schemas })?.anyOf as { properties: object }[];
    expect(forms.map(({ properties }) => Object.keys(properties))).toEqual([['kind', 'lives'], ['kind', 'tricks'], ['kind']]);
  });
});

test('Swagger 2.0 has schemas of answers too, with what OpenAPI 3 calls nullable', () => {
  const responses = {
    200: { schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } },
    404: { schema: { type: 'string' } },
  };
  const paths = { '/pets': { get: { operationId: 'list', responses } } };
  const definitions = { Pet: { type: 'object', properties: { name: { type: 'string', 'x-nullable': true } } } };
  const swagger = {
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    host: 'api.example.com',
    schemes: ['https'],
    paths,
    definitions,
  };
  expect(shapeIn(swagger)).toEqual({
    type: 'array',
    items: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
  });
  const inline = { 200: { schema: { type: 'object', properties: { name: { type: 'string', 'x-nullable': true } } } } };
  expect(shapeIn({ ...swagger, paths: { '/pets': { get: { operationId: 'list', responses: inline } } } })).toEqual({
    type: 'object',
    properties: { name: { type: ['string', 'null'] } },
  });
  const file = { 200: { schema: { type: 'file' } } };
  expect(
    shapeIn({ ...swagger, paths: { '/pets': { get: { operationId: 'list', produces: ['image/png'], responses: file } } } }),
  ).toMatchObject({
    required: ['contentType', 'bytes'],
  });
});
