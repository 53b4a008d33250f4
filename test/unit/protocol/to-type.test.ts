import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { propertyTypes, shortType, toType } from '../../../src/protocol/to-type';

const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });
const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

test.each([
  ['a scalar', { type: 'integer' }, 'int'],
  ['a known format', { type: 'string', format: 'date' }, 'string<date>'],
  ['an unknown format', { type: 'string', format: 'secret>`' }, 'string'],
  [
    'required and optional properties',
    object({ id: { type: 'integer' }, note: { type: ['string', 'null'] } }, 'id'),
    '{id:int, note?:string|null}',
  ],
  ['a name that is no identifier', object({ 'a-b': {}, 'c`*/': {} }), '{"a-b"?:any, "c\\u0060*\\/"?:any}'],
  [
    'names of a prototype',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}'),
    '{__proto__?:string, constructor?:any}',
  ],
  ['nullable', { type: 'array', items: { type: 'string', nullable: true }, nullable: true }, '(string|null)[]|null'],
  ['few values', { enum: ['a', 1, null, true] }, '"a"|1|null|true'],
  ['many values', { type: 'string', enum: many(13) }, 'string/*one of 13: "v0", "v1", "v2", …*/'],
  ['many values without a type', { enum: [...many(13), null] }, 'string|null/*one of 14: "v0", "v1", "v2", …*/'],
  ['a long value', { const: 'x'.repeat(100) }, 'string'],
  ['a constant', object({ kind: { const: 'a|b' } }, 'kind'), '{kind:"a|b"}'],
  ['alternatives', { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] }, 'string|int'],
  ['an alternative that is anything', { anyOf: [{ type: 'string' }, {}] }, 'any'],
  [
    'alternatives that take the type beside them',
    { type: 'object', anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    '{a?:any}|{b?:any}',
  ],
  [
    'properties beside alternatives',
    { ...object({ id: {} }), oneOf: [object({ a: {} }), object({ b: {} })] },
    '({id?:any}&({a?:any}|{b?:any}))',
  ],
  [
    'alternatives that say what is required',
    { ...object({ a: {}, b: {} }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    '{a?:any, b?:any}',
  ],
  ['allOf', { allOf: [object({ a: {} }, 'a'), { properties: { b: { type: 'null' } }, required: ['b'] }] }, '{a:any, b:null}'],
  ['a list of alternatives', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string|null)[]'],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, {}], items: { type: 'string' } }, '[int, any, ...string[]]'],
  ['a tuple of draft-07', { items: [{ type: 'integer' }, { type: 'null' }], additionalItems: false }, '[int, null]'],
  ['values by name', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string,number>'],
  ['values by pattern', { type: 'object', patternProperties: { '^a': { type: 'number' } } }, 'Record<string,number>'],
  ['properties and values by name', { ...object({ a: {} }), additionalProperties: { type: 'number' } }, '{a?:any, [key:string]:number}'],
  ['an empty object', { type: 'object', properties: {}, additionalProperties: false }, '{}'],
  ['any object', { type: 'object' }, 'object'],
  ['no type', { properties: { a: { items: {} } } }, '{a?:any[]}'],
  ['boolean schemas', object({ a: true, b: false }), '{a?:any, b?:never}'],
  ['no schema', 'text', 'any'],
  ['an unknown type', { type: '`*/' }, 'any'],
])('%s', (_, schema, type) => {
  expect(toType(schema)).toBe(type);
});

test.each([
  ['percent and pointer escapes', { $ref: '#/$defs/a%20b~1c%7E0', $defs: { 'a b/c~': { type: 'string' } } }, 'string'],
  ['a place in a list', { $ref: '#/$defs/all/1/properties/a', $defs: { all: [{}, object({ a: { type: 'null' } })] } }, 'null'],
  ['keywords beside it', { $ref: '#/$defs/a', nullable: true, $defs: { a: { type: 'string' } } }, 'string|null'],
  ['a missing target', object({ a: { $ref: '#/$defs/a' } }), '{a?:any}'],
  ['a prototype', object({ a: { $ref: '#/constructor' } }), '{a?:any}'],
  ['a stray %', object({ a: { $ref: '#/%' } }), '{a?:any}'],
  ['another document', object({ a: { $ref: 'https://example.com/a.json' } }), '{a?:any}'],
  [
    'a cycle',
    { $ref: '#/$defs/node', $defs: { node: object({ next: { $ref: '#/$defs/node' }, id: { type: 'integer' } }) } },
    '{next?:any, id?:int}',
  ],
  [
    'a cycle through allOf',
    { $ref: '#/$defs/node', $defs: { node: object({ next: { allOf: [{ $ref: '#/$defs/node' }] }, id: { type: 'integer' } }) } },
    '{next?:any, id?:int}',
  ],
  [
    'a schema that is used twice',
    { ...object({ a: { $ref: '#/$defs/b' }, c: { allOf: [{ $ref: '#/$defs/b' }] } }), $defs: { b: { type: 'string' } } },
    '{a?:string, c?:string}',
  ],
])('a reference: %s', (_, schema, type) => {
  expect(toType(schema)).toBe(type);
});

test('a reference to itself is anything', () => {
  expect(toType({ $ref: '#' })).toBe('any');
  expect(toType({ allOf: [{ $ref: '#' }, { type: 'string' }] })).toBe('string');
});

test('comments say range, default, pattern and description, on one line', () => {
  const schema = object(
    {
      cents: { type: 'integer', minimum: 1, description: 'Default: all.' },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      expand: { enum: ['lines', 'none'], default: 'none' },
      code: { type: 'string', pattern: String.raw`^\d+$` },
      odd: { type: 'string', pattern: 'a*/', description: '*/ ends\n`it` /* *//' },
      long: { description: 'word '.repeat(100) },
    },
    'cents',
  );
  expect(toType(schema, { comments: true })).toBe(
    `{cents:int/*1.. Default: all.*/, share?:number/*>0..1*/, expand?:"lines"|"none"/*= "none"*/, code?:string/*matches ^\\d+$*/, odd?:string/*ends it /*/, long?:any/*${'word '.repeat(38)}word…*/}`,
  );
  expect(toType(schema)).not.toContain('/*');
});

test('deeper levels than asked for are object', () => {
  const schema = object({ a: object({ b: object({ c: {} }) }), list: { type: 'array', items: object({ d: {} }) } });
  expect([0, 1, 2, 3].map((depth) => toType(schema, { depth }))).toEqual([
    'object',
    '{a?:object, list?:object[]}',
    '{a?:{b?:object}, list?:{d?:any}[]}',
    '{a?:{b?:{c?:any}}, list?:{d?:any}[]}',
  ]);
});

const nested = (levels: number, around: (inner: object) => object) => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = around(schema);
  return schema;
};
const doubled = (keyword: string) => ({
  $ref: '#/$defs/d60',
  $defs: Object.fromEntries(
    Array.from({ length: 61 }, (_, n) => {
      const ref = { $ref: `#/$defs/d${n - 1}` };
      return [
        `d${n}`,
        n === 0 ? { type: 'string' } : keyword === 'properties' ? object({ a: ref, b: ref }) : { [keyword]: [ref, { ...ref, title: 'x' }] },
      ];
    }),
  ),
});

test.each([
  ['deep lists', nested(20_000, (items) => ({ type: 'array', items }))],
  ['deep objects', nested(20_000, (a) => object({ a }))],
  ['deep values by name', nested(20_000, (additionalProperties) => ({ type: 'object', additionalProperties }))],
  ['deep alternatives', nested(20_000, (one) => ({ anyOf: [one, { type: 'null' }] }))],
  ['deep allOf', nested(20_000, (one) => ({ allOf: [one] }))],
  [
    'a long chain of references',
    { $ref: '#/$defs/0', $defs: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, { $ref: `#/$defs/${n + 1}` }])) },
  ],
  ['doubling properties', doubled('properties')],
  ['doubling alternatives', doubled('anyOf')],
  ['doubling allOf', doubled('allOf')],
  ['a wide object', object(Object.fromEntries(many(50_000).map((name) => [name, { type: 'string' }])), ...many(50_000))],
  ['a wide union', { anyOf: many(50_000).map((value) => ({ const: value })) }],
  ['a wide tuple', { prefixItems: many(50_000).map(() => ({ type: 'string' })) }],
  [
    'a wide object many times',
    {
      ...object(Object.fromEntries(many(300).map((name) => [name, { $ref: '#/$defs/wide' }]))),
      $defs: { wide: object(Object.fromEntries(many(5_000).map((name) => [name, {}]))) },
    },
  ],
  ['long names', { ...object(Object.fromEntries(many(100).map((name) => [name + 'x'.repeat(10_000), {}]))) }],
])('the work is bounded for %s', (_, schema) => {
  const type = toType(schema, { depth: 100, comments: true });
  expect(type.length).toBeLessThan(100_000);
  expect(parseErrors(type)).toEqual([]);
  expect(encode(shortType(schema)).length).toBeLessThanOrEqual(110);
});

