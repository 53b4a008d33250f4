/** The payload schema of an MCP tool: as the server states it while the service takes it, and slimmed else. */
import type { JsonSchema } from 'svc-sdk';
import type { JsonObject } from '../../protocol/json-object';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import { OpenapiDocument } from '../openapi/document';
import { depthOf, MAX_PARTS, slimSchema } from '../openapi/slim-schema';

const { payloadDescriptionBytes: MAX_BYTES, payloadDescriptionDepth: MAX_DEPTH } = DEFAULT_LIMITS;

export function toolSchema(stated: JsonObject): JsonSchema {
  if (fits(stated)) return stated as JsonSchema;
  // Its references are within the schema itself.
  return slimSchema(stated, new OpenapiDocument({ openapi: '3.1.0', ...stated })).schema;
}

function fits(schema: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(schema)) <= MAX_BYTES && depthOf(schema) <= MAX_DEPTH && countObjects(schema) <= MAX_PARTS;
}

/** The number is at least that of the subschemas. */
function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 1;
  for (const item of Object.values(value)) count += countObjects(item);
  return count;
}
