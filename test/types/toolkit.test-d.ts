/** Compiled, never run: what a handler's payload is for each kind of payload description. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { z } from 'zod';
import { type ActionContext, type StandardSchema, Toolkit, type ToolkitStatus } from '../../src/index';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_proof: Same<A, B>): void => {};

const toolkit = new Toolkit({ apiKey: 'svc_toolkit_x' });
const base = { action: 'a', actionDescription: 'd' };

toolkit.action({ ...base, payloadDescription: z.object({ city: z.string(), days: z.int().default(3) }) }, (ctx, payload) => {
  same<typeof ctx, ActionContext>(true);
  same<typeof payload, { city: string; days: number }>(true);
  return ctx.result(payload);
});

const valibotSchema = v.object({ n: v.number() });
const wrapped = { '~standard': { ...valibotSchema['~standard'], jsonSchema: { input: () => ({}) } } };
toolkit.action({ ...base, payloadDescription: wrapped }, async (_ctx, payload) => {
  same<typeof payload, { n: number }>(true);
});

declare const own: StandardSchema<{ from: string }, { from: Date }>;
toolkit.action({ ...base, payloadDescription: own }, (_ctx, { from }) => from.getTime());

// What the specification calls a schema is one here, whatever library makes it.
declare const specified: {
  readonly '~standard': StandardSchemaV1.Props<{ from: string }, { from: Date }> &
    StandardJSONSchemaV1.Props<{ from: string }, { from: Date }>;
};
toolkit.action({ ...base, payloadDescription: specified }, (_ctx, { from }) => from.getTime());

toolkit.action(base, (_ctx, payload) => {
  same<typeof payload, Record<string, unknown>>(true);
});
toolkit.action({ ...base, payloadDescription: { city: { type: 'string', required: true } } }, (_ctx, { city }) => {
  same<typeof city, unknown>(true);
});
toolkit.action({ ...base, payloadDescription: 'The city, as text' }, () => 'any result');

interface Call {
  city: string;
}
toolkit.action<Call>({ ...base, payloadDescription: { city: 'Where' } }, (_ctx, { city }) => city.length);
toolkit.action(base, (_ctx, payload: Call) => payload.city.length);

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
