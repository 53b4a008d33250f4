/**
 * The parts that descriptions of payloads and of results share: new plain data within the limits, and texts that a reviewer sees as a model does.
 *
 * Errors: `DescriptionFault`.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isVisible, printable } from '#sdk/protocol/invisible-text';
import { isObject } from '#sdk/protocol/json-object';
import type { Limits } from '#sdk/protocol/limits';
import { visibleText } from './clean-text';
import { DescriptionFault } from './description-fault';
import { shorten } from './in-words';
import { below } from './json-pointer';
import { jsonFault } from './plain-json';
import { subschemas } from './schema-keywords';

const MAX_SHOWN_CHARS = 80;

export type DescriptionLimits = Pick<Limits, 'payloadDescriptionBytes' | 'payloadDescriptionDepth'>;

/** Changes the texts of a schema in place. The schema must have passed the shape check. */
export function showTexts(schema: JsonSchema): void {
  cleanDescriptions(schema);
  refuseInvisible(schema, '');
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
  throw new DescriptionFault(` ${where}"${printable(shorten(text, MAX_SHOWN_CHARS))}" holds characters that no screen shows; remove them`);
}

/** `null` for a description that is not there. */
export function freshJson(description: unknown, { payloadDescriptionBytes, payloadDescriptionDepth }: DescriptionLimits): unknown {
  if (description === undefined) return null;
  const found = jsonFault(description, payloadDescriptionDepth);
  if (found?.fault === 'depth') throw new DescriptionFault(` is nested more than ${payloadDescriptionDepth} levels deep; make it flatter`);
  if (found) throw new DescriptionFault(` at ${found.path}: a name cannot be "__proto__"; rename it`);
  const text = JSON.stringify(description);
  if (text === undefined)
    throw new DescriptionFault(` is a ${typeof description}, not JSON; write a text, a JSON Schema or the short form`);
  const bytes = Buffer.byteLength(text);
  if (bytes > payloadDescriptionBytes)
    throw new DescriptionFault(` has ${bytes} bytes as JSON; at most ${payloadDescriptionBytes} are allowed, shorten it`);
  return JSON.parse(text);
}
