/** What a newcomer's first call may be: something that is there, changes nothing, and needs nothing that cannot be made up. */
import type { ActionReport } from '../../../../src/protocol/admin';
import type { JsonSchema } from '../../../../src/protocol/http';
import { isObject } from '../../../../src/tools/json';
import { choicesOf, lookUp } from '../../parts/json-schema';

export interface ExampleCall {
  query: string;
  action: string;
  payload: Record<string, unknown>;
}

/** Of the toolkit that the first step tells to write. */
export const weatherCall = (toolkit = 'weather'): ExampleCall => ({
  query: 'weather in a city',
  action: `${toolkit}__today`,
  payload: { city: 'Rome' },
});

const MAX_QUERY_CHARS = 80;
const MAX_DEPTH = 4;
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** What a parameter is called tells more than that it is a text. */
const NAMED: readonly [RegExp, string][] = [
  [/e-?mail/i, 'ada@example.com'],
  [/city|place|location/i, 'Rome'],
  [/url|link/i, 'https://example.com/'],
];

export function exampleCallOf(actions: readonly ActionReport[]): ExampleCall | undefined {
  for (const { action, description, payloadSchema, annotations } of actions) {
    if (!annotations?.readOnly) continue;
    const payload = exampleValue(payloadSchema, payloadSchema);
    if (isObject(payload)) return { query: firstWords(description), action, payload };
  }
  return undefined;
}

/** The first clause; a search needs no more, nor apostrophes, which read badly in a shell. */
function firstWords(description: string): string {
  const [clause = ''] = description.replaceAll(/'s\b|'/g, '').split(/[.:;,(\n]/, 1);
  return clause.length <= MAX_QUERY_CHARS ? clause : clause.slice(0, clause.lastIndexOf(' ', MAX_QUERY_CHARS));
}

/** As small as the schema allows; undefined where it asks for what cannot be made up. */
function exampleValue(root: JsonSchema, given: unknown, name = '', depth = 0): unknown {
  const schema = lookUp(root, given);
  if (depth > MAX_DEPTH) return undefined;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  const choices = choicesOf(schema);
  if (choices) return choices[0];
  if (['allOf', 'anyOf', 'oneOf', 'not', 'if', 'pattern', 'multipleOf'].some((keyword) => keyword in schema)) return undefined;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(root, schema, depth);
    case 'array': {
      if (!schema.minItems) return [];
      const item = exampleValue(root, schema.items, name, depth + 1);
      return item === undefined || schema.minItems !== 1 ? undefined : [item];
    }
    case 'string':
      return exampleText(schema, name);
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    default:
      return undefined;
  }
}

function exampleObject(root: JsonSchema, schema: JsonSchema, depth: number): Record<string, unknown> | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const values = required.map((name) => [name, exampleValue(root, properties[name], name, depth + 1)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

function exampleText({ format, minLength = 0, maxLength = Infinity }: JsonSchema, name: string): string | undefined {
  const text = typeof format === 'string' ? FORMATS[format] : (NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? 'example');
  return text === undefined || text.length < Number(minLength) || text.length > Number(maxLength) ? undefined : text;
}

function exampleNumber({ minimum, maximum = Infinity, exclusiveMinimum, exclusiveMaximum = Infinity }: JsonSchema): number | undefined {
  const least =
    typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : typeof minimum === 'number' ? Math.ceil(minimum) : 1;
  return least <= Number(maximum) && least < Number(exclusiveMaximum) ? least : undefined;
}
