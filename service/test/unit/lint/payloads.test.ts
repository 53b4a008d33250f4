import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '#sdk/protocol/http';
import { action, findingsOf, rulesOf } from './linted';

const withProperties = (properties: object): JsonSchema => ({ type: 'object', properties });
const rules = (payloadSchema: JsonSchema) => rulesOf(action('find_orders', { payloadSchema }));

describe('undescribed-parameters', () => {
  test.each([
    withProperties({ data: { type: 'string' } }),
    withProperties({ data: {} }),
    withProperties({ q: { type: 'string', description: ' ' } }),
    withProperties({ arg1: { type: 'number' } }),
    withProperties({ options: { type: 'object' } }),
    withProperties({ address: { description: 'Where to', properties: { val: { type: 'string' } } } }),
    withProperties({ list_of: { type: 'array', description: 'Rows', items: { properties: { obj: {} } } } }),
    { type: 'object', allOf: [withProperties({ payload: {} })] },
  ])('%j', (schema) => expect(rules(schema)).toEqual(['undescribed-parameters']));

  test.each([
    withProperties({ city: { type: 'string' }, zip_code: {}, id: {}, x: {}, y: {} }),
    withProperties({ data: { type: 'string', description: 'Base64 of a picture' } }),
    withProperties({ mode: { enum: ['fast', 'slow'] } }),
    withProperties({ value: { $ref: '#/$defs/amount' } }),
    withProperties({ body: { type: 'object', properties: { city: {} } } }),
    withProperties({ 名: {} }),
    { type: 'object', properties: 'none' },
    { type: 'object', description: 'free text' },
  ])('%j passes', (schema) => {
    expect(rules({ ...schema, $defs: { amount: { type: 'number', description: 'In euros' } } })).toEqual([]);
  });

  test('names the first five, with their path, and counts the rest', () => {
    const inner = withProperties({ data: {}, val: {}, opts: {}, obj: {} });
    const [finding] = findingsOf([
      action('find_orders', { payloadSchema: withProperties({ input: {}, order: inner, cfg: {}, spec: {} }) }),
    ]);
    expect(finding?.message).toBe('No text says what to send as input, cfg, spec, order.data, order.val and 2 more');
  });
});

describe('large-payload', () => {
  test('is reported above about 1,000 tokens', () => {
    const schema = (words: number) => withProperties({ note: { type: 'string', description: 'word '.repeat(words) } });
    expect(rules(schema(800))).toEqual([]);
    expect(rules(schema(1_100))).toEqual(['large-payload']);
  });
});

test('schemas that go in circles, are deep, wide or strange are linted all the same', () => {
  const circle = { type: 'object', properties: { node: { $ref: '#' }, data: { $ref: '#/properties/data' } } };
  expect(rules(circle)).toEqual(['undescribed-parameters']);
  const deep = Array.from({ length: 500 }).reduce<JsonSchema>((inner) => withProperties({ order: inner }), {});
  expect(rules(deep)).toContain('large-payload');
  const wide = withProperties(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`arg${i}`, { allOf: [{ $ref: '#' }] }])));
  expect(rules(wide)).toContain('undescribed-parameters');
  for (const schema of [
    { properties: { constructor: {}, toString: { $ref: 3 } } },
    { properties: [1], allOf: 'x', items: null },
    { properties: { data: { description: 7, allOf: [null, 4] } } },
  ])
    expect(() => rules({ type: 'object', ...schema })).not.toThrow();
});

test('no JSON makes the linter throw', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.dictionary(fc.constantFrom('properties', '$ref', 'items', 'allOf', 'enum', 'x'), fc.jsonValue()),
      (description, schema) => {
        rulesOf(action('find_orders', { description, payloadSchema: schema as JsonSchema }));
      },
    ),
    { numRuns: 300 },
  );
});
