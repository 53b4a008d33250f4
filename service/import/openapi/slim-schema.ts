/**
 * The payload schema of one operation within the service's limits. A larger schema is made less strict: first its texts are shortened, then its inner
 * levels are removed.
 */
import type { JsonSchema } from 'svc-sdk';
import type { JsonObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { LeftOutPart } from '../imported-action';
import type { OpenapiDocument } from './document';
import { type ConverterLimits, SchemaConverter, TooManyParts } from './schema-converter';

/** The service's limit, with a margin for differences in counting. */
export const MAX_PARTS = 900;
const { payloadDescriptionBytes: MAX_BYTES, payloadDescriptionDepth: MAX_DEPTH } = DEFAULT_LIMITS;

const STEPS: readonly Omit<ConverterLimits, 'parts'>[] = [
  ...[true, false].flatMap((hasSubtypes) => [2_000, 300, 100].map((textChars) => ({ textChars, levels: 12, hasSubtypes }))),
  ...[6, 5, 4, 3, 2, 1, 0].map((levels) => ({ textChars: 100, levels, hasSubtypes: false })),
];
const [FIRST] = STEPS;

const TOO_LARGE = { part: 'schema', why: 'it is too large: its texts are shorter, and its subtypes and inner levels may be missing' };
const LEADS_OUT = 'it leads out of the document or to nothing, so any value is accepted there';

export interface SlimSchema {
  schema: JsonSchema;
  leftOut: readonly LeftOutPart[];
}

/** @param schema the schema of an object in the document */
export function slimSchema(schema: JsonObject, document: OpenapiDocument): SlimSchema {
  let metSubtypes = false;
  for (const limits of STEPS) {
    // Equal to the previous step's.
    if (limits.levels === 12 && !limits.hasSubtypes && !metSubtypes) continue;
    const converter = new SchemaConverter(document, { ...limits, parts: MAX_PARTS });
    const converted = convert(schema, converter);
    if (converted) return limits === FIRST ? converted : { ...converted, leftOut: [...converted.leftOut, TOO_LARGE] };
    metSubtypes ||= converter.metSubtypes;
  }
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string').slice(0, MAX_PARTS / 10)
    : [];
  return { schema: { type: 'object', properties: {}, ...(required.length > 0 && { required }) }, leftOut: [TOO_LARGE] };
}

function convert(schema: JsonObject, converter: SchemaConverter): SlimSchema | undefined {
  try {
    const converted = converter.payloadSchema(schema);
    if (Buffer.byteLength(JSON.stringify(converted)) > MAX_BYTES || depthOf(converted) > MAX_DEPTH) return undefined;
    return { schema: converted, leftOut: [...converter.openReferences].map((ref) => ({ part: `reference ${ref}`, why: LEADS_OUT })) };
  } catch (error) {
    if (error instanceof TooManyParts) return undefined;
    throw error;
  }
}

/** Levels of nested objects and lists. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item));
  return 1 + deepest;
}
