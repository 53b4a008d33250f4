/** Reads JSON of models and writes JSON for services. The errors tell a model what to write instead. */
import { SvcError } from '../protocol/errors';
import { isObject } from '../protocol/json-object';
import { isDoubtfulNumber, requireSafeNumbers } from '../protocol/number-digits';
import { SEARCH_TOOL } from './definitions';

/**
 * Reads the arguments that a model wrote for a tool. An empty text is `{}`: many models send it for a tool without arguments. JSON inside a JSON
 * string is decoded too: some servers encode twice.
 *
 * @throws SvcError INVALID_REQUEST for broken JSON, INVALID_PAYLOAD for a number with too many digits
 */
export function readArguments(tool: string, input: unknown): unknown {
  if (typeof input !== 'string') {
    if (tool !== SEARCH_TOOL && input) requireSafeNumbers(writeJson(input), isDoubtfulNumber);
    return input ?? {};
  }
  if (input.trim() === '') return {};
  const value = parseArguments(tool, input);
  return typeof value === 'string' ? parseArguments(tool, value) : value;
}

function parseArguments(tool: string, text: string): unknown {
  const value = parseJsonText(tool, text);
  if (tool !== SEARCH_TOOL) requireSafeNumbers(text);
  return value;
}

function parseJsonText(tool: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError('INVALID_REQUEST', `The arguments of ${tool} are not valid JSON (${reason}). Send one JSON object.`);
  }
}

/** @throws SvcError INVALID_REQUEST for a value that JSON cannot hold: BigInt, cycles, thousands of levels */
export function writeJson(value: unknown, write: (value: unknown) => string | undefined = JSON.stringify): string {
  try {
    return write(value) ?? 'null';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = reason.includes('BigInt') ? '; send its digits as a text, such as String(id)' : '';
    throw new SvcError('INVALID_REQUEST', `The value cannot be written as JSON: ${reason}${advice}`);
  }
}

/** The same text for the same value, in any language and any order of its keys: RFC 8785. */
export function writeCanonicalJson(value: unknown): string {
  return writeJson(value, () => canonicalJson(JSON.parse(JSON.stringify(value))));
}

/** Not `JSON.stringify` of a sorted object: an object has its integer keys first, in the order of their numbers. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)}}`;
}
