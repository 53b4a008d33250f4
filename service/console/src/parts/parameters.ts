/**
 * Converts a payload schema into rows for people: one row per parameter. The members of objects, of the values of maps and of alternatives follow
 * the row of their object.
 *
 * Shape:  rows in the order of the schema; `path` is `address.city`, `items[].sku`, `headers.*`, `payment (card).number`.
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
  /** JSON texts. */
  examples?: string[];
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
    for (const { inner, prefix: innerPrefix } of innerObjects(property, root, path)) {
      if (!isObject(inner.properties)) continue;
      if (depth + 1 >= MAX_DEPTH || within.has(inner)) cut = true;
      else cut = addProperties(inner, { root, rows, prefix: innerPrefix, depth: depth + 1, within }) || cut;
    }
  }
  return cut;
}

interface InnerObject {
  inner: JsonSchema;
  prefix: string;
}

function innerObjects(schema: JsonSchema, root: JsonSchema, path: string): InnerObject[] {
  const alternatives = alternativesOf(schema, root).flatMap((option, index) =>
    innerObjects(option, root, `${path} (${nameOf(option, root) ?? index + 1})`),
  );
  if (isObject(schema.properties)) return [{ inner: schema, prefix: `${path}.` }, ...alternatives];
  if (isObject(schema.items)) return [...innerObjects(lookUp(root, schema.items), root, `${path}[]`), ...alternatives];
  if (isObject(schema.additionalProperties))
    return [...innerObjects(lookUp(root, schema.additionalProperties), root, `${path}.*`), ...alternatives];
  return alternatives;
}

/** The alternatives of a schema, without those that are single values. */
function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (choicesOf(schema)) return [];
  const options = [schema.oneOf, schema.anyOf].find((given) => Array.isArray(given));
  return Array.isArray(options) ? options.slice(0, MAX_ALTERNATIVES).map((option: unknown) => lookUp(root, option)) : [];
}

/** The title of an alternative, or the value of the member that sets it apart from the others. */
function nameOf(schema: JsonSchema, root: JsonSchema): string | undefined {
  if (typeof schema.title === 'string' && schema.title !== '') return schema.title;
  const members = isObject(schema.properties) ? Object.values(schema.properties) : [];
  const values = members.map((member) => lookUp(root, member)).map(({ const: value }) => value);
  return values.find((value) => typeof value === 'string');
}

function describe(schema: JsonSchema, root: JsonSchema): Omit<Parameter, 'path' | 'depth' | 'required'> {
  const items = isObject(schema.items) ? lookUp(root, schema.items) : undefined;
  const choices = choicesOf(schema) ?? (items && choicesOf(items));
  const examples = Array.isArray(schema.examples) ? schema.examples.slice(0, MAX_EXAMPLES) : [];
  return {
    type: typeOf(schema, root),
    ...(typeof schema.description === 'string' && { description: schema.description }),
    ...('default' in schema && { default: JSON.stringify(schema.default) }),
    ...(choices && { choices: choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice)) }),
    ...(examples.length > 0 && { examples: examples.map((example: unknown) => JSON.stringify(example)) }),
    bounds: [...boundsOf(schema), ...(items ? boundsOf(items).map((bound) => `each ${bound}`) : [])],
  };
}

const MAX_CHOICES = 50;
const MAX_EXAMPLES = 3;
const MAX_ALTERNATIVES = 10;

function typeOf(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  if (depth > 3) return 'any';
  if (schema.type === 'array') return isObject(schema.items) ? `list of ${typeOf(lookUp(root, schema.items), root, depth + 1)}` : 'list';
  if (schema.type === 'object' && isObject(schema.additionalProperties) && !isObject(schema.properties))
    return `map of ${typeOf(lookUp(root, schema.additionalProperties), root, depth + 1)}`;
  const alternatives = schema.type === undefined || schema.type === 'object' ? alternativesOf(schema, root) : [];
  if (alternatives.length > 0) {
    const types = alternatives.map((option) => nameOf(option, root) ?? typeOf({ type: schema.type, ...option }, root, depth + 1));
    return [...new Set(types)].join(' or ');
  }
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (isObject(schema.properties)) return 'object';
  const [value] = choicesOf(schema) ?? [];
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
  if (typeof schema.contentEncoding === 'string') bounds.push(schema.contentEncoding);
  if (typeof schema.contentMediaType === 'string') bounds.push(schema.contentMediaType);
  if (typeof schema.pattern === 'string') bounds.push(`matches ${schema.pattern}`);
  return bounds;
}
