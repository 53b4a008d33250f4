import { expect, test } from 'vitest';
import { ResultChecker } from '../../../src/payload/result-checker';

const ORDERS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      stock: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    required: ['id'],
    additionalProperties: false,
  },
};
const checker = new ResultChecker();

test.each([
  ['a result that fits', [{ id: 1, lines: [{ sku: 'a' }], stock: { 'ada@example.com': 1 } }], []],
  ['another root', 'no list', ['']],
  ['a missing name', [{}], ['/*/id']],
  ['the same place of many items', [{ id: 'a' }, { id: 'b' }, { id: 1, lines: [{ sku: 1 }, { sku: 2 }] }], ['/*/id', '/*/lines/*/sku']],
  ['names that are data', [{ id: 1, stock: { 'ada@example.com': 'many' } }], ['/*/stock/*']],
  ['a name that the schema lacks', [{ id: 1, 'secret-of-ada': 1 }], ['/*/*']],
])('%s', (_, result, paths) => {
  expect(checker.misfits(ORDERS, result)).toEqual(paths);
});

test('a schema that cannot be compiled, or a check that takes too long, gives no misfit', () => {
  expect(checker.misfits({ type: 'object', $ref: '#/missing' }, 'text')).toEqual([]);
  const node = { anyOf: Array.from({ length: 40 }, () => ({ type: 'array', items: { $ref: '#/$defs/node' } })) };
  let deep: unknown = 1;
  for (let level = 0; level < 40; level++) deep = [deep, deep];
  expect(checker.misfits({ $ref: '#/$defs/node', $defs: { node } }, deep)).toEqual([]);
});
