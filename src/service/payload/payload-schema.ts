/**
 * The JSON Schema that agents see, from what a toolkit developer wrote: docs/protocol.md, section 8.
 *
 * Errors: INVALID_ACTION; the message says where the fault is and what to write.
 */
import { SvcError } from '../../protocol/errors';
import type { JsonSchema } from '../../protocol/http';
import { isObject } from '../../protocol/json-object';
import type { Limits } from '../../protocol/limits';
import { visibleText } from './clean-text';
import { jsonFault } from './plain-json';
import { subschemas } from './schema-keywords';
import { checkSchemaShape } from './schema-shape';
import { fromShortForm, isJsonSchema, isShortForm } from './short-form';

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
  return { ...schema, type: 'object' };
}

/** Models read these; nothing that a reviewer cannot see may stand in them. */
function cleanDescriptions(schema: JsonSchema): void {
  for (const keyword of ['title', 'description']) {
    const text = schema[keyword];
    if (typeof text === 'string') schema[keyword] = visibleText(text);
  }
  for (const child of subschemas(schema)) if (isObject(child.schema)) cleanDescriptions(child.schema);
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