test('a short type has two levels if they fit, then fewer properties, then one level', () => {
  const inner = object({ a: { type: 'string' }, b: { type: 'string' } });
  const wide = (count: number, schema: object) => object(Object.fromEntries(many(count).map((name) => [name, schema])));
  expect(shortType(object({ x: object({ y: object({ z: {} }) }) }))).toBe('{x?:{y?:object}}');
  expect(shortType(wide(30, { type: 'string' }))).toMatch(/^\{v0\?:string, .*, …\d+ more\}$/);
  expect(shortType(wide(9, object({ a: inner, b: inner, c: inner })))).toBe(
    `{${many(9)
      .map((name) => `${name}?:object`)
      .join(', ')}}`,
  );
  expect(shortType(wide(9, inner), 20)).toBe('object');
  expect(shortType({ enum: many(12).map((value) => `${value} of many more words`) }, 20)).toBe('any');
});

test('the short type of a result that is described in words has the words', () => {
  expect(shortType({ description: 'A list of `orders`,\nnewest first' })).toBe('any/*A list of orders, newest first*/');
  expect(shortType({ description: 'word '.repeat(1_000) }, 30)).toMatch(/^any\/\*word .*…\*\/$/);
  expect(shortType({})).toBe('any');
});

/** The complaints of a TypeScript parser about a type. */
function parseErrors(type: string): string[] {
  const text = type
    .replace(/string<[a-z0-9-]+>/g, 'string')
    .replace(/(?:, |\|)…\d+ more/g, '')
    .replace(/\{…\d+ more/g, '{');
  const { diagnostics = [] } = ts.transpileModule(`type T = ${text};`, { reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => `${ts.flattenDiagnosticMessageText(messageText, ' ')}: ${text}`);
}

const scraps = fc
  .array(fc.constantFrom('a', '`', '*/', '/*', '\n', '*', '/', '\u2028', '\u200b', '"', '\\', '漢', ' ', '…', '}'), { maxLength: 6 })
  .map((all) => all.join(''));
const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'schema' },
    fc.constantFrom(true, false, {}, null, 7, { $ref: '#' }, { $ref: '#/$defs/a' }),
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('string', 'integer', 'object', 'array', 'null', 'x'), fc.constant(['string', 'null']), scraps),
        format: fc.oneof(fc.constant('date-time'), scraps),
        description: scraps,
        default: fc.oneof(scraps, fc.integer()),
        pattern: scraps,
        minimum: fc.oneof(fc.integer(), scraps),
        nullable: fc.boolean(),
        enum: fc.array(fc.oneof(scraps, fc.integer(), fc.constant(null), fc.constant({ a: ['*/'] })), { maxLength: 15 }),
        const: fc.oneof(scraps, fc.constant([1])),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constantFrom('object', 'array', ['object', 'null']),
        properties: fc.dictionary(fc.oneof(fc.constantFrom('a', '__proto__', 'b'), scraps), tie('schema'), { maxKeys: 4 }),
        required: fc.array(scraps, { maxLength: 3 }),
        additionalProperties: tie('schema'),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
        prefixItems: fc.array(tie('schema'), { maxLength: 3 }),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        $defs: fc.record({ a: tie('schema') }),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

