/** The last compiled schemas, by identity of the schema, which must not change. */
import { LRUCache } from 'lru-cache';
import type { JsonSchema } from '#sdk/protocol/http';
import type { CheckMeter } from './check-meter';
import { type CompiledSchema, compileSchema } from './compiled-schema';

export class CompiledSchemas {
  readonly #meter: CheckMeter;
  readonly #compiled: LRUCache<JsonSchema, CompiledSchema | 'uncompilable'>;

  /** @param maxNodes schema objects of some kilobytes each */
  constructor(meter: CheckMeter, maxNodes: number) {
    this.#meter = meter;
    // Capped, since the cache refuses an entry that is larger than the cache.
    const sizeCalculation = (compiled: CompiledSchema | 'uncompilable') =>
      Math.min(maxNodes, 20 + (compiled === 'uncompilable' ? 0 : compiled.nodes.size));
    this.#compiled = new LRUCache({ maxSize: maxNodes, sizeCalculation });
  }

  of(schema: JsonSchema): CompiledSchema | 'uncompilable' {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const compiled = tryToCompile(schema, this.#meter);
    this.#compiled.set(schema, compiled);
    return compiled;
  }
}

/**
 * `toPayloadSchema` accepts only schemas that compile. A catalogue of another version may hold other schemas, which accept every payload.
 */
function tryToCompile(schema: JsonSchema, meter: CheckMeter): CompiledSchema | 'uncompilable' {
  try {
    return compileSchema(schema, meter);
  } catch {
    return 'uncompilable';
  }
}
