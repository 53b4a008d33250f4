import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedFieldsText, payloadText } from '../../../src/catalog/search/payload-text';

test('names, titles, descriptions and enum texts are included, outer levels first', () => {
  const text = payloadText({
    type: 'object',
    title: 'Forecast',
    description: 'Where and when',
    properties: {
      place: { type: 'object', properties: { city: { type: 'string', description: 'Name of a town' } } },
      unit: { enum: ['celsius', 'fahrenheit', 7, null] },
    },
    required: ['place'],
  });
  expect(text.split('\n')).toEqual(['Forecast', 'Where and when', 'place', 'unit', 'city', 'celsius', 'fahrenheit', 'Name of a town']);
});

test('schemas inside of lists, items and references are read', () => {
  const text = payloadText({
    anyOf: [{ properties: { first: { $ref: '#/$defs/a~1b' } } }],
    properties: { rows: { type: 'array', items: { description: 'one row' } } },
    $defs: { 'a/b': { description: 'far away' } },
  });
  for (const word of ['first', 'rows', 'one row', 'far away']) expect(text).toContain(word);
});

test('a reference in a circle and one that leads nowhere end the walk', () => {
  const text = payloadText({
    description: 'tree',
    properties: {
      child: { $ref: '#' },
      lost: { $ref: '#/nowhere/at/all' },
      foreign: { $ref: 'https://example.com/schema' },
      odd: { $ref: 5 },
    },
  });
  expect(text.split('\n')).toEqual(['tree', 'child', 'lost', 'foreign', 'odd']);
});

test('a reference does not reach what objects inherit', () => {
  expect(payloadText({ $ref: '#/__proto__/constructor', properties: JSON.parse('{"__proto__": {"description": "own"}}') })).toBe(
    '__proto__\nown',
  );
});

test('a huge schema is read in part', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`parameter${i}`, { description: 'x'.repeat(10_000) }]));
  expect(payloadText({ properties: wide }).length).toBeLessThan(400_000);

  let deep: Record<string, unknown> = { description: 'bottom' };
  for (let i = 0; i < 10_000; i++) deep = { properties: { down: deep } };
  expect(payloadText(deep)).not.toContain('bottom');
});

test('any JSON at all is taken', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('properties', 'items', 'enum', 'anyOf', '$ref', 'description', '__proto__'), fc.jsonValue()),
      (schema) => {
        expect(typeof payloadText(schema)).toBe('string');
      },
    ),
  );
});

test('the changes of an update are its outermost fields and the values of their enums, without any text about them', () => {
  const schema = {
    title: 'Issue',
    properties: {
      state: { description: 'Open or closed', enum: ['open', 'closed', 1] },
      assignees: { type: 'array', items: { properties: { login: {} } } },
      odd: 5,
    },
  };
  expect(changedFieldsText(schema).split('\n')).toEqual(['state', 'open', 'closed', 'assignees', 'odd']);
  expect(changedFieldsText({ properties: 5, $ref: '#/properties' })).toBe('');
});
