/**
 * The supported JSON Schema keywords and the kind of their values, of all drafts, since their meanings do not conflict here. Other keywords
 * are documentation.
 *
 * Source: JSON Schema 2020-12 core and validation; `definitions`, `dependencies`, `additionalItems` of draft-07; `nullable` of OpenAPI 3.0.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { below } from './json-pointer';

export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'items' // a schema, or an array of them (before 2020-12)
  | 'dependencies' // by property: a schema or names
  | 'type'
  | 'ref'
  | 'anchor'
  | 'text'
  | 'values'
  | 'value'
  | 'number'
  | 'bound' // a number; in draft-04 a boolean that makes `minimum` or `maximum` exclusive
  | 'step' // a number above 0
  | 'count'
  | 'boolean'
  | 'names'
  | 'namesByProperty'
  | 'pattern';

const KEYWORDS_BY_KIND: Record<KeywordKind, string> = {
  schema: 'additionalProperties unevaluatedProperties unevaluatedItems additionalItems contains propertyNames not if then else',
  schemas: 'allOf anyOf oneOf prefixItems',
  schemaMap: 'properties patternProperties $defs definitions dependentSchemas',
  items: 'items',
  dependencies: 'dependencies',
  type: 'type',
  ref: '$ref $dynamicRef $recursiveRef',
  anchor: '$anchor $dynamicAnchor',
  text: '$schema $id description title $comment format',
  values: 'enum',
  value: 'const default',
  number: 'minimum maximum',
  bound: 'exclusiveMinimum exclusiveMaximum',
  step: 'multipleOf',
  count: 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  boolean: 'uniqueItems nullable',
  names: 'required',
  namesByProperty: 'dependentRequired',
  pattern: 'pattern',
};

/** Keyword -> kind. A Map, so that names of Object.prototype, such as `constructor`, are not keywords. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(KEYWORDS_BY_KIND).flatMap(([kind, keywords]) =>
    keywords.split(' ').map((keyword) => [keyword, kind as KeywordKind] as const),
  ),
);

/** Keywords whose subschemas apply to the same value as the schema that holds them. */
export const IN_PLACE: ReadonlySet<string> = new Set('allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '));

export const JSON_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

export interface Subschema {
  keyword: string;
  /** JSON Pointer from the enclosing schema. */
  path: string;
  /** Unchecked; a valid subschema is an object or a boolean. */
  schema: unknown;
}

/** The subschemas directly below a schema, by keyword. Skips values of the wrong form. */
export function subschemas(schema: JsonSchema): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = KEYWORDS.get(keyword);
    if (kind === 'schemas' || (kind === 'items' && Array.isArray(value))) {
      if (Array.isArray(value)) found.push(...value.map((item, i) => ({ keyword, path: below('', keyword, i), schema: item })));
    } else if (kind === 'schema' || kind === 'items') {
      found.push({ keyword, path: below('', keyword), schema: value });
    } else if ((kind === 'schemaMap' || kind === 'dependencies') && isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (kind === 'schemaMap' || !Array.isArray(item)) found.push({ keyword, path: below('', keyword, name), schema: item });
      }
    }
  }
  return found;
}
