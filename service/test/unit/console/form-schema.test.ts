import { expect, test } from 'vitest';
import { formValidator } from '../../../console/src/pages/action/try-it/form/check-payload';
import { toFormSchema } from '../../../console/src/pages/action/try-it/form/form-schema';

const formOf = (properties: Record<string, unknown>, beside: Record<string, unknown> = {}) => {
  const form = toFormSchema({ type: 'object', properties, ...beside });
  if ('unfit' in form) throw new Error(form.unfit);
  return form;
};
const isJson = (properties: Record<string, unknown>, beside = {}) =>
  Object.entries(formOf(properties, beside).uiSchema).flatMap(([name, ui]) => (ui['ui:field'] === 'json' ? [name] : []));

test('a schema without parameters is not a form, and a note explains this', () => {
  expect(toFormSchema({ type: 'object', description: 'words to look for' })).toMatchObject({ unfit: expect.stringContaining('JSON') });
});

test('a schema with more parameters than a page holds is not a form', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
  expect(toFormSchema({ type: 'object', properties: many })).toHaveProperty('unfit');
});

test('a schema that refers to itself ends in a field for JSON', () => {
  const node = { type: 'object', properties: { left: { $ref: '#/$defs/node' } } };
  const text = JSON.stringify(formOf({ tree: { $ref: '#/$defs/node' } }, { $defs: { node } }));
  expect(text).toContain('"ui:field":"json"');
});

test('references in a circle and to other documents become JSON', () => {
  const $defs = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
  expect(
    isJson({ round: { $ref: '#/$defs/a' }, far: { $ref: 'https://example.com/x.json' }, text: { type: 'string' } }, { $defs }),
  ).toEqual(['round', 'far']);
});

test('a value that one input cannot hold becomes JSON', () => {
  expect(
    isJson({
      anything: {},
      map: { type: 'object', additionalProperties: { type: 'string' } },
      either: { oneOf: [{ type: 'string' }, { type: 'object' }] },
      pair: { type: 'array', prefixItems: [{}, {}] },
    }),
  ).toEqual(['anything', 'map', 'either', 'pair']);
});

test('an optional value that may be null has the input of the value', () => {
  const { schema } = formOf({ a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } });
  expect(schema.properties).toMatchObject({ a: { type: 'string' }, b: { type: 'integer' } });
});

test('choices are a list to choose from, however they are written', () => {
  const { schema } = formOf({ a: { enum: ['x', 'y'] }, b: { oneOf: [{ const: 1 }, { const: 2 }] } });
  expect(schema.properties).toMatchObject({ a: { enum: ['x', 'y'] }, b: { enum: [1, 2] } });
});

test('a list of choices has one input, whether the schema lets them repeat or not', () => {
  const { schema, uiSchema } = formOf({
    tags: { type: 'array', items: { enum: ['red', 'blue'] }, description: 'Colours', maxItems: 2 },
    sizes: { type: 'array', items: { type: 'string' } },
  });
  expect(schema.properties?.tags).toEqual({
    ...{ type: 'array', title: 'tags', description: 'Colours', maxItems: 2, uniqueItems: true },
    items: { type: 'string', enum: ['red', 'blue'] },
  });
  expect([uiSchema.tags, uiSchema.sizes]).toMatchObject([{ 'ui:widget': 'choices' }, { items: { 'ui:widget': 'text' } }]);
});

test('defaults are shown and not filled in, and patterns are left to the service', () => {
  const { schema } = formOf({
    days: { type: 'integer', default: 3, description: 'How many' },
    code: { type: 'string', pattern: '^(a+)+$' },
  });
  expect(schema.properties?.days).toEqual({ type: 'integer', title: 'days', description: 'How many\nDefault: 3' });
  expect(schema.properties?.code).not.toHaveProperty('pattern');
});

test('a mismatch is shown at its field, and a missing value is not', () => {
  const { schema } = formOf({ days: { type: 'integer', maximum: 14 }, city: { type: 'string' } }, { required: ['city'] });
  const { errorSchema } = formValidator.validateFormData({ days: 99 }, schema);
  expect(errorSchema).toEqual({ days: { __errors: [expect.stringContaining('14')] } });
});

test('an action without parameters has an empty form', () => {
  for (const beside of [{}, { additionalProperties: false }])
    expect(toFormSchema({ type: 'object', properties: {}, ...beside })).toMatchObject({ isEmpty: true });
  for (const beside of [{ additionalProperties: { type: 'string' } }, { required: ['a'] }])
    expect(toFormSchema({ type: 'object', properties: {}, ...beside })).toHaveProperty('unfit');
});

test('a text has its format, an example and a check', () => {
  const { schema, uiSchema } = formOf({
    at: { type: 'string', format: 'date-time', description: 'When' },
    mail: { type: 'string', format: 'email', examples: ['bob@shop.example'] },
    odd: { type: 'string', format: 'toString' },
  });
  expect(schema.properties?.at).toMatchObject({ format: 'date-time', description: 'When\nAs date-time, such as 2026-01-31T08:00:00Z' });
  expect(uiSchema.at).toMatchObject({ 'ui:placeholder': '2026-01-31T08:00:00Z' });
  expect(uiSchema.mail).toMatchObject({ 'ui:placeholder': 'bob@shop.example' });
  expect(schema.properties?.odd).not.toHaveProperty('format');
  const check = (payload: object) => formValidator.validateFormData(payload, schema).errors.length;
  expect(check({ at: 'tomorrow', mail: 'bob' })).toBe(2);
  expect(check({ at: '2026-01-31T08:00:00Z', mail: 'bob@shop.example', odd: 'x' })).toBe(0);
});
