/** One operation of the API, as far as it differs from the others. */
import * as z from 'zod';

export interface Operation<Component extends string> {
  /** `operationId`: what generated clients call it. */
  id: string;
  summary: string;
  /** Who may. `person` is somebody signed in, `owner` one of those who may everything; an admin key may what an owner may. */
  key: 'agent' | 'agent or toolkit' | 'none' | 'person' | 'owner';
  body?: Component;
  /** Undefined: an answer without a body. */
  answer?: Component | 'any' | 'text';
  /** The answer with status 503, where it is no problem. */
  unavailable?: Component;
  status?: number;
  parameters?: object[];
  /** Headers of the answer by name, described. */
  answerHeaders?: Record<string, string>;
  /** The answer may also be a stream of server-sent events. */
  events?: boolean;
  /** The answer is nothing but such a stream. */
  stream?: true;
}

export type Operations<Component extends string> = Record<string, Record<string, Operation<Component>>>;

export const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

export function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { ...OPENAPI_SCHEMA, io: 'output' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !hasDefault(schema),
    schema,
  }));
}

function hasDefault(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'default' in schema;
}

/** Generators make names of the values of an enum, for which case does not count: of `ok` and `OK`, which mean the same, the first stays. */
export const OPENAPI_SCHEMA = {
  target: 'openapi-3.0',
  override: ({ jsonSchema }: { jsonSchema: { enum?: unknown[] | undefined } }) => {
    const { enum: values } = jsonSchema;
    if (values)
      jsonSchema.enum = [...new Map(values.map((value) => [String(value).toLowerCase(), value] as const).reverse()).values()].reverse();
  },
} as const;
