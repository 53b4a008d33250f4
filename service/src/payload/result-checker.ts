/**
 * Checks results against the result that their action declares.
 *
 * Shape: JSON Pointers of the places that do not fit, at most eight. A step is a name that the schema declares, or `*`: an index, or a name that
 *        is data, such as an address by which a result lists its values.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { CheckMeter, CheckTooCostly } from './check-meter';
import { CompiledSchemas } from './compiled-schemas';
import { below, stepsOf } from './json-pointer';
import { payloadIssues } from './payload-issues';
import { subschemas } from './schema-keywords';

const MAX_KEPT_NODES = 20_000;

export class ResultChecker {
  readonly #meter = new CheckMeter();
  readonly #compiled = new CompiledSchemas(this.#meter, MAX_KEPT_NODES);
  readonly #names = new WeakMap<JsonSchema, ReadonlySet<string>>();

  /** Empty for a result that fits, and for one that takes too long to check. */
  misfits(schema: JsonSchema, result: unknown): string[] {
    const compiled = this.#compiled.of(schema);
    if (compiled === 'uncompilable') return [];
    this.#meter.start();
    try {
      const errors = compiled.errorsOf(result);
      if (!errors) return [];
      const names = this.#namesIn(schema);
      return [...new Set(payloadIssues(errors, compiled.nodes).map(({ path }) => declared(path, names)))];
    } catch (error) {
      if (error instanceof CheckTooCostly || error instanceof RangeError) return [];
      throw error;
    } finally {
      this.#meter.stop();
    }
  }

  #namesIn(schema: JsonSchema): ReadonlySet<string> {
    let names = this.#names.get(schema);
    if (!names) {
      names = new Set(declaredNames(schema));
      this.#names.set(schema, names);
    }
    return names;
  }
}

function declared(path: string, names: ReadonlySet<string>): string {
  return below('', ...stepsOf(path).map((step) => (names.has(step) ? step : '*')));
}

function* declaredNames(schema: JsonSchema): Generator<string> {
  if (isObject(schema.properties)) yield* Object.keys(schema.properties);
  if (Array.isArray(schema.required)) for (const name of schema.required) if (typeof name === 'string') yield name;
  for (const { schema: child } of subschemas(schema)) if (isObject(child)) yield* declaredNames(child);
}
