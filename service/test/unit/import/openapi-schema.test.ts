/** Schemas of OpenAPI as payload schemas. Each one here also passes the service's own check. */
import { describe, expect, test } from 'vitest';
import { actionsOf, documentOf, schemaOfBody } from './documents';

/** The field `a` of a body. */
function field(schema: object, schemas: object = {}): unknown {
  const { properties } = schemaOfBody({ type: 'object', properties: { a: schema } }, schemas) ?? {};
  return (properties as Record<string, unknown>).a;
}

describe('the fields of a payload', () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, id: { type: 'integer', readOnly: true } } };
  const body = { required: true, content: { 'application/json': { schema } } };
  const parameter = (name: string, place: string, more = {}) => ({
    name,
    in: place,
    required: place === 'path',
    schema: { type: 'string' },
    ...more,
  });

  test('parameters and the fields of an object body are side by side; fields that only answers have are left out', () => {
    const put = { operationId: 'put', parameters: [parameter('dry_run', 'query')], requestBody: body };
    expect(actionsOf(documentOf({ '/pets/{pet}': { put } })).put?.payloadDescription).toEqual({
      type: 'object',
      properties: { pet: { type: 'string' }, dry_run: { type: 'string' }, name: { type: 'string' } },
      required: ['pet', 'name'],
    });
  });

  test('a name that is in both moves the body into a separate field', () => {
    const put = { operationId: 'put', parameters: [parameter('name', 'query')], requestBody: body };
    expect(actionsOf(documentOf({ '/pets': { put } })).put?.payloadDescription).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
      required: ['body'],
    });
  });

  test.each([
    [{ type: 'array', items: { type: 'string' } }],
    [{ anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }] }],
    [{ type: 'object', additionalProperties: { type: 'string' } }],
  ])('a body that is not a plain list of fields is one field: %j', (schema) => {
    expect(schemaOfBody(schema)).toEqual({ type: 'object', properties: { body: schema }, required: ['body'] });
  });

  test('a field of a merge patch may be null, which removes it', () => {
    const properties = { due: { type: 'string' }, owner: { $ref: '#/components/schemas/Owner' } };
    const content = { 'application/merge-patch+json': { schema: { type: 'object', properties } } };
    const document = documentOf({ '/pets': { patch: { operationId: 'edit', requestBody: { content } } } });
    const Owner = { type: 'object', properties: { name: { type: 'string' } } };
    expect(actionsOf({ ...document, components: { schemas: { Owner } } }).edit?.payloadDescription.properties).toEqual({
      due: { type: ['string', 'null'] },
      owner: { anyOf: [Owner, { type: 'null' }] },
    });
  });

  test('a parameter is never one that only answers have', () => {
    const get = { operationId: 'get', parameters: [parameter('id', 'path', { schema: { type: 'integer', readOnly: true } })] };
    expect(actionsOf(documentOf({ '/pets/{id}': { get } })).get?.payloadDescription.properties).toEqual({ id: { type: 'integer' } });
  });

  test('two parameters of one name have their place in it', () => {
    const get = { operationId: 'get', parameters: [parameter('id', 'path'), parameter('id', 'query')] };
    expect(Object.keys(actionsOf(documentOf({ '/pets/{id}': { get } })).get?.payloadDescription.properties as object)).toEqual([
      'id',
      'id_query',
    ]);
  });

  test('values that the request decides, or the operator sets, are not in it', () => {
    const names = ['Accept', 'Content-Type', 'Authorization', 'Host', 'X-Version', 'X-Api-Key', 'X-Other'];
    const get = { operationId: 'get', parameters: names.map((name) => parameter(name, 'header')), security: [{ key: [] }] };
    const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } };
    const options = { headers: { 'x-version': '2' }, auth: { apiKey: 'secret' } };
    const { properties } = actionsOf(documentOf({ '/pets': { get } }, { components }), options).get?.payloadDescription ?? {};
    expect(properties).toEqual({ 'X-Other': { type: 'string' } });
  });

  test('a file is a name, a type and its content', () => {
    const schema = {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary', description: 'A photo' }, note: { type: 'string' } },
    };
    const post = { operationId: 'add', requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
    const { properties } = actionsOf(documentOf({ '/pets': { post } })).add?.payloadDescription ?? {};
    expect(properties).toMatchObject({
      note: { type: 'string' },
      file: { type: 'object', description: 'A photo', properties: { filename: {}, contentType: {}, text: {}, base64: {} } },
    });
  });

  test('a body of XML is a text whose description names its fields', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const post = { operationId: 'add', requestBody: { required: true, content: { 'application/xml': { schema } } } };
    expect(actionsOf(documentOf({ '/pets': { post } })).add?.payloadDescription.properties).toEqual({
      body: { type: 'string', description: 'A text of type application/xml, with name.' },
    });
  });
});

