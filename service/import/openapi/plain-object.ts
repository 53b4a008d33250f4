/**
 * Objects with known fields: the parts of an `allOf` are merged, and the fields of a body can be beside the parameters.
 *
 * Shape: input and output are schemas of the document; references in their properties stay.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';

/** Keywords without restrictions. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title description default example examples deprecated readOnly writeOnly externalDocs xml discriminator nullable'.split(' '),
);
const OBJECT_KEYWORDS = new Set('type properties required additionalProperties minProperties maxProperties allOf $ref'.split(' '));

/** The most schemas that one may reach. A few lines whose `allOf` doubles at each level reach millions. */
const MAX_PARTS = 1_000;

/** Undefined for a schema with more than fields, such as `anyOf`. */
export function plainObject(schema: unknown, document: OpenapiDocument): JsonObject | undefined {
  const parts = partsOf(schema, document, { under: new Set(), budget: { left: MAX_PARTS } });
  if (!parts?.some(({ type, properties }) => isObjectType(type) || isObject(properties))) return undefined;
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) return only;
  const properties = parts.flatMap((part) => (isObject(part.properties) ? Object.entries(part.properties) : []));
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  const open = parts.findLast(({ additionalProperties }) => isObject(additionalProperties))?.additionalProperties;
  return {
    ...textOf(parts),
    type: 'object',
    // The later of two schemas for a property is the more specific.
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(open !== undefined && { additionalProperties: open }),
  };
}

/** True for a property that appears only in answers. */
export function isReadOnly(property: unknown, document: OpenapiDocument): boolean {
  return isObject(property) && (property.readOnly === true || document.object(property)?.readOnly === true);
}

/** True for a property that appears only in requests, such as a password. */
export function isWriteOnly(property: unknown, document: OpenapiDocument): boolean {
  return isObject(property) && (property.writeOnly === true || document.object(property)?.writeOnly === true);
}

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}

interface Walk {
  /** The schemas on the way here: a schema that reaches itself is endless. */
  under: ReadonlySet<unknown>;
  budget: { left: number };
}

/** The schema and all that its `$ref` and `allOf` reach, the most general first. */
function partsOf(schema: unknown, document: OpenapiDocument, { under, budget }: Walk): JsonObject[] | undefined {
  if (!isObject(schema) || under.has(schema) || budget.left-- <= 0) return undefined;
  if (!Object.keys(schema).every((keyword) => OBJECT_KEYWORDS.has(keyword) || isAnnotation(keyword))) return undefined;
  const { allOf, $ref, ...own } = schema;
  if (own.type !== undefined && !isObjectType(own.type)) return undefined;
  const walk = { under: new Set(under).add(schema), budget };
  const parts: JsonObject[] = [];
  const targets = typeof $ref === 'string' ? [document.at($ref)] : [];
  for (const part of [...targets, ...(Array.isArray(allOf) ? allOf : [])]) {
    const found = partsOf(part, document, walk);
    if (!found) return undefined;
    parts.push(...found);
  }
  const hasOwn = Object.keys(own).some((keyword) => !keyword.startsWith('x-'));
  return hasOwn || parts.length === 0 ? [...parts, own] : parts;
}

function isObjectType(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The texts of the last part that has any: this is the schema itself. */
function textOf(parts: readonly JsonObject[]): JsonObject {
  const { title, description } = parts.findLast((part) => typeof part.description === 'string' || typeof part.title === 'string') ?? {};
  const nullable = parts.at(-1)?.nullable;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(nullable === true && { nullable }),
  };
}
