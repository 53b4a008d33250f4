/**
 * A smaller payload schema in the place of one that is too long for a search result.
 *
 * Shape:  a valid JSON Schema that accepts every payload that the whole one accepts: types, names and short texts stay, conditions are removed. A list of
 *         alternatives is kept whole or not at all, for a shorter one would refuse what is allowed. References are written out, and the parts of
 *         `allOf` become one schema.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { LocalRefs } from '../../payload/local-refs';
import { cutAtWord } from './first-sentence';

export interface Shortening {
  /** Levels of properties and items that are kept. */
  depth: number;
  /** Characters of each description; 0 leaves them out. */
  textChars: number;
  /** Whether properties stay that a payload can do without. */
  optional: boolean;
}

/** Only that it is an object. */
export const LEAST: Shortening = { depth: 0, textChars: 0, optional: false };

/** Ordered from small to large cuts; the first that fits is used. */
export const SHORTENINGS: readonly Shortening[] = [
  { depth: 3, textChars: 80, optional: true },
  { depth: 2, textChars: 0, optional: true },
  { depth: 1, textChars: 0, optional: true },
  { depth: 1, textChars: 0, optional: false },
  LEAST,
];

/** Written-out references could multiply without end. */
const MAX_PARTS = 300;
const MAX_VALUES_CHARS = 200;
const MAX_ALTERNATIVES = 10;

export function shortenSchema(root: JsonSchema, shortening: Shortening): JsonSchema {
  return { type: 'object', ...new Shortener(root, shortening).shorten(root, 0) };
}

class Shortener {
  readonly #refs: LocalRefs;
  readonly #shortening: Shortening;
  #parts = 0;

  constructor(root: JsonSchema, shortening: Shortening) {
    this.#refs = new LocalRefs(root);
    this.#shortening = shortening;
  }

  shorten(schema: unknown, depth: number): JsonSchema {
    if (!isObject(schema) || ++this.#parts > MAX_PARTS) return {};
    if (typeof schema.$ref === 'string') return this.shorten(this.#refs.resolve(schema.$ref), depth + 1);
    const merged = this.#withAllOf(schema);
    const { type, description, nullable } = merged;
    const { textChars } = this.#shortening;
    return {
      ...(type !== undefined && { type }),
      ...(nullable !== undefined && { nullable }),
      ...(typeof description === 'string' && textChars > 0 && { description: cutAtWord(description, textChars) }),
      ...shortValues(merged),
      ...(depth < this.#shortening.depth && this.#inner(merged, depth + 1)),
    };
  }

  #withAllOf(schema: JsonSchema): JsonSchema {
    return Array.isArray(schema.allOf) ? schema.allOf.reduce((merged, part) => this.#merge(merged, part), schema) : schema;
  }

  /** The first keyword or property of a name stays: it accepts more than both together. */
  #merge(merged: JsonSchema, part: unknown): JsonSchema {
    if (!isObject(part) || ++this.#parts > MAX_PARTS) return merged;
    if (typeof part.$ref === 'string') return this.#merge(merged, this.#refs.resolve(part.$ref));
    const other = this.#withAllOf(part);
    const properties = { ...objectOf(other.properties), ...objectOf(merged.properties) };
    const required = [merged.required, other.required].filter(Array.isArray).flat();
    return {
      ...other,
      ...merged,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required: [...new Set(required)] }),
    };
  }

  #inner({ properties, required, prefixItems, items, anyOf, oneOf }: JsonSchema, depth: number): JsonSchema {
    const alternatives = [anyOf, oneOf].find((list): list is unknown[] => Array.isArray(list) && list.length <= MAX_ALTERNATIVES);
    return {
      ...(isObject(properties) && { properties: this.#properties(properties, Array.isArray(required) ? required : [], depth) }),
      ...(Array.isArray(required) && required.length > 0 && { required }),
      // `prefixItems` makes it apply to the other items only, not to all.
      ...(isObject(items) && prefixItems === undefined && { items: this.shorten(items, depth) }),
      ...(alternatives && { anyOf: alternatives.map((alternative) => this.shorten(alternative, depth)) }),
    };
  }

  #properties(properties: JsonSchema, required: unknown[], depth: number): JsonSchema {
    const kept = Object.entries(properties).filter(([name]) => this.#shortening.optional || required.includes(name));
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.shorten(schema, depth)]));
  }
}

function objectOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

/** A list of values is kept whole or not at all too. */
function shortValues(schema: JsonSchema): JsonSchema {
  const entries = ['enum', 'const'].map((keyword) => [keyword, schema[keyword]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && JSON.stringify(value).length <= MAX_VALUES_CHARS));
}
