/** Schemas with a discriminator: a model gets the fields of each subtype, and its discriminator value. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { PayloadChecker } from '../../../src/payload/payload-checker';
import { toPayloadSchema } from '../../../src/payload/payload-schema';
import { recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { actionsOf, documentOf, schemaOfBody } from './documents';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const TYPE = { type: 'string' };
const MAPPING = { cat: '#/components/schemas/Cat', dog: 'Dog' };

function pets(discriminator: object | undefined, { Pet = {}, Cat = {}, Dog = {}, ...others }: Record<string, object> = {}) {
  const heir = (properties: object) => ({ allOf: [ref('Pet'), { type: 'object', properties }] });
  return {
    Pet: { type: 'object', properties: { petType: TYPE }, required: ['petType'], discriminator, ...Pet },
    Cat: { ...heir({ lives: { type: 'integer' } }), ...Cat },
    Dog: { ...heir({ packSize: { type: 'integer' } }), ...Dog },
    ...others,
  };
}

/** The schema of the field `pet` of a body. */
function petSchema(schemas: object, pet: object = ref('Pet')) {
  const { properties } = schemaOfBody({ type: 'object', properties: { pet } }, schemas) ?? {};
  return (properties as Record<string, unknown>).pet;
}

const cat = (petType: object = { type: 'string', enum: ['cat'] }) => ({
  type: 'object',
  properties: { petType, lives: { type: 'integer' } },
  required: ['petType'],
});
const dog = (petType: object = { type: 'string', enum: ['dog'] }) => ({
  type: 'object',
  properties: { petType, packSize: { type: 'integer' } },
  required: ['petType'],
});

