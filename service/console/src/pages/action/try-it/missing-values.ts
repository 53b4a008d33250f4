/** Finds the required values that a payload lacks, so that a form can ask for them before a call counts. The service decides about all else. */
import type { PayloadIssue } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { below } from '../../../../../src/payload/json-pointer';
import { lookUp } from '../../../parts/json-schema';

const MAX_DEPTH = 8;

export function missingValues(root: JsonSchema, payload: unknown): PayloadIssue[] {
  return missingIn(root, root, payload, '', 0);
}

function missingIn(root: JsonSchema, given: unknown, value: unknown, path: string, depth: number): PayloadIssue[] {
  if (depth > MAX_DEPTH) return [];
  const schema = lookUp(root, given);
  if (Array.isArray(value)) return value.flatMap((item, index) => missingIn(root, schema.items, item, below(path, index), depth + 1));
  if (!isObject(value)) return [];
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const missing = required
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => ({ path: below(path, name), message: 'Required' }));
  const inner = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return [...missing, ...inner.flatMap(([name, property]) => missingIn(root, property, value[name], below(path, name), depth + 1))];
}
