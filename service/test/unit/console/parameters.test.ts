import { expect, test } from 'vitest';
import { parametersOf } from '../../../console/src/parts/parameters';

test('parameters are rows, those of objects and lists below theirs', () => {
  const { rows, cut } = parametersOf({
    type: 'object',
    required: ['to'],
    properties: {
      to: { type: 'array', items: { $ref: '#/$defs/person' }, minItems: 1 },
      priority: { oneOf: [{ const: 'low' }, { const: 'high' }], default: 'low' },
    },
    $defs: { person: { type: 'object', properties: { address: { type: 'string', format: 'email', description: 'E-mail' } } } },
  });
  expect(cut).toBe(false);
  expect(rows).toEqual([
    { path: 'to', depth: 0, type: 'list of object', required: true, bounds: ['at least 1 item'] },
    { path: 'to[].address', depth: 1, type: 'string', required: false, description: 'E-mail', bounds: ['email'] },
    { path: 'priority', depth: 0, type: 'string', required: false, default: '"low"', choices: ['"low"', '"high"'], bounds: [] },
  ]);
});

test('a schema that refers to itself is shown once', () => {
  const { rows, cut } = parametersOf({ type: 'object', properties: { all: { type: 'array', items: { $ref: '#' } } } });
  expect(rows.map(({ path }) => path)).toEqual(['all']);
  expect(cut).toBe(true);
});

test('of ten thousand parameters the first 200 are rows', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, {}]));
  expect(parametersOf({ properties: many })).toMatchObject({ cut: true, rows: { length: 200 } });
});

test('values of lists and maps, alternatives, examples and encodings are shown', () => {
  const { rows } = parametersOf({
    type: 'object',
    properties: {
      tags: { type: 'array', items: { enum: ['new', 'used'], type: 'string' }, examples: [['new']] },
      prices: { type: 'object', additionalProperties: { type: 'object', properties: { net: { type: 'number' } } } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      photo: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      payment: {
        type: 'object',
        oneOf: [
          { properties: { kind: { const: 'card' }, number: { type: 'string', examples: ['4242'] } } },
          { title: 'invoice', properties: { vat: { type: 'string' } } },
        ],
      },
      place: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  });
  expect(rows.map(({ path, type }) => `${path}: ${type}`)).toEqual([
    'tags: list of string',
    'prices: map of object',
    'prices.*.net: number',
    'labels: map of string',
    'photo: string',
    'payment: card or invoice',
    'payment (card).kind: string',
    'payment (card).number: string',
    'payment (invoice).vat: string',
    'place: string or null',
  ]);
  expect(rows[0]).toMatchObject({ choices: ['"new"', '"used"'], examples: ['["new"]'] });
  expect(rows[4]).toMatchObject({ bounds: ['base64', 'image/png'] });
  expect(rows[7]).toMatchObject({ examples: ['"4242"'] });
});
