/**
 * The output schema of an MCP tool, reduced to what MCP clients behind the service accept: official clients refuse a whole list of tools for one
 * schema that they cannot compile.
 */
import type { JsonSchema } from 'svc-sdk';
import { isVisible } from '#sdk/protocol/invisible-text';
import { isObject } from '#sdk/protocol/json-object';
import { readableSchema, schemaFits } from './tool-schema';

/** Keywords whose members are schemas by name, that are schemas, and that are lists of schemas. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const ONE = ['additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains', 'unevaluatedProperties', 'unevaluatedItems'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** The schema, or the reason why it is left out, as a sentence. */
export function outputSchema(stated: unknown): JsonSchema | string {
  if (!isObject(stated)) return 'It is not a JSON Schema';
  if (!schemaFits(stated)) return 'It is too large';
  const readable = readableSchema(stated);
  if (!isVisible(JSON.stringify(readable))) return 'It has invisible characters';
  return isSound(readable) ? (readable as JsonSchema) : 'It is not a JSON Schema, or refers to another document';
}

function isSound(schema: unknown): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema)) return false;
  const { $ref, required, items, enum: values } = schema;
  if ($ref !== undefined && !(typeof $ref === 'string' && $ref.startsWith('#'))) return false;
  if (required !== undefined && !isListOf(required, (name) => typeof name === 'string')) return false;
  if (values !== undefined && !Array.isArray(values)) return false;
  if (items !== undefined && !(Array.isArray(items) ? items.every(isSound) : isSound(items))) return false;
  return (
    BY_NAME.every(
      (keyword) => schema[keyword] === undefined || (isObject(schema[keyword]) && Object.values(schema[keyword]).every(isSound)),
    ) &&
    ONE.every((keyword) => schema[keyword] === undefined || isSound(schema[keyword])) &&
    LISTS.every((keyword) => schema[keyword] === undefined || isListOf(schema[keyword], isSound))
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
