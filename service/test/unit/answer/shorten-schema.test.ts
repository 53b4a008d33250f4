import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '#sdk/protocol/http';
import { SHORTENINGS, shortenSchema } from '../../../src/catalog/answer/shorten-schema';

const address = {
  type: 'object',
  description: 'Where it goes, in all the detail that a carrier could ever ask for, and then some more words on top of that',
  properties: { street: { type: 'string' }, country: { type: ['string', 'null'], enum: ['DE', 'FR', null] } },
  required: ['street'],
  additionalProperties: false,
};
const cases: [string, JsonSchema, unknown[]][] = [
  [
    'references and closed objects',
    {
      type: 'object',
      $defs: { address },
      properties: { to: { $ref: '#/$defs/address' }, from: { $ref: '#/$defs/address' }, note: { type: 'string', maxLength: 5 } },
      required: ['to'],
      additionalProperties: false,
    },
    [{ to: { street: 'a', country: null } }, { to: { street: 'a' }, from: { street: 'b' }, note: 'x' }],
  ],
  [
    'exactly one of several forms',
    {
      type: 'object',
      properties: { id: { oneOf: [{ type: 'string', minLength: 5 }, { type: 'integer' }, { type: 'string', maxLength: 3 }] } },
      not: { required: ['never'] },
    },
    [{ id: 'ab' }, { id: 7 }, { id: 'abcdef' }, {}],
  ],
  [
    'a list of lists and a tree',
    {
      type: 'object',
      $defs: {
        node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } }, leaf: { const: true } } },
      },
      properties: {
        rows: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
        root: { $ref: '#/$defs/node' },
      },
    },
    [{ rows: [[1], []], pair: ['a', 1], root: { children: [{ children: [{ leaf: true }] }] } }],
  ],
  [
    'parts that all apply',
    {
      $defs: {
        named: { allOf: [{ properties: { name: { type: 'string' } }, required: ['name'] }, { description: 'Something with a name' }] },
      },
      allOf: [
        { $ref: '#/$defs/named' },
        { type: 'object', properties: { name: { maxLength: 9 }, size: { allOf: [{ type: 'integer' }, { minimum: 1 }] } } },
        { required: ['size'] },
      ],
    },
    [
      { name: 'a', size: 1 },
      { name: 'abc', size: 7, more: true },
    ],
  ],
  [
    'conditions',
    // Biome takes a literal with `then` for a promise.
    JSON.parse(
      '{"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}, "patternProperties": {"^x": {"type": "number"}}}',
    ),
    [{ a: 1, b: 2 }, { xy: 3 }],
  ],
];

describe.each(cases)('%s', (_, schema, payloads) => {
  test.each(SHORTENINGS)(
    '$depth levels, texts of $textChars, optional: $optional: what the whole schema accepts is accepted',
    (shortening) => {
      const accepts = new Ajv2020({ strict: false }).compile(shortenSchema(schema, shortening));
      for (const payload of payloads) expect(accepts(payload), JSON.stringify(payload)).toBe(true);
    },
  );

  test('each shortening is no longer than the one before', () => {
    const lengths = SHORTENINGS.map((shortening) => JSON.stringify(shortenSchema(schema, shortening)).length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  });
});

test('names, types, what is required and short texts stay', () => {
  const schema = { type: 'object', properties: { to: address, note: { type: 'string', pattern: '^a' } }, required: ['to'] };
  expect(shortenSchema(schema, { depth: 2, textChars: 20, optional: true })).toEqual({
    type: 'object',
    properties: {
      to: {
        type: 'object',
        description: 'Where it goes, in…',
        properties: { street: { type: 'string' }, country: { type: ['string', 'null'], enum: ['DE', 'FR', null] } },
        required: ['street'],
      },
      note: { type: 'string' },
    },
    required: ['to'],
  });
});

test('expansion of references that multiply is cut, and the rest accepts any value', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { $ref: '#' }]));
  const shortened = shortenSchema({ type: 'object', properties: many }, { depth: 3, textChars: 80, optional: true });
  expect(JSON.stringify(shortened).length).toBeLessThan(40_000);
});

test('the parts of allOf become one object, each with its names', () => {
  const schema = {
    $defs: { base: { properties: { id: { type: 'string', description: 'Of the issue' } }, required: ['id'] } },
    allOf: [{ $ref: '#/$defs/base' }, { properties: { title: { allOf: [{ type: 'string' }, { maxLength: 80 }] } }, required: ['title'] }],
  };
  const short = shortenSchema(schema, { depth: 3, textChars: 80, optional: true });
  expect(short).toEqual({
    type: 'object',
    properties: { id: { type: 'string', description: 'Of the issue' }, title: { type: 'string' } },
    required: ['id', 'title'],
  });
});

test('allOf that refers to the same part again and again ends', () => {
  const levels = Array.from({ length: 40 }, (_, i) => [`l${i}`, { allOf: [{ $ref: `#/$defs/l${i + 1}` }, { $ref: `#/$defs/l${i + 1}` }] }]);
  const $defs = Object.fromEntries([...levels, ['l40', { properties: { a: { type: 'string' } } }]]);
  const short = shortenSchema({ $defs, $ref: '#/$defs/l0' }, { depth: 3, textChars: 80, optional: true });
  expect(Object.keys(short.properties ?? {})).toEqual(['a']);
});
