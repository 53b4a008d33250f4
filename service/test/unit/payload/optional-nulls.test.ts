/** A `null` where the schema has another type: docs/protocol.md, section 5, slip 5. */
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { PayloadChecker } from '../../../src/payload/payload-checker';
import { toPayloadSchema } from '../../../src/payload/payload-schema';

const check = (description: object, payload: Record<string, unknown>) =>
  new PayloadChecker().check(toPayloadSchema({ type: 'object', ...description }, DEFAULT_LIMITS), payload);

const text = { type: 'string' };
const inner = { type: 'object', properties: { a: text, b: text }, required: ['b'] };
const tagged = (kind: string, value: object) => ({ properties: { kind: { const: kind }, v: value }, required: ['kind'] });

test.each([
  ['a text', { properties: { v: text } }, { v: null }, {}],
  ['a list of values', { properties: { v: { enum: ['x', 'y'] } } }, { v: null, w: 1 }, { w: 1 }],
  ['one value', { properties: { v: { const: 'x' } } }, { v: null }, {}],
  ['one of several forms', { properties: { v: { anyOf: [text, { type: 'integer' }] } } }, { v: null }, {}],
  ['what a reference says', { properties: { v: { $ref: '#/$defs/a' } }, $defs: { a: text } }, { v: null }, {}],
  ['a property of a list item', { properties: { v: { type: 'array', items: inner } } }, { v: [{ a: null, b: 'x' }] }, { v: [{ b: 'x' }] }],
  ['a name with a slash', { properties: { 'a/b~c': text } }, { 'a/b~c': null }, {}],
  ['the form with its tag', { anyOf: [tagged('a', text), tagged('b', { type: 'integer' })] }, { kind: 'b', v: null }, { kind: 'b' }],
])('for %s is left out where the property is optional', (_, description, payload, left) => {
  const before = structuredClone(payload);
  const { payload: checked, repaired } = check(description, payload);
  expect(checked).toEqual(left);
  expect(repaired).toEqual([expect.stringContaining('takes no null, so the optional property was left out')]);
  expect(payload).toEqual(before);
});

test.each([
  ['a schema that takes it', { properties: { v: { type: ['string', 'null'] } } }, { v: null }],
  ['a form that takes it', { properties: { v: { anyOf: [text, { type: 'null' }] } } }, { v: null }],
  ['a schema without a type', { properties: { v: {} } }, { v: null }],
])('for %s stays', (_, description, payload) => expect(check(description, payload)).toEqual({ payload, repaired: [] }));

test.each([
  ['a required property', { properties: { v: text }, required: ['v'] }, { v: null }, '/v: must be string, got null'],
  [
    'one that another part requires',
    { properties: { v: text }, allOf: [{ required: ['v'] }] },
    { v: null },
    '/v: must be string, got null',
  ],
  ['a required property within', { properties: { v: inner } }, { v: { a: null, b: null } }, '/v/b: must be string, got null'],
  ['an item of a list', { properties: { v: { type: 'array', items: text } } }, { v: ['a', null] }, '/v/1: must be string, got null'],
])('for %s is refused', (_, description, payload, message) => {
  expect(() => check(description, payload)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});

test('each repair is named', () => {
  const { payload, repaired } = check({ properties: { n: { type: 'integer' }, v: text } }, { n: '3', v: null });
  expect(payload).toEqual({ n: 3 });
  expect(repaired).toHaveLength(2);
});

test('in a refused payload is named among what was received', () => {
  const refused = expect.objectContaining({ details: expect.objectContaining({ received: ['n', 'v'] }) });
  expect(() => check({ properties: { n: { type: 'integer' }, v: text } }, { n: 'x', v: null })).toThrow(refused);
});
