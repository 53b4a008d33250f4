/**
 * An action as a signature: `find(city: string, days?: integer = 3)`. Third parties write the schemas: any keyword may have any value.
 *
 * Limits: 40 parameters, 3 levels of types, 6 alternatives, 20 choices.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { lookUpSchema } from './look-up-schema';

export interface SignatureParameter {
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** JSON text. */
  fallback: string | undefined;
}

const MAX_PARAMETERS = 40;
const MAX_DEPTH = 3;
const MAX_CHOICES = 20;
const MAX_OPTIONS = 6;
const MAX_DEFAULT_CHARS = 40;

export function signatureParameters(schema: JsonSchema): SignatureParameter[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.slice(0, MAX_PARAMETERS).map(([name, given]) => {
    const property = lookUpSchema(schema, given);
    const fallback = 'default' in property ? JSON.stringify(property.default)?.slice(0, MAX_DEFAULT_CHARS) : undefined;
    const description = typeof property.description === 'string' ? property.description : '';
    return { name, type: typeOf(schema, property), required: required.includes(name), description, fallback };
  });
}

export function signatureOf(name: string, schema: JsonSchema): string {
  const parameters = signatureParameters(schema).map(
    (parameter) =>
      `${parameter.name}${parameter.required ? '' : '?'}: ${parameter.type}${parameter.fallback === undefined ? '' : ` = ${parameter.fallback}`}`,
  );
  return `${name}(${parameters.join(', ')})`;
}

function typeOf(root: JsonSchema, schema: JsonSchema, depth = 0): string {
  if (depth > MAX_DEPTH) return 'any';
  const choices = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  if (choices.length > 0) {
    const shown = choices.slice(0, MAX_CHOICES).map((choice: unknown) => JSON.stringify(choice)?.slice(0, MAX_DEFAULT_CHARS));
    return shown.join(' | ') + (choices.length > MAX_CHOICES ? ' | …' : '');
  }
  const inner = (given: unknown) => typeOf(root, lookUpSchema(root, given), depth + 1);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const options = schema[keyword];
    if (Array.isArray(options) && options.length > 0) return [...new Set(options.slice(0, MAX_OPTIONS).map(inner))].join(' | ');
  }
  if (schema.type === 'array') return isObject(schema.items) ? `list of ${inner(schema.items)}` : 'list';
  if (Array.isArray(schema.type)) return schema.type.slice(0, MAX_CHOICES).join(' | ');
  if (typeof schema.type === 'string') return schema.type;
  return isObject(schema.properties) ? 'object' : 'any';
}
