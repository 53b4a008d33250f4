/** Schemas of MCP tools that are larger than the service takes. */
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { outputSchema } from '../../../import/mcp/output-schema';
import { toolSchema } from '../../../import/mcp/tool-schema';
import { toPayloadSchema } from '../../../src/payload/payload-schema';

function nested(levels: number): object {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: nested(levels - 1) } };
}

test('a schema that fits is passed on as it is stated', () => {
  const stated = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } };
  expect(toolSchema(stated)).toEqual(stated);
});

test.each([
  ['long texts', { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(70_000) } } }],
  [
    '1,500 properties',
    {
      type: 'object',
      required: ['p1'],
      properties: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`p${n}`, { type: 'string' }])),
    },
  ],
  ['40 levels', nested(40)],
  [
    'a circle with long texts',
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Tree' } },
      $defs: { Tree: { type: 'object', description: 'x'.repeat(70_000), properties: { child: { $ref: '#/$defs/Tree' } } } },
    },
  ],
])('a schema with %s is slimmed until the service takes it', (_, stated) => {
  expect(() => toPayloadSchema(stated, DEFAULT_LIMITS)).toThrow();
  const slimmed = toolSchema(stated as Record<string, unknown>);
  expect(toPayloadSchema(slimmed, DEFAULT_LIMITS)).toMatchObject({ type: 'object' });
});

test('slimming keeps names and types', () => {
  const stated = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', description: 'x'.repeat(70_000) }, b: { type: 'integer' } },
  };
  expect(toolSchema(stated)).toMatchObject({ required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } });
});

test('a schema that is nested deeper than the stack is made smaller, and as an output schema left out', () => {
  let deep: object = {};
  for (let level = 0; level < 100_000; level++) deep = { items: deep };
  const stated = { type: 'object', properties: { deep } };

  expect(JSON.stringify(toolSchema(stated)).length).toBeLessThan(64 * 1024);
  expect(outputSchema(stated)).toBe('It is too large');
});
