/**
 * An OpenAPI document as OpenAPI 3: 2.0 is translated, 3.0 to 3.2 are read unchanged. References are resolved within the document, with no
 * access to the network or files.
 *
 * Errors: INVALID_REQUEST for a text that is not an OpenAPI document.
 * Source: OpenAPI 3.2.0, RFC 6901 (JSON Pointer).
 */
import { SvcError } from 'svc-sdk';
import { parse } from 'yaml';
import { withoutBom } from '#sdk/protocol/decode-text';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { fromSwagger2 } from './swagger-2';

/** The longest chain of references. */
const MAX_HOPS = 20;

export class OpenapiDocument {
  readonly root: JsonObject;
  /** References point into the original document, in any version. */
  readonly #written: JsonObject;
  /** Reference -> its value. */
  readonly #resolved = new Map<string, unknown>();

  /** @param document the parsed document, or its text as JSON or YAML; it is not changed */
  constructor(document: unknown) {
    const parsed = typeof document === 'string' ? parseDocumentText(document) : document;
    if (!isObject(parsed) || !(typeof parsed.openapi === 'string' || parsed.swagger === '2.0' || parsed.swagger === 2))
      throw new SvcError('INVALID_REQUEST', 'This is not an OpenAPI document: it has no member "openapi", and no "swagger": "2.0"');
    if (typeof parsed.openapi === 'string' && !/^3\.[012](\.|$)/.test(parsed.openapi))
      throw new SvcError('INVALID_REQUEST', `OpenAPI ${parsed.openapi.slice(0, 20)} is not known; 2.0 and 3.0 to 3.2 are`);
    const isSwagger = typeof parsed.openapi !== 'string';
    this.#written = isSwagger ? structuredClone(parsed) : parsed;
    this.root = isSwagger ? fromSwagger2(this.#written, (value) => this.object(value)) : parsed;
  }

  /** The value, or the target of its reference; undefined for a reference out of the document or without a target. */
  resolve(value: unknown): unknown {
    let found = value;
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string'; hops++) {
      if (hops === MAX_HOPS) return undefined;
      found = this.at(found.$ref);
    }
    return found;
  }

  /** The value, or the target of its reference, if it is an object. */
  object(value: unknown): JsonObject | undefined {
    const found = this.resolve(value);
    return isObject(found) ? found : undefined;
  }

  /** Undefined for a reference out of the document or without a target. */
  at(ref: string): unknown {
    if (!this.#resolved.has(ref)) this.#resolved.set(ref, this.#find(ref));
    return this.#resolved.get(ref);
  }

  #find(ref: string): unknown {
    if (ref === '#') return this.#written;
    if (!ref.startsWith('#/')) return undefined;
    let value: unknown = this.#written;
    for (const step of ref.slice(2).split('/')) {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as JsonObject)[name];
    }
    return value;
  }
}

/** @param text JSON or YAML. Throws INVALID_REQUEST. */
export function parseDocumentText(text: string): unknown {
  const plain = withoutBom(text);
  try {
    // `maxAliasCount` limits the expansion of a few lines of YAML.
    return /^\s*\{/.test(plain) ? JSON.parse(plain) : parse(plain, { maxAliasCount: 1_000 });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new SvcError('INVALID_REQUEST', `The OpenAPI document is neither JSON nor YAML: ${message}`);
  }
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // a stray %
  }
}
