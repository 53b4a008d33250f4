/**
 * Turns a developer's payload description into the JSON Schema that agents see: docs/protocol.md, section 8.
 *
 * Errors: INVALID_ACTION; the message names the place of the fault and the right form.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { isVisible, printable } from '#sdk/protocol/invisible-text';
import { isObject } from '#sdk/protocol/json-object';
import type { Limits } from '#sdk/protocol/limits';
import { visibleText } from './clean-text';
import { shorten } from './in-words';
import { below } from './json-pointer';
import { makeDefaultsOptional } from './optional-defaults';
import { jsonFault } from './plain-json';
import { subschemas } from './schema-keywords';
import { checkSchemaShape } from './schema-shape';
import { fromShortForm, isJsonSchema, isShortForm } from './short-form';

const MAX_SHOWN_CHARS = 80;

type DescriptionLimits = Pick<Limits, 'payloadDescriptionBytes' | 'payloadDescriptionDepth'>;

/** Returns new plain data that shares no objects with the input. The root's `type` is always `object`. */
export function toPayloadSchema(payloadDescription: unknown, limits: DescriptionLimits): JsonSchema {
  const description = freshJson(payloadDescription, limits);
  if (typeof description === 'string') return documentation(description);
  if (description === null || (isObject(description) && Object.keys(description).length === 0)) return { type: 'object', properties: {} };
  if (!isObject(description)) return documentation(JSON.stringify(description));
  if (isJsonSchema(description)) return checked(description);
  return isShortForm(description) ? checked(fromShortForm(description)) : documentation(JSON.stringify(description));
}

function documentation(text: string): JsonSchema {
  const description = visibleText(text);
  return description === '' ? { type: 'object', properties: {} } : { type: 'object', description };
}

function checked(schema: JsonSchema): JsonSchema {
  checkSchemaShape(schema);
  cleanDescriptions(schema);
  refuseInvisible(schema, '');
  makeDefaultsOptional(schema);
  return { ...schema, type: 'object' };
}

/** Removes invisible characters from texts for models: a reviewer must see what a model reads. */
function cleanDescriptions(schema: JsonSchema): void {
  for (const keyword of ['title', 'description', '$comment']) {
    const text = schema[keyword];
    if (typeof text === 'string') schema[keyword] = visibleText(text);
  }
  for (const child of subschemas(schema)) if (isObject(child.schema)) cleanDescriptions(child.schema);
}

/**
 * Refuses invisible characters in all other texts of the schema, such as names, `enum`, `const` and `default`. Payloads are compared with
 * these texts, so they cannot be cleaned.
 */
function refuseInvisible(part: unknown, path: string): void {
  if (typeof part === 'string') requireVisible(part, path);
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    requireVisible(name, path);
    refuseInvisible(value, below(path, name));
  }
}

function requireVisible(text: string, path: string): void {
  // A carriage return is allowed: it may be a value, such as a line end, and JSON shows it.
  if (isVisible(text.replaceAll('\r', ''))) return;
  const where = path === '' ? '' : `at ${printable(shorten(path, MAX_SHOWN_CHARS))}: `;
  throw invalid(`${where}"${printable(shorten(text, MAX_SHOWN_CHARS))}" holds characters that no screen shows; remove them`);
}

function freshJson(description: unknown, { payloadDescriptionBytes, payloadDescriptionDepth }: DescriptionLimits): unknown {
  if (description === undefined) return null;
  const found = jsonFault(description, payloadDescriptionDepth);
  if (found?.fault === 'depth') throw invalid(`is nested more than ${payloadDescriptionDepth} levels deep; make it flatter`);
  if (found) throw invalid(`at ${found.path}: a name cannot be "__proto__"; rename it`);
  const text = JSON.stringify(description);
  if (text === undefined) throw invalid(`is a ${typeof description}, not JSON; write a text, a JSON Schema or the short form`);
  const bytes = Buffer.byteLength(text);
  if (bytes > payloadDescriptionBytes)
    throw invalid(`has ${bytes} bytes as JSON; at most ${payloadDescriptionBytes} are allowed, shorten it`);
  return JSON.parse(text);
}

function invalid(problem: string): SvcError {
  return new SvcError('INVALID_ACTION', `payloadDescription ${problem}`);
}
