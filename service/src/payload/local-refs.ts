/**
 * Resolves a `$ref` inside one schema: `#`, `#/json/pointer` or `#anchor`. References are never fetched, and `$id` does not change the
 * base.
 *
 * `$dynamicRef` and `$recursiveRef` are read the same way: they differ from `$ref` only between several schema documents.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { valueAt } from './json-pointer';
import { subschemas } from './schema-keywords';

export class LocalRefs {
  readonly #root: JsonSchema;
  readonly #anchors = new Map<string, JsonSchema>();

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#collectAnchors(root);
  }

  /** Undefined when the target is missing or cannot be a schema. */
  resolve(ref: string): JsonSchema | boolean | undefined {
    if (!ref.startsWith('#')) return undefined;
    const fragment = decoded(ref.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === '') return this.#root;
    const target = fragment.startsWith('/') ? valueAt(this.#root, fragment) : this.#anchors.get(fragment);
    return isObject(target) || typeof target === 'boolean' ? target : undefined;
  }

  #collectAnchors(schema: JsonSchema): void {
    for (const keyword of ['$anchor', '$dynamicAnchor', '$id', 'id']) {
      const name = schema[keyword];
      if (typeof name !== 'string') continue;
      // Drafts 04 to 07 wrote an anchor as `$id: "#name"`.
      const anchor = keyword.endsWith('id') ? (name.startsWith('#') ? name.slice(1) : '') : name;
      if (anchor !== '' && !this.#anchors.has(anchor)) this.#anchors.set(anchor, schema);
    }
    for (const { schema: child } of subschemas(schema)) if (isObject(child)) this.#collectAnchors(child);
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined; // a stray % is not a URI fragment
  }
}
