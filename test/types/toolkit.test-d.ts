/** Compiled, never run: what a handler's payload is for each kind of payload description. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Schema } from 'effect';
import * as v from 'valibot';
import * as yup from 'yup';
import { z } from 'zod';
import * as mini from 'zod/mini';
import {
  type ActionConnection,
  type ActionContext,
  type JsonSchema,
  type StandardSchema,
  Toolkit,
  type ToolkitStatus,
  withJsonSchema,
} from '../../src/index';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_proof: Same<A, B>): void => {};

const toolkit = new Toolkit({ apiKey: 'svc_toolkit_x' });
const base = { action: 'a', actionDescription: 'd' };

toolkit.action({ ...base, payloadDescription: z.object({ city: z.string(), days: z.int().default(3) }) }, (ctx, payload) => {
  same<typeof ctx, ActionContext>(true);
  same<typeof payload, { city: string; days: number }>(true);
  return ctx.result(payload);
});

const described = { ...base, resultDescription: z.object({ sum: z.number() }) };
toolkit.action(described, (ctx) => ctx.result({ sum: 1 }));
// @ts-expect-error the result has a sum
toolkit.action(described, (ctx) => ctx.result({ total: 1 }));
toolkit.action({ ...described, payloadDescription: { a: { type: 'number', required: true } } }, (ctx, payload) => {
  same<typeof payload, { a: number }>(true);
  // @ts-expect-error the sum is a number
  ctx.result({ sum: String(payload.a) });
  return ctx.result({ sum: payload.a });
});
toolkit.action({ ...described, payloadDescription: z.object({ a: z.number() }) }, (ctx, { a }) => ctx.result({ sum: a }));
toolkit.action<{ a: number }>({ ...base, resultDescription: { sum: { type: 'number' } } }, (ctx, { a }) => ctx.result(a));
toolkit.action({ ...base, resultDescription: type('string[]') }, (ctx) => ctx.result(['Rome']));
toolkit.action({ ...base, resultDescription: toStandardJsonSchema(v.array(v.string())) }, (ctx) => ctx.result(['Rome']));
// @ts-expect-error valibot needs toStandardJsonSchema or withJsonSchema
toolkit.action({ ...base, resultDescription: v.array(v.string()) }, (ctx) => ctx.result(['Rome']));

void toolkit.updateToolkit({ auth: { type: 'oauth2', from: 'user', server: 'https://mcp.example.com/mcp', scopes: ['read'] } });
void toolkit.updateToolkit({ auth: null });
// @ts-expect-error: a connection comes from one of four
void toolkit.updateToolkit({ auth: { type: 'bearer', from: 'app' } });
toolkit.action({ ...base, auth: false }, () => 1);
toolkit.action({ ...base, auth: { scopes: ['read'] } }, async ({ connection }) => {
  same<typeof connection, ActionConnection | undefined>(true);
  if (connection?.expiresAt && connection.expiresAt < new Date()) await connection.refused();
  return fetch('https://api.example.com', { headers: { ...connection?.headers() } });
});

toolkit.action({ ...base, payment: { amount: '0.05' } }, (ctx) => {
  same<typeof ctx.payment, { amount: string; currency: string } | undefined>(true);
  same<ReturnType<typeof ctx.charge>, void>(true);
  // @ts-expect-error: an amount is a text
  ctx.charge(0.03);
  // @ts-expect-error: the currency is the hold's
  ctx.result(1, { payment: { amount: '0.03', currency: 'USD' } });
  return ctx.result('sold', { payment: { amount: '0.03' } });
});
// @ts-expect-error: a price is a text
toolkit.action({ ...base, payment: { amount: 0.05 } }, () => 1);

const valibotSchema = v.object({ n: v.number() });
const wrapped = { '~standard': { ...valibotSchema['~standard'], jsonSchema: { input: () => ({}) } } };
toolkit.action({ ...base, payloadDescription: wrapped }, async (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});

declare const own: StandardSchema<{ from: string }, { from: Date }>;
toolkit.action({ ...base, payloadDescription: own }, (_ctx, { from }) => from.getTime());

// A schema of the specification is accepted from every library.
declare const specified: {
  readonly '~standard': StandardSchemaV1.Props<{ from: string }, { from: Date }> &
    StandardJSONSchemaV1.Props<{ from: string }, { from: Date }>;
};
toolkit.action({ ...base, payloadDescription: specified }, (_ctx, { from }) => from.getTime());

toolkit.action(base, (_ctx, payload) => {
  same<typeof payload, Record<string, unknown>>(true);
});
// The short form, written in place, gives the type of what the service lets through.
toolkit.action(
  {
    ...base,
    payloadDescription: {
      city: { type: 'string', description: 'Where', required: true },
      days: { type: 'int' },
      unit: { enum: ['C', 'F'], required: true },
      tags: { type: 'array', items: { type: 'string' } },
      ids: 'int[]',
      hours: { type: 'int[]' },
      at: { type: ['string', 'null'], required: true },
      where: { properties: { lat: { type: 'number', required: true }, name: 'free text' }, required: true },
      address: { street: { type: 'string', required: true }, note: 'with number' },
      note: 'free text',
      other: { type: 'widget' },
    },
  },
  (ctx, payload) => {
    same<typeof ctx, ActionContext>(true);
    same<
      typeof payload,
      {
        city: string;
        unit: 'C' | 'F';
        at: string | null;
        where: { lat: number; name?: unknown };
        days?: number;
        tags?: string[];
        ids?: unknown;
        hours?: number[];
        address?: { street: string; note?: unknown };
        note?: unknown;
        other?: unknown;
      }
    >(true);
  },
);
// So does a JSON Schema with properties.
toolkit.action(
  {
    ...base,
    payloadDescription: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', nullable: true } },
      required: ['city'],
      additionalProperties: false,
    },
  },
  (_ctx, payload) => {
    same<typeof payload, { city: string; days?: number | null }>(true);
  },
);
toolkit.action({ ...base, payloadDescription: { type: 'object' } }, (_ctx, payload) => {
  same<typeof payload, Record<string, unknown>>(true);
});
// A description that is not a literal has no type information.
declare const schema: JsonSchema;
toolkit.action({ ...base, payloadDescription: schema }, (_ctx, payload) => {
  same<typeof payload, Record<string, unknown>>(true);
});
// biome-ignore lint/suspicious/noExplicitAny: what JSON.parse gives
declare const anything: any;
toolkit.action({ ...base, payloadDescription: anything }, (_ctx, payload) => void payload.city);
const elsewhere = { city: { type: 'string', required: true } };
toolkit.action({ ...base, payloadDescription: elsewhere }, (_ctx, { city }) => {
  same<typeof city, unknown>(true);
});
interface SchemaInterface {
  type?: string;
  properties?: { [name: string]: SchemaInterface };
}
declare const anInterface: SchemaInterface;
toolkit.action({ ...base, payloadDescription: anInterface }, (_ctx, payload) => {
  same<typeof payload, Record<string, unknown>>(true);
});
toolkit.action({ ...base, payloadDescription: 'The city, as text' }, () => 'any result');

interface Call {
  city: string;
}
toolkit.action<Call>({ ...base, payloadDescription: { city: 'Where' } }, (_ctx, { city }) => city.length);
toolkit.action(base, (_ctx, payload: Call) => payload.city.length);

// Schemas without a JSON Schema form are rejected by the types and at run time; with a description they work.
// @ts-expect-error valibot needs toStandardJsonSchema or withJsonSchema
toolkit.action({ ...base, payloadDescription: valibotSchema }, () => 1);
toolkit.action({ ...base, payloadDescription: toStandardJsonSchema(valibotSchema) }, (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});
toolkit.action({ ...base, payloadDescription: withJsonSchema(valibotSchema, {}) }, (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});
const yupSchema = yup.object({ n: yup.number().required() });
// @ts-expect-error yup needs withJsonSchema
toolkit.action({ ...base, payloadDescription: yupSchema }, () => 1);
toolkit.action({ ...base, payloadDescription: withJsonSchema(yupSchema, {}) }, (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});
const miniSchema = mini.object({ n: mini.number() });
// @ts-expect-error zod/mini needs withJsonSchema
toolkit.action({ ...base, payloadDescription: miniSchema }, () => 1);
toolkit.action({ ...base, payloadDescription: withJsonSchema(miniSchema, mini.toJSONSchema(miniSchema)) }, (_ctx, { n }) => n);
const effectSchema = Schema.Struct({ n: Schema.Number });
// @ts-expect-error an Effect schema needs toStandardSchemaV1 and toStandardJSONSchemaV1
toolkit.action({ ...base, payloadDescription: effectSchema }, () => 1);
// @ts-expect-error one of the two alone is not enough
toolkit.action({ ...base, payloadDescription: Schema.toStandardSchemaV1(effectSchema) }, () => 1);
toolkit.action({ ...base, payloadDescription: Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(effectSchema)) }, (_ctx, payload) =>
  payload.n.toFixed(),
);
toolkit.action({ ...base, payloadDescription: type({ n: 'number' }) }, (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});

// @ts-expect-error a payload is an object
toolkit.action({ ...base, payloadDescription: z.string() }, () => 1);
// @ts-expect-error and no list
toolkit.action({ ...base, payloadDescription: z.array(z.object({})) }, () => 1);
// A value that may be an object passes.
toolkit.action({ ...base, payloadDescription: z.any() }, () => 1);
toolkit.action({ ...base, payloadDescription: z.unknown() }, () => 1);
toolkit.action({ ...base, payloadDescription: z.record(z.string(), z.number()) }, (_ctx, payload) => payload.any);
toolkit.action({ ...base, payloadDescription: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) }, () => 1);

// @ts-expect-error the schema says number
toolkit.action({ ...base, payloadDescription: z.object({ n: z.number() }) }, (_ctx, payload: { n: string }) => payload.n);
// @ts-expect-error an action needs a description
toolkit.action({ action: 'a' }, () => 1);
// @ts-expect-error a number describes nothing
toolkit.action({ ...base, payloadDescription: 7 }, () => 1);

export function tell(status: ToolkitStatus): string {
  switch (status.state) {
    case 'connecting':
      return '';
    case 'connected':
      return `${status.toolkit.name} ${status.accepted.length} ${status.rejected.map(({ message }) => message)} ${status.refused?.code}`;
    case 'disconnected':
      return `${status.reason.code} ${status.retryInMs}`;
    case 'stopped':
      return status.reason?.code ?? '';
  }
}
