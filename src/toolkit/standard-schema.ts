/**
 * Schemas of any library (zod, valibot, ArkType, …) through their common interface, declared here so that our types need no package.
 *
 * Errors: `toJsonSchema` and `toResultJsonSchema` throw INVALID_ACTION, `parsePayload` throws ActionError INVALID_PAYLOAD with `issues: [{path, message}]`, where
 *         `path` is a JSON Pointer (RFC 6901).
 * Source: Standard Schema 1.1 and Standard JSON Schema 1 (standardschema.dev).
 */
import { type PayloadIssue, SvcError } from '../protocol/errors';
import type { JsonSchema } from '../protocol/http';
import { ActionError } from './action-error';

/** A schema of Standard Schema, which validates only. `withJsonSchema` adds the JSON Schema that models need. */
export interface ValidatingSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>;
}

/** A schema that can be converted to JSON Schema: of zod since 4.2, of ArkType, or of `withJsonSchema`. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output> & {
    /** Standard JSON Schema. */
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

/** A schema whose output can be converted to JSON Schema: of zod since 4.2, of ArkType, or of `withJsonSchema`. */
export interface ResultSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema: { readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** The schema type, or an error text if its payload can never be an object. */
export type ObjectSchema<Schema extends StandardSchema> = 0 extends 1 & SchemaInput<Schema>
  ? Schema
  : [SchemaInput<Schema>] extends [string | number | bigint | boolean | symbol | null | undefined | readonly unknown[]]
    ? 'A payload is an object: this schema describes none'
    : Schema;

type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** The type of the handler's payload: the output of the schema, transformed and with defaults. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

export function isStandardSchema(value: unknown): value is ValidatingSchema {
  // The schemas of some libraries are functions.
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value;
}

/**
 * Adds a JSON Schema to a schema that cannot be converted (yup, Effect 3, zod/mini):
 * `withJsonSchema(Schema.standardSchemaV1(City), JSONSchema.make(City))`. Agents and the service see the JSON Schema: as a payload, that of what
 * agents send, while the handler receives the output of the schema; as a result, that of what the handler gives.
 */
export function withJsonSchema<Input, Output>(
  { '~standard': standard }: ValidatingSchema<Input, Output>,
  jsonSchema: object,
): StandardSchema<Input, Output> & ResultSchema<Output> {
  const { version, vendor } = standard;
  const validate = (value: unknown) => standard.validate(value);
  const written = () => ({ ...jsonSchema });
  return { '~standard': { version, vendor, validate, jsonSchema: { input: written, output: written } } };
}

/** The JSON Schema of the payloads that the schema accepts. */
export function toJsonSchema(schema: ValidatingSchema, action: string): JsonSchema {
  const description = converted(schema, 'input', `payloadDescription of "${action}"`);
  const type = description.type ?? 'object';
  if (type === 'object') return description;
  throw new SvcError(
    'INVALID_ACTION',
    `A payload is an object, but the payloadDescription of "${action}" describes: ${JSON.stringify(type)}`,
  );
}

/** The JSON Schema of the values that the schema gives. */
export function toResultJsonSchema(schema: ValidatingSchema, action: string): JsonSchema {
  return converted(schema, 'output', `resultDescription of "${action}"`);
}

function converted(schema: ValidatingSchema, side: 'input' | 'output', what: string): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard'] as Partial<(StandardSchema & ResultSchema)['~standard']>;
  if (!jsonSchema) {
    throw new SvcError(
      'INVALID_ACTION',
      `The ${what} is a ${vendor} schema that cannot be converted to JSON Schema. Update ${vendor} (zod: 4.2 or later), ` +
        'wrap the schema (valibot: toStandardJsonSchema of @valibot/to-json-schema; any: withJsonSchema of svc-sdk), or pass JSON Schema',
    );
  }
  try {
    return jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new SvcError('INVALID_ACTION', `${vendor} has no JSON Schema for the ${what}: ${said}`, {}, { cause: error });
  }
}

export async function parsePayload(schema: ValidatingSchema, payload: unknown): Promise<unknown> {
  const parsed = await schema['~standard'].validate(payload);
  if (!parsed.issues) return parsed.value;
  const issues = parsed.issues.map(toPayloadIssue);
  const sentences = issues.map(({ path, message }) => `${path || 'payload'}: ${message}`);
  throw new ActionError('INVALID_PAYLOAD', `The payload does not fit the action: ${sentences.join('; ')}`, { data: { issues } });
}

function toPayloadIssue({ message, path = [] }: StandardIssue): PayloadIssue {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return { path: keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''), message };
}
