/**
 * Converts a payload schema into rows for people: one row per parameter. The members of objects follow the row of their object.
 *
 * Shape:  rows in the order of the schema; `path` is `address.city`, `items[].sku`.
 * Limits: 200 rows, 6 levels; references within the schema are resolved, cycles are cut. Third parties write the schemas.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { formatPlural } from './format';
import { choicesOf, lookUp } from './json-schema';

export interface Parameter {
  path: string;
  /** 0 for members of the payload itself. */
  depth: number;
  /** `string`, `integer or null`, `list of string`; `any` if the schema has no type. */
  type: string;
  required: boolean;
  description?: string;
  /** JSON texts. */
  default?: string;
  choices?: string[];
  /** Constraints, such as `at least 1`, `email`. */
  bounds: string[];
}

export interface Parameters {
  rows: Parameter[];
  /** True if `rows` does not have all parameters. */
  cut: boolean;
}

const MAX_ROWS = 200;
const MAX_DEPTH = 6;

export function parametersOf(schema: JsonSchema): Parameters {
  const rows: Parameter[] = [];
  const cut = addProperties(schema, { root: schema, rows, prefix: '', depth: 0, within: new Set() });
  return { rows, cut };
}

interface Place {
  root: JsonSchema;
  rows: Parameter[];
  prefix: string;
  depth: number;
  /** Schemas that contain this one, to detect cycles. */
  within: ReadonlySet<unknown>;
}

/** Returns true when rows are missing. */
function addProperties(schema: JsonSchema, place: Place): boolean {
  const { root, rows, prefix, depth } = place;
  const within = new Set([...place.within, schema]);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  let cut = false;
  for (const [name, given] of Object.entries(properties)) {
    if (rows.length >= MAX_ROWS) return true;
    const property = lookUp(root, given);
    const path = prefix + name;
    rows.push({ ...describe(property, root), path, depth, required: required.includes(name) });
    const { inner, prefix: innerPrefix } = innerObject(property, root, path);
    if (!inner || !isObject(inner.properties)) continue;
    if (depth + 1 >= MAX_DEPTH || within.has(inner)) cut = true;
    else cut = addProperties(inner, { root, rows, prefix: innerPrefix, depth: depth + 1, within }) || cut;
  }
  return cut;
}

function innerObject(schema: JsonSchema, root: JsonSchema, path: string): { inner?: JsonSchema; prefix: string } {
  if (isObject(schema.properties)) return { inner: schema, prefix: `${path}.` };
  if (isObject(schema.items)) return { inner: lookUp(root, schema.items), prefix: `${path}[].` };
  return { prefix: '' };
}

function describe(schema: JsonSchema, root: JsonSchema): Omit<Parameter, 'path' | 'depth' | 'required'> {
  const choices = choicesOf(schema);
  return {
    type: typeOf(schema, root),
    ...(typeof schema.description === 'string' && { description: schema.description }),
    ...('default' in schema && { default: JSON.stringify(schema.default) }),
    ...(choices && { choices: choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice)) }),
    bounds: boundsOf(schema),
  };
}

const MAX_CHOICES = 50;

function typeOf(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  if (depth > 3) return 'any';
  if (schema.type === 'array') return isObject(schema.items) ? `list of ${typeOf(lookUp(root, schema.items), root, depth + 1)}` : 'list';
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const options = schema[keyword];
    if (!Array.isArray(options) || options.length === 0) continue;
    return [...new Set(options.slice(0, 10).map((option: unknown) => typeOf(lookUp(root, option), root, depth + 1)))].join(' or ');
  }
  if (isObject(schema.properties)) return 'object';
  const value = Array.isArray(schema.enum) ? schema.enum[0] : schema.const;
  return value === undefined ? 'any' : typeof value;
}

const BOUNDS: Record<string, (value: number) => string> = {
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${formatPlural(value, 'character')}`,
  maxLength: (value) => `at most ${formatPlural(value, 'character')}`,
  minItems: (value) => `at least ${formatPlural(value, 'item')}`,
  maxItems: (value) => `at most ${formatPlural(value, 'item')}`,
};

function boundsOf(schema: JsonSchema): string[] {
  const bounds = Object.entries(BOUNDS).flatMap(([keyword, say]) => {
    const value = schema[keyword];
    return typeof value === 'number' ? [say(value)] : [];
  });
  if (typeof schema.format === 'string') bounds.push(schema.format);
  if (typeof schema.pattern === 'string') bounds.push(`matches ${schema.pattern}`);
  return bounds;
}
