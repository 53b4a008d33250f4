/**
 * Turns the developer's definition of an action into its registration and its handler.
 *
 * Errors: INVALID_ACTION, whose message says what to write instead.
 */
import type { ActionIcon, ActionMeta } from '../protocol/action-meta';
import { priceProblem } from '../protocol/amount';
import { actionAuthProblem } from '../protocol/auth-problem';
import type { ActionAuth } from '../protocol/connections';
import { SvcError } from '../protocol/errors';
import type { ActionRegistration } from '../protocol/frames';
import type { ActionAnnotations } from '../protocol/http';
import { actionNameProblem } from '../protocol/ids';
import type { ActionContext } from './context';
import { notJson } from './not-json';
import {
  isStandardSchema,
  parsePayload,
  type ResultSchema,
  type StandardSchema,
  toJsonSchema,
  toResultJsonSchema,
} from './standard-schema';

/** The compiler's error message for a schema that `action()` would refuse. */
type NotJsonSchema = 'This schema cannot be converted to JSON Schema: see withJsonSchema and docs/toolkit.md';

/** A JSON Schema or the short form, as a literal. */
export type ObjectDescription = { readonly [key: string]: unknown; readonly '~standard'?: NotJsonSchema };

/**
 * Text, JSON Schema, or the short form `{city: {type: 'string', description: '…', required: true}}`. The last member accepts interfaces,
 * which have no index signature, such as the `JSONSchema7` of `@types/json-schema`, but not functions, which the schemas of some libraries
 * are.
 */
export type PlainPayloadDescription =
  | string
  | ObjectDescription
  | (object & { readonly '~standard'?: NotJsonSchema; readonly bind?: NotJsonSchema });

/** Text, JSON Schema or short form as for payloads, or a schema of zod, ArkType, …, whose output types `ctx.result`. */
export type ResultDescription<Result = unknown> = PlainPayloadDescription | ResultSchema<Result>;

export interface ActionDefinition<Description = PlainPayloadDescription | StandardSchema, Result = unknown> {
  /** `[A-Za-z0-9_-]+`, unique within the toolkit. */
  action: string;
  /** The effect of the action and when to use it. Models choose by this text. */
  actionDescription: string;
  /** Absent: any object is accepted. */
  payloadDescription?: Description;
  /** A name for people, which MCP clients show. */
  title?: string | undefined;
  /**
   * The shape of the result, of any JSON type: models plan by it, and programs of models read results by it. A result of another shape arrives too.
   * docs/toolkit.md.
   */
  resultDescription?: ResultDescription<Result> | undefined;
  annotations?: ActionAnnotations | undefined;
  /** `_meta` of the tool for MCP clients, such as `{ ui: { resourceUri: 'ui://board' } }` of MCP Apps. At most 8 KiB as JSON. */
  meta?: ActionMeta | undefined;
  /** Icons that MCP clients show to people, at most 8 KiB as JSON. */
  icons?: readonly ActionIcon[] | undefined;
  /**
   * The highest price of a call: `{ amount: '0.05' }`, a decimal text. The agent's key holds the amount for each call; `ctx.charge` can
   * charge less. The currency is the service's. Absent: the action is free.
   */
  payment?: { amount: string; currency?: string } | undefined;
  /** Where it differs from `auth` of `updateToolkit`: `false` needs no connection, `{ scopes }` are those that it needs. */
  auth?: ActionAuth | undefined;
  /**
   * A call may take minutes or hours, up to the 24 hours that the service allows. A model gets a handle for it, and the call goes on without its
   * caller. docs/long-calls.md.
   */
  long?: boolean | undefined;
}

/**
 * Runs one invocation. The return value is the result; for `undefined`, the last value of `ctx.result`, or null. The agent sees a thrown or
 * returned error as the failure of the call.
 */
export type ActionHandler<Payload, Result = unknown> = (ctx: ActionContext<Result>, payload: Payload) => unknown;

/** An action of `setActions`. */
export interface ActionWithHandler extends ActionDefinition {
  handler: ActionHandler<unknown>;
}

export interface Action {
  name: string;
  /** Where its toolkit asks for connections. */
  needsConnection: boolean;
  /** The JSON of its `ActionRegistration`, kept so that a reconnect registers the same text. */
  registrationJson: string;
  run(ctx: ActionContext, payload: unknown): unknown;
}

export function defineAction(definition: ActionDefinition, handler: ActionHandler<unknown>): Action {
  const { action, actionDescription, payloadDescription, title, resultDescription, annotations } = definition;
  const { meta, icons, payment, auth, long } = definition;
  const nameProblem = actionNameProblem(action);
  if (nameProblem) throw new SvcError('INVALID_ACTION', nameProblem);
  if (typeof actionDescription !== 'string' || actionDescription.trim() === '') {
    throw new SvcError('INVALID_ACTION', `Action "${action}" needs an actionDescription: models choose an action by this text`);
  }
  if (typeof handler !== 'function') {
    throw new SvcError('INVALID_ACTION', `Action "${action}" needs a handler: toolkit.action({…}, async (ctx, payload) => ctx.result(…))`);
  }
  const paymentProblem = payment === undefined ? undefined : priceProblem(action, payment);
  if (paymentProblem) throw new SvcError('INVALID_ACTION', paymentProblem);
  const authProblem = auth === undefined ? undefined : actionAuthProblem(auth);
  if (authProblem) throw new SvcError('INVALID_ACTION', `Action "${action}": ${authProblem}`);
  if (long !== undefined && typeof long !== 'boolean') throw new SvcError('INVALID_ACTION', `Action "${action}": long is true or false`);
  const schema = isStandardSchema(payloadDescription) ? payloadDescription : undefined;
  const described = schema ? toJsonSchema(schema, action) : payloadDescription;
  const result = isStandardSchema(resultDescription) ? toResultJsonSchema(resultDescription, action) : resultDescription;
  const registrationJson = toJson({
    action,
    actionDescription,
    ...(described === undefined ? {} : { payloadDescription: described }),
    ...(title === undefined ? {} : { title }),
    ...(result === undefined ? {} : { resultDescription: result }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(meta === undefined ? {} : { meta }),
    ...(icons === undefined ? {} : { icons: [...icons] }),
    ...(payment === undefined ? {} : { payment }),
    ...(auth === undefined ? {} : { auth }),
    ...(long === undefined ? {} : { long }),
  });
  const entry = { name: action, needsConnection: auth !== false, registrationJson };
  if (!schema) return { ...entry, run: handler };
  return { ...entry, run: async (ctx, payload) => handler(ctx, await parsePayload(schema, payload)) };
}

function toJson(registration: ActionRegistration): string {
  const problem = notJson(registration);
  if (problem) throw new SvcError('INVALID_ACTION', `Action "${registration.action}" is not plain JSON: ${problem}`);
  return JSON.stringify(registration);
}
