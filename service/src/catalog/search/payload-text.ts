/**
 * The words of a payload schema that describe its action: names of parameters, titles, descriptions, values of an enum.
 *
 * Shape:  text, outer levels first. A schema is untrusted: a keyword may hold anything, a `$ref` may go in circles, the tree may be
 *         huge. Values that do not look like a schema are skipped.
 */
import type { JsonSchema } from '#sdk/protocol/http';

const MAX_SCHEMAS = 300;
const MAX_DEPTH = 8;
const MAX_ENUM_VALUES = 20;
const MAX_TEXT_CHARS = 1_000;

const KEYWORDS_OF_A_SCHEMA = ['items', 'additionalProperties', 'contains', 'then', 'else'];
const KEYWORDS_OF_SCHEMAS = ['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf'];

export function payloadText(root: JsonSchema): string {
  const texts: string[] = [];
  // Both what has been seen and the queue: a Map hands out entries that were added while it is walked.
  const depths = new Map<object, number>([[root, 0]]);
  for (const [schema, depth] of depths) {
    addTexts(schema, texts);
    if (depth === MAX_DEPTH) continue;
    for (const inner of innerSchemas(schema, root)) {
      if (depths.size === MAX_SCHEMAS) break;
      if (isObject(inner) && !depths.has(inner)) depths.set(inner, depth + 1);
    }
  }
  return texts.join('\n');
}

/** The names of the outermost fields and the values that they may have, without their texts: what an update can change, and to what. */
export function changedFieldsText(root: JsonSchema): string {
  const texts: string[] = [];
  for (const [name, field] of Object.entries(properties(root)).slice(0, MAX_SCHEMAS)) {
    texts.push(name.slice(0, MAX_TEXT_CHARS));
    const values = isObject(field) ? own(field, 'enum') : undefined;
    if (!Array.isArray(values)) continue;
    for (const value of values.slice(0, MAX_ENUM_VALUES)) if (typeof value === 'string') texts.push(value.slice(0, MAX_TEXT_CHARS));
  }
  return texts.join('\n');
}

function addTexts(schema: object, texts: string[]): void {
  const values = own(schema, 'enum');
  const names = Object.keys(properties(schema)).slice(0, MAX_SCHEMAS);
  const candidates = [own(schema, 'title'), own(schema, 'description'), own(schema, 'const'), ...names];
  if (Array.isArray(values)) candidates.push(...values.slice(0, MAX_ENUM_VALUES));
  for (const text of candidates) if (typeof text === 'string') texts.push(text.slice(0, MAX_TEXT_CHARS));
}

function* innerSchemas(schema: object, root: JsonSchema): Generator<unknown> {
  yield* Object.values(properties(schema));
  for (const keyword of KEYWORDS_OF_A_SCHEMA) yield own(schema, keyword);
  for (const keyword of KEYWORDS_OF_SCHEMAS) {
    const list = own(schema, keyword);
    if (Array.isArray(list)) yield* list;
  }
  const reference = own(schema, '$ref');
  if (typeof reference === 'string') yield lookUp(reference, root);
}

/** The part of the schema that a `$ref` such as `#/$defs/address` means (a JSON Pointer, RFC 6901); undefined for any other reference. */
function lookUp(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/', MAX_SCHEMAS).slice(1);
  return steps.reduce<unknown>((part, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(part) ? own(part, key) : undefined;
  }, root);
}

function properties(schema: object): object {
  const value = own(schema, 'properties');
  return isObject(value) ? value : {};
}

/** Never what an object inherits: `constructor` and `__proto__` are fair names in a stranger's schema. */
function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
