/** Reads JSON of models and writes JSON for services. The errors tell a model what to write instead. */
import { SvcError } from '../protocol/errors';
import { isObject } from '../protocol/json-object';

/**
 * Reads the arguments that a model wrote for a tool. An empty text is `{}`: many models send it for a tool without arguments. JSON inside a JSON
 * string is decoded too: some servers encode twice.
 *
 * @throws SvcError INVALID_REQUEST for broken JSON
 */
export function readArguments(tool: string, input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {};
  if (input.trim() === '') return {};
  const value = parseArguments(tool, input);
  return typeof value === 'string' ? parseArguments(tool, value) : value;
}

function parseArguments(tool: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError('INVALID_REQUEST', `The arguments of ${tool} are not valid JSON (${reason}). Send one JSON object.`);
  }
}

/** @throws SvcError INVALID_REQUEST for a value that JSON cannot hold: BigInt, cycles, thousands of levels */
export function writeJson(value: unknown, replacer?: (key: string, part: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replacer) ?? 'null';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError('INVALID_REQUEST', `The value cannot be written as JSON: ${reason}`);
  }
}

/** The same text for the same value, in any order of its keys. */
export function writeCanonicalJson(value: unknown): string {
  return writeJson(value, (_key, part) => (isObject(part) ? sortKeys(part) : part));
}

function sortKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
