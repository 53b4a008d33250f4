/** One operation of the API, as far as it differs from the others. */
import * as z from 'zod';

export interface Operation<Component extends string> {
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
  /** The answer may also be a stream of server-sent events. */
  events?: boolean;
  /** The answer is nothing but such a stream. */
  stream?: true;
}

export type Operations<Component extends string> = Record<string, Record<string, Operation<Component>>>;

export const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

export function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output' });
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
