import { expect, test } from 'vitest';
import { missingValues } from '../../../console/src/pages/action/try-it/missing-values';

const SCHEMA = {
  type: 'object',
  required: ['city', 'guests'],
  properties: {
    city: { type: 'string' },
    guests: { type: 'array', items: { $ref: '#/$defs/guest' } },
  },
  $defs: { guest: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
};

test('required values that a payload lacks are found before the call, at any depth', () => {
  expect(missingValues(SCHEMA, {})).toEqual([
    { path: '/city', message: 'Required' },
    { path: '/guests', message: 'Required' },
  ]);
  expect(missingValues(SCHEMA, { city: 'Bonn', guests: [{ name: 'Ada' }, {}] })).toEqual([{ path: '/guests/1/name', message: 'Required' }]);
  expect(missingValues(SCHEMA, { city: '', guests: [] })).toEqual([]);
});

test('a schema that refers to itself, and one that is not a schema, end', () => {
  const endless: Record<string, unknown> = {};
  endless.next = endless;
  expect(missingValues({ properties: { next: { $ref: '#' } } }, endless)).toEqual([]);
  expect(missingValues({ required: 'all', properties: [] }, { a: 1 })).toEqual([]);
});
