/**
 * The schemas that a discriminator selects: those of its mapping, and those whose `allOf` contains its schema.
 *
 * Source: OpenAPI 3.1.1, Discriminator Object; Swagger 2.0 has only the second kind.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';

export interface Subtype {
  schema: JsonObject;
  /** Texts of the property that select it. Empty: any, for a base without a mapping. */
  values: readonly string[];
}

export interface SubtypeChoice {
  property: string;
  subtypes: readonly Subtype[];
}

/** More subtypes are converted to their common part only. */
const MAX_SUBTYPES = 60;
/** The places of schemas in Swagger 2.0 and OpenAPI 3. */
const HOMES = ['#/components/schemas/', '#/definitions/'];

/** Undefined for a schema that lists its forms itself, and for one without a discriminator. */
export function subtypesOf(schema: unknown, document: OpenapiDocument): SubtypeChoice | undefined {
  const base = document.object(schema);
  const property = base && propertyOf(base);
  if (!base || property === undefined || Array.isArray(base.oneOf) || Array.isArray(base.anyOf)) return undefined;
  const values = mappedValues(base, document);
  const found = new Map<JsonObject, readonly string[]>(values);
  // A set also visits values that are added during the loop: subtypes of subtypes.
  const bases = new Set([base]);
  for (const each of bases) {
    for (const { schema: heir, name } of heirsOf(each, document)) {
      bases.add(heir);
      if (!found.has(heir)) found.set(heir, [chosenBy(heir, name)]);
    }
    if (found.size > MAX_SUBTYPES) return undefined;
  }
  if (found.size === 0 || (found.size === 1 && found.has(base))) return undefined;
  if (values.size === 0) found.set(base, []);
  return { property, subtypes: [...found].map(([each, texts]) => ({ schema: each, values: texts })) };
}

/** The texts that select one of a schema's listed forms. */
export function chosenForm(
  { discriminator }: JsonObject,
  form: unknown,
  document: OpenapiDocument,
): (Subtype & { property: string }) | undefined {
  const property = propertyOf({ discriminator });
  const schema = document.object(form);
  const values = schema && mappedValues({ discriminator }, document).get(schema);
  return property !== undefined && values ? { property, schema, values } : undefined;
}

function propertyOf({ discriminator }: JsonObject): string | undefined {
  return isObject(discriminator) && typeof discriminator.propertyName === 'string' ? discriminator.propertyName : undefined;
}

/** A mapping contains a schema's name or its reference. */
function mappedValues({ discriminator }: JsonObject, document: OpenapiDocument): Map<JsonObject, string[]> {
  const mapping = isObject(discriminator) && isObject(discriminator.mapping) ? discriminator.mapping : {};
  const found = new Map<JsonObject, string[]>();
  for (const [value, target] of Object.entries(mapping)) {
    const refs = typeof target !== 'string' ? [] : target.startsWith('#/') ? [target] : HOMES.map((home) => home + target);
    const schema = refs.map(($ref) => document.object({ $ref })).find(Boolean);
    if (schema) found.set(schema, [...(found.get(schema) ?? []), value]);
  }
  return found;
}

interface Heir {
  schema: JsonObject;
  name: string;
}

const heirs = new WeakMap<OpenapiDocument, Map<JsonObject, Heir[]>>();

function heirsOf(base: JsonObject, document: OpenapiDocument): readonly Heir[] {
  const known = heirs.get(document) ?? findHeirs(document);
  heirs.set(document, known);
  return known.get(base) ?? [];
}

function findHeirs(document: OpenapiDocument): Map<JsonObject, Heir[]> {
  const found = new Map<JsonObject, Heir[]>();
  const { components, definitions } = document.root;
  for (const home of [isObject(components) ? components.schemas : undefined, definitions]) {
    for (const [name, schema] of Object.entries(isObject(home) ? home : {})) {
      if (!isObject(schema) || !Array.isArray(schema.allOf)) continue;
      for (const part of schema.allOf) {
        const base = isObject(part) && typeof part.$ref === 'string' ? document.object(part) : undefined;
        if (base) found.set(base, [...(found.get(base) ?? []), { schema, name }]);
      }
    }
  }
  return found;
}

/** AutoRest, which made many documents of Azure, writes the text beside the schema. */
function chosenBy(schema: JsonObject, name: string): string {
  const stated = schema['x-ms-discriminator-value'];
  return typeof stated === 'string' ? stated : name;
}
