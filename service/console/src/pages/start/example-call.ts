/** An example for the first call: an existing read-only action with generated values. */
import type { ActionReport } from '#sdk/protocol/admin';
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import type { ExampleCall } from '../../../../src/snippets/snippet';
import { choicesOf, lookUp } from '../../parts/json-schema';

const MAX_QUERY_CHARS = 80;
const MAX_DEPTH = 4;
const FORMATS = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
} as const;

/** Example texts by parameter name. Other texts are not generated: "example" is not a date, an order number or a currency. */
const NAMED: readonly [RegExp, string][] = [
  [/e-?mail/i, 'ada@example.com'],
  [/city|town|place|location/i, 'Rome'],
  [/country/i, 'Italy'],
  [/url|link|website/i, 'https://example.com/'],
  [/date|day/i, FORMATS.date],
  [/time_?zone/i, 'Europe/Rome'],
  [/currency/i, 'EUR'],
  [/lang(uage)?$/i, 'en'],
  [/^(text|query|q|question|search|message|title|words?|sentence|body|content|input)$/i, 'Hello world'],
];

export function exampleCallOf(actions: readonly ActionReport[]): ExampleCall | undefined {
  for (const { action, description, payloadSchema, annotations } of actions) {
    if (!annotations?.readOnly) continue;
    const payload = exampleValue(payloadSchema, payloadSchema);
    if (isObject(payload)) return { query: firstWords(description), call: { action, payload } };
  }
  const [first] = actions;
  return first && { query: firstWords(first.description) };
}

/** The first clause; a search needs no more. Apostrophes are removed, since they read badly in a shell. */
function firstWords(description: string): string {
  const [clause = ''] = description.replaceAll(/'s\b|'/g, '').split(/[.:;,(\n]/, 1);
  return clause.length <= MAX_QUERY_CHARS ? clause : clause.slice(0, clause.lastIndexOf(' ', MAX_QUERY_CHARS));
}

/** The smallest allowed value of the schema; undefined if it cannot be generated. */
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
  const text =
    typeof format === 'string'
      ? Object.entries<string>(FORMATS).find(([known]) => known === format)?.[1]
      : NAMED.find(([pattern]) => pattern.test(name))?.[1];
  return text === undefined || text.length < Number(minLength) || text.length > Number(maxLength) ? undefined : text;
}

function exampleNumber({ minimum, maximum = Infinity, exclusiveMinimum, exclusiveMaximum = Infinity }: JsonSchema): number | undefined {
  const least =
    typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : typeof minimum === 'number' ? Math.ceil(minimum) : 1;
  // Prefers zero or one inside a range: -5000 days is a valid number, but not an example.
  const value = least < 1 && 1 <= Number(maximum) && 1 < Number(exclusiveMaximum) ? 1 : least;
  return value <= Number(maximum) && value < Number(exclusiveMaximum) ? value : undefined;
}
