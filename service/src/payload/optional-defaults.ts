/**
 * Removes properties with a `default` from `required`. Generators write both when they describe the value with defaults filled in; the
 * handler accepts a payload without these properties.
 *
 * Schemas below `not`, `if` and `oneOf` stay unchanged: a part that accepts more could make the whole accept less.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { LocalRefs } from './local-refs';
import { KEYWORDS, subschemas } from './schema-keywords';

const ACCEPT_LESS: ReadonlySet<string> = new Set(['not', 'if', 'oneOf']);

/** Changes the schema in place. The schema must have passed the shape check. */
export function makeDefaultsOptional(root: JsonSchema): void {
  const { all, exact } = partsOf(root);
  for (const part of all) if (!exact.has(part)) makeOptional(part);
}

function makeOptional(schema: JsonSchema): void {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return;
  const needed = required.filter((name) => !(isObject(properties[name]) && Object.hasOwn(properties[name], 'default')));
  if (needed.length > 0) schema.required = needed;
  else delete schema.required;
}

/** `exact`: the parts that must not accept more. */
function partsOf(root: JsonSchema): { all: Set<JsonSchema>; exact: Set<JsonSchema> } {
  const refs = new LocalRefs(root);
  const all = new Set<JsonSchema>();
  const exact = new Set<JsonSchema>();
  const walk = (schema: unknown, isExact: boolean) => {
    if (!isObject(schema) || exact.has(schema) || (all.has(schema) && !isExact)) return;
    all.add(schema);
    if (isExact) exact.add(schema);
    for (const [keyword, ref] of Object.entries(schema)) {
      if (KEYWORDS.get(keyword) === 'ref' && typeof ref === 'string') walk(refs.resolve(ref), isExact);
    }
    for (const child of subschemas(schema)) walk(child.schema, isExact || ACCEPT_LESS.has(child.keyword));
  };
  walk(root, false);
  return { all, exact };
}
