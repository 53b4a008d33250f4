/**
 * The short form of a payload description: an object of property names and their descriptions or schemas, such as `{city: {type: "string",
 * description: "Where", required: true}, note: "free text"}`.
 *
 * A description is classified in this order:
 * 1. A JSON Schema has `$schema`, `$ref`, `properties`, `allOf`, `anyOf` or `oneOf`, or its `type` is the name of a JSON type or a list.
 *    `{type: {type: "string"}}` is none of these: the short form of a payload with a property named type.
 * 2. The short form is an object whose values are all objects or texts. A text is the description of the property.
 * 3. All other values are documentation.
 *
 * The schema of a property may differ from JSON Schema in four ways: a boolean `required` is moved to the object around it, a subschema may
 * be a text, type names of other languages mean the JSON type, and an unknown type name is moved to the description. A property without any
 * keyword is an object in short form: `{address: {street: "with number"}}`.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { JSON_TYPES, KEYWORDS } from './schema-keywords';
import { jsonTypeOf } from './type-names';

const SCHEMA_MARKS = ['$schema', '$ref', 'properties', 'allOf', 'anyOf', 'oneOf'];

export function isJsonSchema(description: JsonObject): boolean {
  return (
    SCHEMA_MARKS.some((mark) => Object.hasOwn(description, mark)) || Array.isArray(description.type) || JSON_TYPES.has(description.type)
  );
}

export function isShortForm(description: JsonObject): boolean {
  return Object.values(description).every((value) => typeof value === 'string' || isObject(value));
}

/** The result must still pass the shape check: the contents of the properties are used unchanged. */
export function fromShortForm(shortForm: JsonObject): JsonSchema {
  return objectSchema({}, shortForm);
}

function objectSchema(rest: JsonObject, propertiesInShortForm: JsonObject): JsonSchema {
  const lifted = Object.keys(propertiesInShortForm).filter((name) => {
    const value = propertiesInShortForm[name];
    return isObject(value) && !isNestedShortForm(value) && value.required === true;
  });
  const required =
    rest.required === undefined ? lifted : Array.isArray(rest.required) ? [...new Set([...rest.required, ...lifted])] : rest.required;
  const properties = mapValues(propertiesInShortForm, fromProperty);
  const { type = 'object', ...others } = rest;
  return { type, ...others, properties, ...(Array.isArray(required) && required.length === 0 ? {} : { required }) };
}

function fromProperty(value: unknown): unknown {
  if (typeof value === 'string') return { description: value };
  if (!isObject(value)) return value;
  if (isNestedShortForm(value)) return objectSchema({}, value);
  const { required, properties, ...rest } = value;
  if (required !== undefined && typeof required !== 'boolean') rest.required = required;
  const schema = withJsonTypes(mapEntries(rest, fromKeyword));
  return isObject(properties) ? objectSchema(schema, properties) : properties === undefined ? schema : { ...schema, properties };
}

/** Converts a subschema inside a property like the property. */
function fromKeyword(keyword: string, value: unknown): unknown {
  const kind = KEYWORDS.get(keyword);
  if (kind === 'items' && typeof value === 'string') return jsonTypeOf(value) ?? { description: value };
  if (kind === 'schemas' || kind === 'items') return Array.isArray(value) ? value.map(fromProperty) : fromProperty(value);
  if (kind === 'schema') return fromProperty(value);
  if (kind === 'schemaMap' && isObject(value)) return mapValues(value, fromProperty);
  return value;
}

function withJsonTypes(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (typeof type !== 'string') return schema;
  const listOf = type.endsWith('[]') ? jsonTypeOf(type.slice(0, -2)) : undefined;
  if (listOf) return { type: 'array', items: listOf, ...rest };
  const known = jsonTypeOf(type);
  if (known) return { ...known, ...rest };
  const description = typeof rest.description === 'string' ? `${rest.description} (type: ${type})` : `type: ${type}`;
  return { ...rest, description };
}

/** The keyword `type` has a text or a list, so a `type` with an object can only be the name of a property. */
function isNestedShortForm(value: JsonObject): boolean {
  const names = Object.keys(value);
  return (
    names.length > 0 && isShortForm(value) && names.every((name) => !KEYWORDS.has(name) || (isObject(value[name]) && takesNoObject(name)))
  );
}

function takesNoObject(keyword: string): boolean {
  const kind = KEYWORDS.get(keyword);
  return kind === 'type' || kind === 'text' || kind === 'pattern' || kind === 'count' || kind === 'number';
}

function mapValues(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return mapEntries(object, (_, value) => change(value));
}

function mapEntries(object: JsonObject, change: (key: string, value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}
