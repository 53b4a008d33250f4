/**
 * The shape of a result without its texts: names, types and structure stay. For a shape that came after the approval of its action: no sentence of it
 * may reach a model before a person has read it.
 *
 * Shape: JSON Schema. Names and listed values that may be sentences are left out too; the bare form of a bare shape is itself.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';

/** A property, a format or a listed text, such as `created_at`, `date-time` and `in progress`. */
const NAME = /^[\w$@.:/+-]{1,64}(?: [\w$@.:/+-]{1,20}){0,2}$/;
const MAX_LEVELS = 64;

const bareShapes = new WeakMap<JsonSchema, JsonSchema>();

export function bareShape(shape: JsonSchema): JsonSchema {
  const known = bareShapes.get(shape) ?? (bare(shape, 0) as JsonSchema);
  bareShapes.set(shape, known);
  return known;
}

function bare(schema: unknown, level: number): unknown {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || level > MAX_LEVELS) return {};
  const below = (part: unknown) => bare(part, level + 1);
  const kept: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const part = bareMember(keyword, value, below);
    if (part !== undefined) kept[keyword] = part;
  }
  return kept;
}

function bareMember(keyword: string, value: unknown, below: (part: unknown) => unknown): unknown {
  switch (keyword) {
    case 'type':
    case 'required':
      return namesOf(value);
    case 'format':
    case '$ref':
      return typeof value === 'string' && (NAME.test(value) || /^#\/[\w$./~-]{0,200}$/.test(value)) ? value : undefined;
    case 'enum':
      return Array.isArray(value) && value.every(isName) ? value : undefined;
    case 'const':
      return isName(value) ? value : undefined;
    case 'nullable':
      return typeof value === 'boolean' ? value : undefined;
    case 'properties':
    case '$defs':
    case 'definitions':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (NAME.test(name) ? [[name, below(part)]] : [])))
        : undefined;
    case 'items':
    case 'additionalProperties':
      return Array.isArray(value) ? value.map(below) : below(value);
    case 'prefixItems':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value) ? value.map(below) : undefined;
    default:
      return undefined;
  }
}

function namesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string' && NAME.test(name));
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' ? value === '' || NAME.test(value) : typeof value !== 'object' || value === null;
}