describe('a discriminator', () => {
  test('with a mapping is one of the schemas that it names', () => {
    expect(petSchema(pets({ propertyName: 'petType', mapping: MAPPING }))).toEqual({ anyOf: [cat(), dog()] });
  });

  test('without a mapping is one of those with its schema in allOf, or the schema itself', () => {
    const base = { type: 'object', properties: { petType: TYPE }, required: ['petType'] };
    const [Cat, Dog] = [
      { type: 'string', enum: ['Cat'] },
      { type: 'string', enum: ['Dog'] },
    ];
    expect(petSchema(pets({ propertyName: 'petType' }))).toEqual({ anyOf: [cat(Cat), dog(Dog), base] });
  });

  test('of Swagger 2.0 has the text that AutoRest writes', () => {
    const definitions = {
      Pet: { type: 'object', properties: { petType: TYPE }, discriminator: 'petType' },
      Cat: { 'x-ms-discriminator-value': '#cat', allOf: [{ $ref: '#/definitions/Pet' }, { properties: { lives: { type: 'integer' } } }] },
    };
    const post = { operationId: 'add', parameters: [{ in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' } }], responses: {} };
    const { add } = actionsOf({
      swagger: '2.0',
      info: { title: 'Pets' },
      host: 'api.example.com',
      paths: { '/pets': { post } },
      definitions,
    });
    expect(add?.payloadDescription.properties).toEqual({
      body: {
        anyOf: [
          { type: 'object', properties: { petType: { type: 'string', enum: ['#cat'] }, lives: { type: 'integer' } } },
          { type: 'object', properties: { petType: TYPE } },
        ],
      },
    });
  });

  test('reaches the heirs of heirs, and several texts for one', () => {
    const Lion = { allOf: [ref('Cat'), { properties: { roars: { type: 'boolean' } } }] };
    const mapping = { cat: ref('Cat').$ref, kitty: ref('Cat').$ref, dog: ref('Dog').$ref };
    const { anyOf } = petSchema(pets({ propertyName: 'petType', mapping }, { Lion })) as { anyOf: { properties: object }[] };
    expect(anyOf.map(({ properties }) => properties)).toEqual([
      cat({ type: 'string', enum: ['cat', 'kitty'] }).properties,
      dog().properties,
      { petType: { type: 'string', enum: ['Lion'] }, lives: { type: 'integer' }, roars: { type: 'boolean' } },
    ]);
  });

  test('narrows the texts that the base lists, and keeps the one that a subtype states', () => {
    const Pet = { properties: { petType: { type: 'string', enum: ['cat', 'dog', 'fish'], description: 'The kind' } } };
    const Dog = { allOf: [ref('Pet'), { properties: { petType: { const: 'hound' }, packSize: { type: 'integer' } } }] };
    expect(petSchema(pets({ propertyName: 'petType', mapping: MAPPING }, { Pet, Dog }))).toEqual({
      anyOf: [cat({ type: 'string', enum: ['cat'], description: 'The kind' }), dog({ const: 'hound' })],
    });
  });

  test('beside oneOf has the texts of its mapping in the forms', () => {
    const schemas = pets(undefined);
    const oneOf = [ref('Cat'), ref('Dog')];
    const discriminator = { propertyName: 'petType', mapping: { cat: ref('Cat').$ref, dog: ref('Dog').$ref } };
    expect(petSchema(schemas, { oneOf, discriminator })).toEqual({ anyOf: [cat(), dog()] });
  });

  test('within an allOf that adds words keeps its subtypes, and its heirs keep the fields of the base alone', () => {
    const schemas = pets({ propertyName: 'petType', mapping: MAPPING });
    expect(petSchema(schemas, { allOf: [ref('Pet')], description: 'My pet', nullable: true })).toEqual({
      description: 'My pet',
      anyOf: [{ anyOf: [cat(), dog()] }, { type: 'null' }],
    });
    expect(petSchema(schemas, ref('Cat'))).toEqual(cat(TYPE));
  });

  test('ends for subtypes that lead back to it, and for one that is more than a list of fields', () => {
    const Cat = {
      allOf: [ref('Pet'), { anyOf: [{ properties: { lives: {} } }, { properties: { friends: { type: 'array', items: ref('Pet') } } }] }],
    };
    const schema = schemaOfBody(ref('Pet'), pets({ propertyName: 'petType', mapping: { ...MAPPING, pet: 'Pet' } }, { Cat }));
    expect(JSON.stringify(schema)).toContain('"friends"');
    expect(JSON.stringify(schema)).toContain('"packSize"');
  });

  test('without subtypes, and one of a schema that is not there, is left alone', () => {
    const Pet = { type: 'object', properties: { petType: TYPE }, discriminator: { propertyName: 'petType', mapping: { cow: 'Cow' } } };
    expect(petSchema({ Pet })).toEqual({ type: 'object', properties: { petType: TYPE } });
  });
});

test('a body with subtypes is the field `body`, and its payloads are checked by subtype', () => {
  const schema = schemaOfBody(ref('Pet'), pets({ propertyName: 'petType', mapping: MAPPING }))!;
  expect(schema.properties).toEqual({ body: { anyOf: [cat(), dog()] } });
  const check = (body: object) => () => new PayloadChecker().check(toPayloadSchema(schema, DEFAULT_LIMITS), { body });
  expect(check({ petType: 'dog', packSize: 2 })).not.toThrow();
  expect(check({ petType: 'cow' })).toThrow('"cat"');
  expect(check({ petType: 'cat', lives: 'nine' })).toThrow('lives');
});

test('a schema with more subtypes than fit has what they have in common', () => {
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, { type: 'string' }]));
  const heirs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`Pet${n}`, { allOf: [ref('Pet'), { properties: fields }] }]));
  const Pet = { type: 'object', properties: { petType: TYPE, name: TYPE }, discriminator: { propertyName: 'petType' } };
  expect(petSchema({ Pet, ...heirs })).toEqual({ type: 'object', properties: { petType: TYPE, name: TYPE } });
});

test('digits of a large integer of a subtype are sent as a number', async () => {
  const api = await recordedApi();
  const Cat = { allOf: [ref('Pet'), { properties: { chip: { type: 'integer', format: 'int64' } } }] };
  const schemas = pets({ propertyName: 'petType', mapping: MAPPING }, { Cat });
  const post = { operationId: 'add', requestBody: { content: { 'application/json': { schema: ref('Pet') } } } };
  const { add } = actionsOf(documentOf({ '/pets': { post } }, { components: { schemas } }), { baseUrl: api.url });
  await add?.handler(context(), { body: { petType: 'cat', chip: '9007199254740993' } });
  expect(api.requests[0]?.body.toString()).toBe('{"petType":"cat","chip":9007199254740993}');
});
