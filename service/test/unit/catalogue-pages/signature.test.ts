import { expect, test } from 'vitest';
import { signatureOf, signatureParameters } from '../../../src/catalogue-pages/signature';

test('a signature has the types that models see, what is optional, and defaults', () => {
  const schema = {
    $defs: { unit: { enum: ['c', 'f'], description: 'Degrees' } },
    properties: {
      city: { type: 'string' },
      unit: { $ref: '#/$defs/unit' },
      days: { type: 'integer', default: 3 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['city'],
  };
  expect(signatureOf('today', schema)).toBe('today(city: string, unit?: "c"|"f", days?: int = 3, tags?: string[])');
  expect(signatureParameters(schema)[1]).toMatchObject({ name: 'unit', required: false, description: 'Degrees' });
});

test('a signature of any schema is short', () => {
  const wide = { properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, { default: 'x'.repeat(1_000) }])) };
  expect(signatureOf('run', wide).length).toBeLessThan(3_000);
  expect(signatureOf('run', { properties: { self: { $ref: '#/properties/self' } } })).toBe('run(self?: any)');
  expect(signatureOf('run', {})).toBe('run()');
});
