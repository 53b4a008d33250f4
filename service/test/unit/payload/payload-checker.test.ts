import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { PayloadChecker } from '../../../src/payload/payload-checker';
import { toPayloadSchema } from '../../../src/payload/payload-schema';
import { DOUBLINGS, doubled, VALUES } from './hostile-checks';

const check = (description: object, payload: Record<string, unknown>) =>
  new PayloadChecker().check(toPayloadSchema({ type: 'object', ...description }, DEFAULT_LIMITS), payload);

const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, i]));

test('a check that takes too long is INVALID_PAYLOAD with the next step', () => {
  const schema = doubled({ uniqueItems: true }, DOUBLINGS.allOf as (ref: object) => object);
  expect(() => new PayloadChecker().check(schema, { v: VALUES.numbers })).toThrow(
    expect.objectContaining({ code: 'INVALID_PAYLOAD', message: expect.stringMatching(/takes too long to check.*send a smaller one/) }),
  );
});

test.each([
  ['additionalProperties', { properties: { p0: {} }, additionalProperties: false }],
  ['unevaluatedProperties', { allOf: [{ properties: { p0: {} } }], unevaluatedProperties: false }],
  ['unevaluatedProperties behind a pattern', { patternProperties: { '^p0$': {} }, unevaluatedProperties: false }],
  ['propertyNames', { propertyNames: false }],
])('%s: false names at most eight forbidden properties', (_, description) => {
  const nested = { properties: { v: description } };
  expect(() => check(nested, { v: properties })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ issues: Array.from({ length: 8 }, () => expect.anything()) }) }),
  );
  expect(check(nested, { v: {} }).payload).toEqual({ v: {} });
});

test('a closed object refuses names of Object.prototype', () => {
  const allOf = [{ $ref: '#/$defs/point' }];
  const $defs = { point: { patternProperties: { '^[xy]$': {} } } };
  for (const name of ['constructor', 'toString', 'hasOwnProperty'])
    expect(() => check({ allOf, $defs, unevaluatedProperties: false }, { x: 1, [name]: 1 })).toThrow(/is not allowed/);
});

test('counts, closed lists and closed names keep their meaning', () => {
  expect(() => check({ minProperties: 3 }, { a: 1 })).toThrow(/at least 3 properties, got 1/);
  expect(() => check({ maxProperties: 1 }, { a: 1, b: 2 })).toThrow(/at most 1 properties, got 2/);
  expect(() => check({ properties: { v: { items: false } } }, { v: [1, 2] })).toThrow(/at most 0 items, got 2/);
  expect(() => check({ properties: { v: { prefixItems: [{}], items: false } } }, { v: [1, 2] })).toThrow(/at most 1 items, got 2/);
  expect(() => check({ patternProperties: { '^x': false } }, { x1: 1 })).toThrow(/is not allowed/);
  expect(check({ properties: { v: { items: false } } }, { v: [] }).payload).toEqual({ v: [] });
});

test('the piece of schema in an issue may hold null, cut short', () => {
  const forms = [{ enum: [[null, { a: null, b: null, dd: 'text', e: 'x'.repeat(280) }]] }];
  expect(() => check({ properties: { v: { oneOf: forms } } }, { v: 1 })).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }));
});

test('an error does not repeat long names and texts', () => {
  const payload = { ['n/'.repeat(100_000)]: ['x'.repeat(100_000), { ['m'.repeat(100_000)]: 1 }] };
  const error = (() => {
    try {
      return check({ additionalProperties: { items: { type: 'number' } } }, payload);
    } catch (thrown) {
      return thrown;
    }
  })() as { message: string; details: unknown };
  expect(JSON.stringify([error.message, error.details]).length).toBeLessThan(20_000);
});

test('a text of a million digits is not read as a number, and one of fifteen is', () => {
  const description = { properties: { v: { type: 'number' } } };
  expect(() => check(description, { v: '1'.repeat(1_000_000) })).toThrow(/must be number/);
  expect(check(description, { v: '0.00000123456789012345' }).payload).toEqual({ v: 0.00000123456789012345 });
});

test.each([
  ['classes without regard to case', `(?i)(?P<a>${'[B-\u{10000}]'.repeat(6_000)})`],
  ['tables of Unicode', `[\\u{1F600}-\\u{1F610}]${'\\p{L}'.repeat(10_000)}`],
  ['repetitions', `(?i)${'a{1000}'.repeat(8_000)}`],
])('a registration refuses a pattern of many %s before it compiles it', (_, pattern) => {
  expect(() => toPayloadSchema({ type: 'object', properties: { v: { pattern } } }, DEFAULT_LIMITS)).toThrow(/more than 1000 parts/);
});

test('a registration refuses a list of forms whose code would take long to compile', () => {
  const forms = (count: number) => ({ type: 'object', anyOf: Array.from({ length: count }, (_, i) => ({ minProperties: i })) });
  expect(() => toPayloadSchema(forms(600), DEFAULT_LIMITS)).toThrow(/more than 1000 parts/);
  expect(toPayloadSchema(forms(300), DEFAULT_LIMITS).anyOf).toHaveLength(300);
});
