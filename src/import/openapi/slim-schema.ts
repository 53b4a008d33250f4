/**
 * The payload schema of one operation, made so that the service takes it. One that is too large says less and accepts more: its texts get shorter
 * first, then its inner levels go.
 */
import type { JsonSchema } from 'svc-sdk';
import type { JsonObject } from '../../protocol/json-object';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import type { OpenapiDocument } from './document';
import { type ConverterLimits, SchemaConverter, TooManyParts } from './schema-converter';

/** The service's limit, with room for what it counts otherwise. */
export const MAX_PARTS = 900;
const { payloadDescriptionBytes: MAX_BYTES, payloadDescriptionDepth: MAX_DEPTH } = DEFAULT_LIMITS;

const STEPS: readonly Omit<ConverterLimits, 'parts'>[] = [
  { textChars: 2_000, levels: 12 },
  { textChars: 300, levels: 12 },
  ...[12, 6, 5, 4, 3, 2, 1, 0].map((levels) => ({ textChars: 100, levels })),
];

/** @param schema the schema of an object, as the document has it */
export function slimSchema(schema: JsonObject, document: OpenapiDocument): { schema: JsonSchema; isSlimmed: boolean } {
  for (const [step, limits] of STEPS.entries()) {
    const converted = convert(schema, document, limits);
    if (converted) return { schema: converted, isSlimmed: step > 0 };
  }
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string').slice(0, MAX_PARTS / 10)
    : [];
  return { schema: { type: 'object', properties: {}, ...(required.length > 0 && { required }) }, isSlimmed: true };
}

function convert(schema: JsonObject, document: OpenapiDocument, limits: Omit<ConverterLimits, 'parts'>): JsonSchema | undefined {
  try {
    const converted = new SchemaConverter(document, { ...limits, parts: MAX_PARTS }).payloadSchema(schema);
    return Buffer.byteLength(JSON.stringify(converted)) <= MAX_BYTES && depthOf(converted) <= MAX_DEPTH ? converted : undefined;
  } catch (error) {
    if (error instanceof TooManyParts) return undefined;
    throw error;
  }
}

/** Objects and lists inside of each other. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item));
  return 1 + deepest;
}