test('every schema gives a type on one line, which no text of its author breaks', () => {
  fc.assert(
    fc.property(schemas, fc.nat(5), fc.boolean(), (schema, depth, comments) => {
      const type = toType(schema, { depth, comments });
      expect(type).not.toMatch(/[\n\r\u2028\u2029`]/);
      expect(parseErrors(type)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('the properties of an object have their types, with references and parts resolved', () => {
  const schema = {
    $defs: { day: { type: 'string', format: 'date', default: 'today' } },
    allOf: [object({ day: { $ref: '#/$defs/day' } }, 'day'), object({ days: { type: ['integer', 'null'] } })],
  };
  expect(propertyTypes(schema)).toEqual([
    { name: 'day', type: 'string<date>', required: true, schema: expect.objectContaining({ default: 'today' }) },
    { name: 'days', type: 'int|null', required: false, schema: { type: ['integer', 'null'] } },
  ]);
  expect(propertyTypes(schema, { maxProperties: 1 })).toHaveLength(1);
  for (const nothing of [undefined, true, 'text', {}, { $ref: '#' }, { properties: [] }]) expect(propertyTypes(nothing)).toEqual([]);
});

/** A schema, and the type that it must give. */
const pairs = fc.letrec<{ pair: { schema: object; type: string; isUnion: boolean } }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pair' },
    fc.constantFrom(
      { schema: { type: 'integer' }, type: 'int', isUnion: false },
      { schema: { type: 'string', format: 'uuid' }, type: 'string<uuid>', isUnion: false },
      { schema: { enum: ['a', 'b'] }, type: '"a"|"b"', isUnion: true },
      { schema: { type: ['number', 'null'] }, type: 'number|null', isUnion: true },
    ),
    tie('pair').map(({ schema, type, isUnion }) => ({
      schema: { type: 'array', items: schema },
      type: isUnion ? `(${type})[]` : `${type}[]`,
      isUnion: false,
    })),
    tie('pair').map(({ schema, type }) => ({
      schema: { type: 'object', additionalProperties: schema },
      type: `Record<string,${type}>`,
      isUnion: false,
    })),
    fc.tuple(tie('pair'), tie('pair'), fc.boolean()).map(([a, b, required]) => ({
      schema: { allOf: [object({ a: a.schema }, ...(required ? ['a'] : [])), object({ b: b.schema }, 'b')] },
      type: `{a${required ? '' : '?'}:${a.type}, b:${b.type}}`,
      isUnion: false,
    })),
  ),
}));

test('the type of a composed schema is composed of the types of its parts', () => {
  fc.assert(
    fc.property(pairs.pair, ({ schema, type }) => {
      expect(toType(schema, { depth: 9 })).toBe(type);
    }),
    { numRuns: 500 },
  );
});
