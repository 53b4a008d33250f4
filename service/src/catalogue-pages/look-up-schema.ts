import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { valueAt } from '../payload/json-pointer';

/** A longer chain of references is a cycle or an attack. */
const MAX_STEPS = 10;

/** The schema, or the target of its `$ref` within `root`. Empty for a broken reference. */
export function lookUpSchema(root: JsonSchema, given: unknown): JsonSchema {
  let schema = given;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!isObject(schema)) return {};
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    schema = $ref.startsWith('#') ? valueAt(root, decodePointer($ref.slice(1))) : undefined;
  }
  return {};
}

function decodePointer(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
