import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SvcError } from '../../../src/index';
import { ActionError } from '../../../src/toolkit/action-error';
import { toJsonText } from '../../../src/toolkit/plain-json';

const plain = (value: unknown) => JSON.parse(toJsonText(value));

test('JSON is returned unchanged', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => toJsonText(value) === JSON.stringify(value)));
});

test('any other value becomes JSON, or INVALID_RESULT', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      try {
        plain(value);
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_RESULT' });
      }
    }),
  );
});

test.each([
  ['undefined is null', undefined, null],
  ['a function is null', () => 1, null],
  ['a symbol is null', Symbol('s'), null],
  ['no number is null', [Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 1], [null, null, null, null]],
  ['undefined and functions are no properties', { a: undefined, b: () => 1, c: 1 }, { c: 1 }],
  ['a bigint is its digits', { n: 12345678901234567890n, m: [1n, 'x', 2n] }, { n: '12345678901234567890', m: ['1', 'x', '2'] }],
  ['a date is ISO, a broken one null', [new Date(0), new Date(Number.NaN)], ['1970-01-01T00:00:00.000Z', null]],
  [
    'a map is an object',
    new Map<unknown, unknown>([
      ['a', 1n],
      [2, new Set([3])],
    ]),
    { a: '1', 2: [3] },
  ],
  ['a map with objects as keys is pairs', new Map([[{ k: 1 }, 'v']]), [[{ k: 1 }, 'v']]],
  ['bytes are base64', [Buffer.from('hi'), new Uint8Array([104, 105]), new Uint8Array([104, 105]).buffer], ['aGk=', 'aGk=', 'aGk=']],
  ['part of a buffer is only that part', new Uint8Array([1, 104, 105, 2]).subarray(1, 3), 'aGk='],
  ['other typed arrays are arrays', [new Float64Array([1.5, Number.NaN]), new BigInt64Array([1n])], [[1.5, null], ['1']]],
  ['toJSON is honoured, also what it gives', { toJSON: () => ({ big: 1n, gone: undefined }) }, { big: '1' }],
  ['toJSON may give nothing', [{ toJSON: () => undefined }], [null]],
  ['an error is name and message', new TypeError('no'), { name: 'TypeError', message: 'no' }],
  ['our error is what a model reads', new SvcError('NOT_FOUND', 'no'), { code: 'NOT_FOUND', message: 'no', retryable: false }],
  ['a URL is its text', new URL('http://x/'), 'http://x/'],
])('%s', (_name, value, json) => {
  expect(plain(value)).toEqual(json);
});

test('a key __proto__ is a key like any other', () => {
  const parsed = JSON.parse('{"__proto__": {"polluted": true}, "n": 1}');
  expect(toJsonText({ ...parsed, n: 1n })).toBe('{"__proto__":{"polluted":true},"n":"1"}');
  expect(toJsonText(new Map([['__proto__', 1n]]))).toBe('{"__proto__":"1"}');
});

test('the same object at two places is written twice; the value itself is not changed', () => {
  const shared = { n: 1n };
  const value = { a: shared, b: [shared], c: 'c' };
  expect(plain(value)).toEqual({ a: { n: '1' }, b: [{ n: '1' }], c: 'c' });
  expect(value).toEqual({ a: { n: 1n }, b: [{ n: 1n }], c: 'c' });
});

test('a value that refers to itself keeps all other members', () => {
  const cycle: Record<string, unknown> = { name: 'a', big: 1n };
  cycle.list = [new Map([['self', cycle]]), 'last'];
  expect(plain(cycle)).toEqual({ name: 'a', big: '1', list: [{ self: '[Circular]' }, 'last'] });
});

test('a fully connected graph is written in one pass', () => {
  const nodes: Record<string, unknown>[] = Array.from({ length: 200 }, (_, id) => ({ id }));
  for (const node of nodes) node.others = nodes;
  expect(plain(nodes)).toHaveLength(200);
});

test('a value that is nested too deep, or whose code throws, is INVALID_RESULT with the reason', () => {
  const deep = Array.from({ length: 600 }).reduce<unknown>((inner) => ({ inner }), 1);
  expect(() => toJsonText(deep)).toThrow(
    expect.objectContaining({ code: 'INVALID_RESULT', message: expect.stringContaining('deeper than 500 levels') }),
  );
  const hostile = {
    get boom() {
      throw new Error('boom');
    },
  };
  expect(() => toJsonText(hostile)).toThrow(ActionError);
  expect(() => toJsonText(Object(1n))).toThrow(ActionError);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(() => toJsonText({ proxy })).toThrow(ActionError);
});
