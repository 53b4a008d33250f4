/** Reads a JSON Schema of a third party: every member may have any type. */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { valueAt } from '../../../src/payload/json-pointer';

/** A longer chain of references is a cycle or an attack. */
const MAX_STEPS = 10;

/** The schema, or the target of its `$ref` within `root` with the members beside the reference. Empty for a broken reference. */
export function lookUp(root: JsonSchema, given: unknown): JsonSchema {
  let schema = given;
  const beside: JsonSchema[] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!isObject(schema)) return {};
    if (typeof schema.$ref !== 'string') return beside.length === 0 ? schema : Object.assign({}, schema, ...beside.reverse());
    const { $ref, ...rest } = schema;
    if (Object.keys(rest).length > 0) beside.push(rest);
    schema = schema.$ref.startsWith('#') ? valueAt(root, decode(schema.$ref.slice(1))) : undefined;
  }
  return {};
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The allowed values of a schema: `enum`, `const`, or alternatives with one value each. */
export function choicesOf(schema: JsonSchema): unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const alternatives = schema.oneOf ?? schema.anyOf;
  const isOfConstants = Array.isArray(alternatives) && alternatives.every((option) => isObject(option) && 'const' in option);
  return isOfConstants ? alternatives.map((option: { const: unknown }) => option.const) : undefined;
}
