/**
 * A JSON Schema as a writer of types reads it: each `$ref` of the document resolved, the parts of each `allOf` merged into one schema.
 *
 * Shape:  a `$ref` is `#` or `#/json/pointer`, percent-encoded or not. Undefined for a cycle, for a missing target, and when there is too much
 *         to read: anything may be there.
 */
import { isObject, type JsonObject } from './json-object';

/** References that lead to a schema from the root, so that a cycle ends. */
export type RefPath = ReadonlySet<string>;

export interface ReadSchema {
  schema: JsonObject;
  required: ReadonlySet<unknown>;
  path: RefPath;
}

/** Schemas and properties; written-out references multiply without end. */
const MAX_STEPS = 5_000;
/** An `allOf` may be in an `allOf`. */
const MAX_NESTED_PARTS = 100;

export class SchemaReader {
  readonly #root: unknown;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** A boolean schema accepts anything or nothing. */
  read(schema: unknown, path: RefPath): ReadSchema | boolean | undefined {
    if (typeof schema === 'boolean') return schema;
    const merging: Merging = { schema: {}, required: new Set(), path: new Set(path), refs: new Set(path) };
    return this.#merge(merging, schema, { isWhole: true, nesting: 0 }) ? merging : undefined;
  }

  /** Adds a schema and its parts. The first value of a keyword stays, so that an `allOf` does not overrule its parent. */
  #merge(merging: Merging, schema: unknown, { isWhole, nesting }: PartPlace): boolean {
    if (!isObject(schema) || ++this.#steps > MAX_STEPS || nesting > MAX_NESTED_PARTS) return false;
    const { $ref, allOf, ...keywords } = schema;
    this.#add(merging, keywords);
    if (typeof $ref === 'string') {
      const isKnown = merging.refs.has($ref);
      merging.refs.add($ref);
      if (isWhole) merging.path.add($ref);
      if (isKnown || !this.#merge(merging, this.#target($ref), { isWhole, nesting: nesting + 1 })) return false;
    }
    // A part that accepts anything, or that cannot be read, says nothing about the others.
    const parts = Array.isArray(allOf) ? allOf : [];
    const isOnly = isWhole && parts.length === 1;
    for (const part of parts) this.#merge(merging, part, { isWhole: isOnly, nesting: nesting + 1 });
    return true;
  }

  #add({ schema, required }: Merging, { properties, required: names, ...keywords }: JsonObject): void {
    for (const [keyword, value] of Object.entries(keywords)) if (schema[keyword] === undefined) define(schema, keyword, value);
    if (Array.isArray(names)) for (const name of names) required.add(name);
    if (!isObject(properties)) return;
    const known = isObject(schema.properties) ? schema.properties : {};
    for (const [name, property] of Object.entries(properties)) {
      if (!Object.hasOwn(known, name) && ++this.#steps <= MAX_STEPS) define(known, name, property);
    }
    schema.properties = known;
  }

  #target(ref: string): unknown {
    const fragment = decoded(ref);
    if (fragment === undefined || !/^#(?:\/|$)/.test(fragment)) return undefined;
    let value = this.#root;
    for (const step of fragment.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as JsonObject)[name];
    }
    return value;
  }
}

interface Merging {
  schema: JsonObject;
  required: Set<unknown>;
  path: Set<string>;
  /** All references that were followed, those of parts too. */
  refs: Set<string>;
}

interface PartPlace {
  /** Whether the schema is all that there is: not one of several parts. */
  isWhole: boolean;
  nesting: number;
}

/** An assignment to `__proto__` would add nothing. */
function define(object: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function decoded(ref: string): string | undefined {
  try {
    return decodeURIComponent(ref);
  } catch {
    return undefined; // a stray % is not a URI fragment
  }
}