describe('keywords', () => {
  test.each([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['nullable with enum', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['a bound that is a boolean', { type: 'integer', minimum: 0, exclusiveMinimum: true }, { type: 'integer', exclusiveMinimum: 0 }],
    ['values that do not fit the type', { type: 'integer', enum: ['1', '2'] }, { enum: ['1', '2'] }],
    ['a type of another language', { type: 'int' }, { type: 'integer' }],
    ['an unknown type', { type: 'any' }, {}],
    ['a pattern that is none', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['a required that is a boolean', { type: 'string', required: true }, { type: 'string' }],
    [
      'oneOf, of which two forms may fit now',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      { anyOf: [{ type: 'integer' }, { type: 'number' }] },
    ],
    ['examples and extensions', { type: 'string', example: 'x', 'x-y': 1, xml: {}, deprecated: true }, { type: 'string' }],
    ['a title without a description', { type: 'string', title: 'Name' }, { type: 'string', description: 'Name' }],
    [
      'markup',
      { type: 'string', description: 'See [the docs](https://x.example) <b>now</b><!-- hidden -->' },
      { type: 'string', description: 'See the docs now' },
    ],
    [
      'a property named like a keyword',
      { type: 'object', properties: { default: { type: 'string' }, $ref: { type: 'string' } } },
      { type: 'object', properties: { default: { type: 'string' }, $ref: { type: 'string' } } },
    ],
  ])('%s', (_name, schema, expected) => expect(field(schema)).toEqual(expected));
});

describe('references and allOf', () => {
  const Pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const Dog = {
    allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', required: ['bark'], properties: { bark: { type: 'string' } } }],
  };

  test('allOf of objects is one object', () => {
    expect(schemaOfBody(Dog, { Pet })).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, bark: { type: 'string' } },
      required: ['name', 'bark'],
    });
  });

  test('allOf around one reference gives it a description', () => {
    expect(
      field({ allOf: [{ $ref: '#/components/schemas/Kind' }], description: 'Kind' }, { Kind: { type: 'string', enum: ['cat'] } }),
    ).toEqual({
      type: 'string',
      enum: ['cat'],
      description: 'Kind',
    });
  });

  test('required beside a reference counts', () => {
    const Patch = { type: 'object', properties: { name: { type: 'string' } } };
    expect(field({ $ref: '#/components/schemas/Patch', required: ['name'] }, { Patch })).toMatchObject({ required: ['name'] });
  });

  test('a type beside a reference adds nothing', () => {
    const Kind = { type: 'string', enum: ['cat'] };
    expect(field({ $ref: '#/components/schemas/Kind', type: 'string', description: 'Kind' }, { Kind })).toEqual({
      ...Kind,
      description: 'Kind',
    });
  });

  test('a circle stays a reference, and what is used once is written out', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    expect(
      schemaOfBody(
        { type: 'object', properties: { node: { $ref: '#/components/schemas/Node' }, pet: { $ref: '#/components/schemas/Pet' } } },
        { Node, Pet },
      ),
    ).toEqual({
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' }, pet: Pet },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    });
  });

  test.each([
    ['itself', { A: { $ref: '#/components/schemas/A' } }],
    ['itself in allOf', { A: { allOf: [{ $ref: '#/components/schemas/A' }] } }],
    [
      'two that mean each other',
      { A: { anyOf: [{ $ref: '#/components/schemas/B' }] }, B: { anyOf: [{ $ref: '#/components/schemas/A' }] } },
    ],
  ])('a schema that never ends is cut: %s', (_name, schemas) => {
    expect(field({ $ref: '#/components/schemas/A' }, schemas)).toBeDefined();
  });

  test.each(['https://evil.example/schema.json', 'file:///etc/passwd', './other.yaml#/Pet', '#/components/schemas/Missing'])(
    'a reference to %s is never followed: it accepts everything',
    (ref) => expect(field({ $ref: ref, description: 'A pet' })).toEqual({ description: 'A pet' }),
  );
});

test('names that would change an object itself, and names that no screen shows, are left out', () => {
  const properties = JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "type": "string" }, "a\\u200bb": {} }');
  expect(Object.keys(schemaOfBody({ type: 'object', properties })?.properties as object)).toEqual(['constructor']);
});

describe('a schema that is too large', () => {
  test('of 1 MB gets shorter texts first', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`field_${n}`, { type: 'string', description: 'word '.repeat(700) }]),
    );
    const schema = schemaOfBody({ type: 'object', properties });
    expect(Object.keys(schema?.properties as object)).toHaveLength(300);
    expect(JSON.stringify(schema).length).toBeLessThan(64 * 1024);
  });

  test('that reaches everything loses its inner levels, and costs little', () => {
    const names = Array.from({ length: 400 }, (_, n) => `S${n}`);
    const all = Object.fromEntries(names.map((name) => [name.toLowerCase(), { $ref: `#/components/schemas/${name}` }]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: all }]));
    const started = process.cpuUsage();
    const schema = schemaOfBody({ $ref: '#/components/schemas/S0' }, schemas);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
    expect(Object.keys(schema?.properties as object)).toHaveLength(400);
  });

  test('with more fields than a schema may have keeps what is required', () => {
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, { type: 'string' }]));
    expect(schemaOfBody({ type: 'object', properties, required: ['f1'] })).toEqual({ type: 'object', properties: {}, required: ['f1'] });
  });

  test('of 100 levels ends', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 100; level++) deep = { type: 'object', properties: { a: deep } };
    expect(schemaOfBody(deep)).toBeDefined();
  });

  test.each([18, 40])('whose allOf doubles at each of %i levels ends, and costs little', (levels) => {
    const part = (level: number) => ({ $ref: `#/components/schemas/S${level}` });
    const schemas = Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `S${level}`,
        {
          type: 'object',
          properties: { [`f${level}`]: { type: 'string' } },
          ...(level < levels - 1 && { allOf: [part(level + 1), part(level + 1)] }),
        },
      ]),
    );
    const started = process.cpuUsage();
    expect(schemaOfBody(part(0), schemas)).toMatchObject({ type: 'object' });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
  });
});

test('a document that is nested too deep is refused with words', () => {
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(() => schemaOfBody({ type: 'object', properties: { a: { default: deep, enum: [deep] } } })).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining('nested too deep') }),
  );
});
