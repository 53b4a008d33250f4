import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Schema } from 'effect';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import * as yup from 'yup';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { type StandardSchema, type SvcError, Toolkit, withJsonSchema } from '../../../src/index';
import { defineAction } from '../../../src/toolkit/action-definition';
import { KEY, newToolkit, running, startService } from './wire-service';

const citySchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const today = { action: 'today', actionDescription: 'The weather of today' };

function refused(definition: object, handler: unknown = () => 1, toolkit = new Toolkit({ apiKey: KEY })): SvcError {
  try {
    toolkit.action(definition as typeof today, handler as () => unknown);
  } catch (error) {
    return error as SvcError;
  }
  throw new Error('accepted');
}

test('a zod schema is registered as JSON Schema of its input; the handler gets its output', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const payloadDescription = z.object({
    city: z.string().describe('Name'),
    days: z.int().min(1).default(3),
    from: z
      .string()
      .transform((text) => new Date(text))
      .optional(),
  });
  toolkit.action({ ...today, payloadDescription }, (_ctx, { city, days, from }) => ({ city, days, year: from?.getUTCFullYear() }));
  const socket = await running(service, toolkit);

  expect(socket.frames[0]?.params.actions[0].payloadDescription).toMatchObject({
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Name' },
      days: { type: 'integer', minimum: 1, default: 3 },
      from: { type: 'string' },
    },
    required: ['city'],
  });
  expect((await socket.call('inv_1', 'today', { city: 'Rome' })).result).toEqual({ city: 'Rome', days: 3 });
  expect((await socket.call('inv_2', 'today', { city: 'Rome', from: '2020-02-02' })).result).toEqual({ city: 'Rome', days: 3, year: 2020 });
});

test('a payload that does not fit is an INVALID_PAYLOAD with JSON Pointers, and the handler does not run', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  let ran = false;
  toolkit.action({ ...today, payloadDescription: z.object({ 'a/b': z.array(z.object({ '~c': z.number() })), d: z.string() }) }, () => {
    ran = true;
  });
  const socket = await running(service, toolkit);
  const { error } = await socket.call('inv_1', 'today', { 'a/b': [{ '~c': 'x' }] });
  expect(error).toMatchObject({ code: -32000, data: { code: 'INVALID_PAYLOAD', message: expect.stringContaining('/d: ') } });
  expect(error?.data?.data).toMatchObject({ issues: [{ path: '/a~1b/0/~0c' }, { path: '/d' }] });
  expect(ran).toBe(false);
});

test('a schema without JSON Schema is refused with the remedy, and accepted when wrapped', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const schema = v.object({ city: v.pipe(v.string(), v.minLength(2)) });
  expect(refused({ ...today, payloadDescription: schema })).toMatchObject({
    code: 'INVALID_ACTION',
    message: expect.stringMatching(/valibot schema .* @valibot\/to-json-schema/),
  });

  const jsonSchema = { input: () => ({ type: 'object', properties: { city: { type: 'string' } } }) };
  const wrapped: StandardSchema<{ city: string }> = { '~standard': { ...schema['~standard'], jsonSchema } };
  toolkit.action({ ...today, payloadDescription: wrapped }, (_ctx, { city }) => city.toUpperCase());
  const socket = await running(service, toolkit);
  expect((await socket.call('inv_1', 'today', { city: 'Rome' })).result).toBe('ROME');
  const { error } = await socket.call('inv_2', 'today', { city: 'R' });
  expect(error?.data?.data).toMatchObject({ issues: [{ path: '/city' }] });
});

const effectSchema = Schema.Struct({ city: Schema.String.check(Schema.isMinLength(2)) });
const miniSchema = mini.object({ city: mini.string().check(mini.minLength(2)) });

test.each<[string, StandardSchema<{ city: string }>]>([
  ['valibot', toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.minLength(2)) }))],
  ['ArkType', type({ city: 'string >= 2' })],
  ['Effect', Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(effectSchema))],
  ['yup, described', withJsonSchema(yup.object({ city: yup.string().min(2).required() }), citySchema)],
  ['zod/mini, described', withJsonSchema(miniSchema, mini.toJSONSchema(miniSchema))],
  ['valibot, described', withJsonSchema(v.object({ city: v.pipe(v.string(), v.minLength(2)) }), citySchema)],
])('a schema of %s is registered as JSON Schema, and parses the payload', async (_library, payloadDescription) => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action({ ...today, payloadDescription }, (_ctx, { city }) => city.toUpperCase());
  const socket = await running(service, toolkit);
  expect(socket.frames[0]?.params.actions[0].payloadDescription).toMatchObject(citySchema);
  expect((await socket.call('inv_1', 'today', { city: 'Rome' })).result).toBe('ROME');
  expect((await socket.call('inv_2', 'today', { city: 'R' })).error?.data?.data).toMatchObject({ issues: [{ path: '/city' }] });
});

