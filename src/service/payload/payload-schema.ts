/**
 * The JSON Schema that agents see, from what a toolkit developer wrote: docs/protocol.md, section 8.
 *
 * Errors: INVALID_ACTION; the message says where the fault is and what to write.
 */
import { SvcError } from '../../protocol/errors';
import type { JsonSchema } from '../../protocol/http';
import { isVisible, printable } from '../../protocol/invisible-text';
import { isObject } from '../../protocol/json-object';
import type { Limits } from '../../protocol/limits';
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

/** Fresh plain data that shares nothing with what went in. The root's `type` is always `object`. */
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

/** Models read these; nothing that a reviewer cannot see may stand in them. */
function cleanDescriptions(schema: JsonSchema): void {
  for (const keyword of ['title', 'description', '$comment']) {
    const text = schema[keyword];
    if (typeof text === 'string') schema[keyword] = visibleText(text);
  }
  for (const child of subschemas(schema)) if (isObject(child.schema)) cleanDescriptions(child.schema);
}

/**
 * Refuses the rest of the schema's texts: names, `enum`, `const`, `default` and the like. Models read them too, but a payload is compared with them, so
 * they cannot be changed here.
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
  // A carriage return may be a value, such as the line end of a file, and JSON shows it.
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
