/**
 * Checks payloads against the schemas of actions.
 *
 * Errors: INVALID_PAYLOAD with `issues` and `received`.
 * Source: docs/protocol.md, section 5 "Checking" and slips 4 and 5, section 8.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { SvcError } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import type { JsonObject } from '#sdk/protocol/json-object';
import { CheckMeter, CheckTooCostly } from './check-meter';
import type { CompiledSchema } from './compiled-schema';
import { CompiledSchemas } from './compiled-schemas';
import { shorten } from './in-words';
import { describeRepair, type Repair, repairsFor, requiredNulls, withRepairs } from './lenient-types';
import { payloadIssues } from './payload-issues';

export interface CheckedPayload {
  payload: JsonObject;
  /** One sentence for each repaired slip. */
  repaired: string[];
}

/** Size of the cache of compiled schemas, in schema objects of some kilobytes each. */
const MAX_KEPT_NODES = 100_000;
/** A repair can reveal further faults below a place that was refused before. Limits the rounds of a hostile payload. */
const MAX_ROUNDS = 20;
const MAX_NOTES = 8;
const MAX_RECEIVED = 100;

export class PayloadChecker {
  readonly #meter = new CheckMeter();
  readonly #compiled = new CompiledSchemas(this.#meter, MAX_KEPT_NODES);

  /**
   * Returns a valid payload unchanged. A schema is compiled at its first check and cached by object identity, so callers must not change
   * `schema`.
   */
  check(schema: JsonSchema, payload: JsonObject, repaired: string[] = []): CheckedPayload {
    const compiled = this.#compiled.of(schema);
    if (compiled === 'uncompilable') return { payload, repaired };
    this.#meter.start();
    try {
      return this.#checkLeniently(compiled, payload, repaired);
    } catch (error) {
      if (error instanceof CheckTooCostly)
        throw refused(
          'takes too long to check against the schema of the action; send a smaller one, or split it over several calls',
          payload,
        );
      if (error instanceof RangeError) throw refused('is nested too deep to be checked; send a flatter one', payload);
      throw error;
    } finally {
      this.#meter.stop();
    }
  }

  #checkLeniently(compiled: CompiledSchema, payload: JsonObject, repaired: string[]): CheckedPayload {
    const kept = new Set<string>();
    let repairs: Repair[] = [];
    let candidate = payload;
    for (let round = 1; ; round++) {
      const errors = compiled.errorsOf(candidate);
      if (!errors) return { payload: candidate, repaired: [...repaired, ...notesOf(repairs)] };
      const required = requiredNulls(repairs, errors);
      const found = repairsFor(candidate, errors, compiled.nodes).filter(({ path }) => !kept.has(path));
      if (round >= MAX_ROUNDS || (found.length === 0 && required.length === 0)) throw misfit(errors, compiled, payload);
      if (required.length > 0) {
        // "must be a text, got null" helps more than "is required".
        for (const { path } of required) kept.add(path);
        repairs = repairs.filter((repair) => !required.includes(repair));
        candidate = withRepairs(payload, repairs, this.#meter);
      } else {
        candidate = withRepairs(candidate, found, this.#meter);
        repairs.push(...found);
      }
    }
  }
}

function misfit(errors: ErrorObject[], compiled: CompiledSchema, payload: JsonObject): SvcError {
  const issues = payloadIssues(errors, compiled.nodes);
  const said = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return refused(`does not fit the action: ${said}`, payload, issues);
}

function refused(problem: string, payload: JsonObject, issues: ReturnType<typeof payloadIssues> = []): SvcError {
  return new SvcError('INVALID_PAYLOAD', `The payload ${problem}`, { issues, received: firstNames(payload) });
}

function firstNames(payload: JsonObject): string[] {
  return Object.keys(payload)
    .slice(0, MAX_RECEIVED)
    .map((name) => shorten(name, 200));
}

function notesOf(repairs: Repair[]): string[] {
  const notes = repairs.slice(0, MAX_NOTES).map(describeRepair);
  return repairs.length > MAX_NOTES ? [...notes, `${repairs.length - MAX_NOTES} more values were repaired`] : notes;
}
