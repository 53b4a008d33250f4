/** Schemas and payloads that make a check expensive: each keyword at the end of references that double. */
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { toPayloadSchema } from '../../../src/payload/payload-schema';

const range = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const names = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(range(count, (i) => [`k${i}`, make(i)] as const));

/** Not a literal, because the linter treats an object with a `then` as a promise. */
const conditional = (...schemas: object[]) => Object.fromEntries(['if', 'then', 'else'].map((keyword, i) => [keyword, schemas[i]]));

export const LEAVES: Record<string, object> = {
  uniqueItems: { uniqueItems: true },
  'const of an array': { const: range(9_000, (i) => i) },
  'const of an object': { const: names(3_000, (i) => i) },
  'const of a text': { const: 'ab'.repeat(30_000) },
  enum: { enum: range(3_000, (i) => [i]) },
  minProperties: { minProperties: 1e6 },
  maxProperties: { maxProperties: 1 },
  minLength: { minLength: 900_000 },
  maxLength: { maxLength: 600_000 },
  'additionalProperties: false': { additionalProperties: false },
  'additionalProperties: schema': { additionalProperties: { type: 'string' } },
  'unevaluatedProperties: false': { patternProperties: { '^k': true }, unevaluatedProperties: false },
  'unevaluatedProperties: schema': { unevaluatedProperties: { type: 'boolean' } },
  'unevaluatedItems: false': { unevaluatedItems: false },
  'unevaluatedItems: schema': { unevaluatedItems: { required: ['a'] } },
  'items: false': { items: false },
  'items: schema': { items: { anyOf: [{ type: 'string' }, { type: 'null' }, { const: -1 }] } },
  'prefixItems and items: false': { prefixItems: [{ type: 'null' }], items: false },
  'propertyNames: false': { propertyNames: false },
  'propertyNames: schema': { propertyNames: { pattern: '^(a|b)+$' } },
  'patternProperties: false': { patternProperties: { '': false } },
  'patternProperties that RE2 cannot run': { patternProperties: { '(?=k)': { type: 'string' } } },
  'contains: schema': { contains: { const: 'no' } },
  'contains: true': { contains: true, minContains: 1e9 },
  required: { required: range(5_000, (i) => `r${i}`) },
  dependentRequired: { dependentRequired: names(25, () => range(25, (i) => `m${i}`)) },
  dependentSchemas: { dependentSchemas: names(100, () => ({ minProperties: 1e6 })) },
  'if, then, else': { items: conditional({ type: 'number' }, { maximum: 3 }, { required: ['a'] }) },
  'not and oneOf': { items: { not: { oneOf: [{ type: 'number' }, { type: 'string' }] } } },
  'pattern with many states': { pattern: '(a|b)*c(a|b){12}$' },
  'large pattern': { pattern: '(a|b|c){1000}d' },
  'long fixed text in a pattern': { pattern: `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}` },
  'many numbers read from one text': { anyOf: range(200, (i) => ({ type: 'number', minimum: i })) },
  'numbers read from texts': { items: { type: 'number', minimum: 1_000 } },
};

type Ref = { $ref: string };
export const DOUBLINGS: Record<string, (ref: Ref) => object> = {
  none: (ref) => ref,
  allOf: (ref) => ({ allOf: [ref, ref] }),
  anyOf: (ref) => ({ anyOf: [{ allOf: [ref, false] }, ref] }),
  not: (ref) => ({ allOf: [{ not: ref }, { not: { not: ref } }] }),
  if: (ref) => conditional(ref, ref, ref),
};

export const VALUES: Record<string, unknown> = {
  numbers: range(150_000, (i) => i),
  objects: range(30_000, (id) => ({ id })),
  texts: range(60_000, (i) => `${i}`),
  properties: names(70_000, (i) => i),
  'long text': 'ab'.repeat(500_000),
  'text of one letter': 'a'.repeat(1_000_000),
  digits: '1'.repeat(1_000_000),
  'long names': Object.fromEntries(range(50, (i) => [`${i}${'/~'.repeat(5_000)}`, ['1', i]] as const)),
};

/** A schema whose property `v` has the leaf below 40 doublings. */
export function doubled(leaf: object, doubling: (ref: Ref) => object) {
  const levels = range(40, (i) => [`level${i + 1}`, doubling({ $ref: `#/$defs/level${i}` })] as const);
  return toPayloadSchema(
    { type: 'object', properties: { v: { $ref: '#/$defs/level40' } }, $defs: { level0: leaf, ...Object.fromEntries(levels) } },
    DEFAULT_LIMITS,
  );
}
