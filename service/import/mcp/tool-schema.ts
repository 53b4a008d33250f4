/** The payload schema of an MCP tool: unchanged if the service accepts it, else slimmed. */
import type { JsonSchema } from 'svc-sdk';
import { readableText } from '#sdk/protocol/invisible-text';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { OpenapiDocument } from '../openapi/document';
import { depthOf, MAX_PARTS, slimSchema } from '../openapi/slim-schema';

const { payloadDescriptionBytes: MAX_BYTES, payloadDescriptionDepth: MAX_DEPTH } = DEFAULT_LIMITS;

const WORDS = ['title', 'description'];
const VALUES = ['enum', 'examples', 'default'];

/** Throws for a schema that cannot be made smaller. */
export function toolSchema(stated: JsonObject): JsonSchema {
  if (schemaFits(stated)) return readableSchema(stated) as JsonSchema;
  // Its references are within the schema.
  return readableSchema(slimSchema(stated, new OpenapiDocument({ openapi: '3.1.0', ...stated })).schema) as JsonSchema;
}

/** The schema without invisible characters in its texts. Names and values stay unchanged: the server compares them. */
export function readableSchema(stated: JsonObject): JsonObject {
  return withReadableWords(stated) as JsonObject;
}

function withReadableWords(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withReadableWords);
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, readableMember(name, member)]));
}

function readableMember(name: string, member: unknown): unknown {
  if (Array.isArray(member) && VALUES.includes(name)) return member;
  return typeof member === 'string' && WORDS.includes(name) ? readableText(member) : withReadableWords(member);
}

export function schemaFits(schema: JsonObject): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(schema)) <= MAX_BYTES && depthOf(schema) <= MAX_DEPTH && countObjects(schema) <= MAX_PARTS;
  } catch (error) {
    // The schema is nested deeper than the stack.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The number is at least that of the subschemas. */
function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 1;
  for (const item of Object.values(value)) count += countObjects(item);
  return count;
}