test('a schema that is a function, validates asynchronously, or throws, is used as well', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const jsonSchema = { input: () => ({}) };
  const asynchronous = { version: 1 as const, vendor: 'own', jsonSchema, validate: async () => ({ value: { from: 'schema' } }) };
  toolkit.action({ ...today, payloadDescription: Object.assign(() => {}, { '~standard': asynchronous }) }, (_ctx, payload) => payload);
  const throwing = {
    ...asynchronous,
    validate: () => {
      throw new Error('no database');
    },
  };
  toolkit.action({ action: 'throws', actionDescription: 'x', payloadDescription: { '~standard': throwing } }, () => 1);
  const socket = await running(service, toolkit);
  expect((await socket.call('inv_1', 'today')).result).toEqual({ from: 'schema' });
  expect((await socket.call('inv_2', 'throws')).error?.data).toEqual({ code: 'HANDLER_THREW', message: 'no database' });
});

test('a schema that does not describe an object, or cannot be converted to JSON Schema, is refused', () => {
  expect(refused({ ...today, payloadDescription: z.string() }).message).toContain('describes: "string"');
  expect(refused({ ...today, payloadDescription: z.object({ when: z.date() }) }).message).toContain('zod has no JSON Schema');
});

test('a schema of a result that cannot be converted is refused, and its output is what converts', async () => {
  expect(refused({ ...today, resultDescription: z.object({ when: z.date() }) }).message).toContain(
    'zod has no JSON Schema for the resultDescription',
  );
  const noJsonSchema = { '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) } };
  expect(refused({ ...today, resultDescription: noJsonSchema as never }).message).toContain(
    'The resultDescription of "today" is a own schema',
  );
  const sum = withJsonSchema(noJsonSchema, { type: 'number' });
  expect(JSON.parse(defineAction({ ...today, resultDescription: sum }, () => 1).registrationJson)).toMatchObject({
    resultDescription: { type: 'number' },
  });
  const transformed = z.string().transform(Number).pipe(z.number());
  expect(JSON.parse(defineAction({ ...today, resultDescription: transformed }, () => 1).registrationJson)).toMatchObject({
    resultDescription: { type: 'number' },
  });
});

test('a description that is not JSON is refused with the place', () => {
  expect(refused({ ...today, payloadDescription: { city: String } }).message).toContain('/payloadDescription/city is a function');
  expect(refused({ ...today, payloadDescription: { n: { minimum: 1n } } }).message).toContain('/payloadDescription/n/minimum is a bigint');
  expect(refused({ ...today, payloadDescription: { n: { maximum: Number.NaN } } }).message).toContain(
    '/payloadDescription/n/maximum is NaN',
  );
  expect(refused({ ...today, payloadDescription: { at: new Date() } }).message).toContain('/payloadDescription/at is a Date');
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(refused({ ...today, payloadDescription: cycle })).toMatchObject({
    code: 'INVALID_ACTION',
    message: expect.stringContaining('refers to itself'),
  });
});

test('a wrong definition is an error at once', () => {
  const toolkit = new Toolkit({ apiKey: KEY });
  expect(refused({ ...today, action: 'get weather!' })).toMatchObject({
    code: 'INVALID_ACTION',
    message: expect.stringContaining('write "get_weather"'),
  });
  expect(refused({ action: 'today' }).message).toContain('needs an actionDescription');
  expect(refused({ ...today, actionDescription: ' ' }).message).toContain('needs an actionDescription');
  expect(refused(today, { not: 'a function' }).message).toContain('needs a handler');
  toolkit.action(today, () => 1);
  expect(refused(today, () => 2, toolkit).message).toContain('already');
});

test('a registration is a snapshot of the definition, without undefined properties', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const payloadDescription: Record<string, unknown> = { city: { type: 'string', description: undefined } };
  toolkit.action({ ...today, payloadDescription }, () => 1);
  payloadDescription.city = 'changed';
  toolkit.action({ ...today, action: 'text', payloadDescription: 'The city, as text' }, () => 1);
  const socket = await running(service, toolkit);
  expect(socket.frames[0]?.params.actions.map((action: { payloadDescription: unknown }) => action.payloadDescription)).toEqual([
    { city: { type: 'string' } },
    'The city, as text',
  ]);
});
