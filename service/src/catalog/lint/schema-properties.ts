/**
 * The properties of a payload schema, outer ones first.
 *
 * Shape:  a schema comes from a stranger: a keyword may hold anything, a `$ref` may go in circles, the tree may be huge. Values that do not look like
 *         a schema are skipped, and so are parts deeper than three levels or behind the 300th part.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { below, valueAt } from '../../payload/json-pointer';

const MAX_PARTS = 300;
const MAX_DEPTH = 3;
const IN_PLACE = ['allOf', 'anyOf', 'oneOf'];

export interface SchemaProperty {
  name: string;
  /** JSON Pointer of the value in a payload, without places in lists. */
  path: string;
  /** The schema, and what it refers to. */
  parts: JsonObject[];
}

interface Place {
  schema: JsonObject;
  path: string;
  depth: number;
}

export function schemaProperties(root: JsonSchema): SchemaProperty[] {
  const found: SchemaProperty[] = [];
  const queue: Place[] = [{ schema: root, path: '', depth: 0 }];
  const seen = new Set<object>([root]);
  const visit = (place: Place): void => {
    if (seen.has(place.schema) || seen.size >= MAX_PARTS) return;
    seen.add(place.schema);
    queue.push(place);
  };
  // The queue grows while it is walked.
  for (const { schema, path, depth } of queue) {
    for (const inner of inPlace(schema, root)) visit({ schema: inner, path, depth });
    if (depth === MAX_DEPTH) continue;
    for (const inner of own(schema, 'items')) visit({ schema: inner, path, depth });
    const [properties] = own(schema, 'properties');
    for (const [name, value] of Object.entries(properties ?? {}).slice(0, MAX_PARTS)) {
      if (!isObject(value)) continue;
      const place = { schema: value, path: below(path, name), depth: depth + 1 };
      found.push({ name, path: place.path, parts: [value, ...inPlace(value, root)] });
      visit(place);
    }
  }
  return found.slice(0, MAX_PARTS);
}

function inPlace(schema: JsonObject, root: JsonSchema): JsonObject[] {
  const lists = IN_PLACE.flatMap((keyword) => {
    const list = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return Array.isArray(list) ? list.slice(0, MAX_PARTS).filter(isObject) : [];
  });
  const reference = Object.hasOwn(schema, '$ref') ? schema.$ref : undefined;
  const target = typeof reference === 'string' && reference.startsWith('#/') ? valueAt(root, reference.slice(1)) : undefined;
  return isObject(target) ? [...lists, target] : lists;
}

/** Never what an object inherits: `constructor` is a fair name in a stranger's schema. */
function own(schema: JsonObject, keyword: string): JsonObject[] {
  const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return isObject(value) ? [value] : [];
}
