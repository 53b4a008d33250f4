/**
 * The shape of one result within `MAX_RESULT_TOKENS`: first its texts are shortened and left out, then its subtypes, then its inner levels, because a
 * program needs names more than texts.
 *
 * Units: tokens as `estimateTokens` counts them.
 */
import type { JsonSchema } from 'svc-sdk';
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { OpenapiDocument } from './document';
import { type ConverterLimits, SchemaConverter, TooManyParts } from './schema-converter';
import { depthOf } from './slim-schema';

export const MAX_RESULT_TOKENS = 2_000;
/** No schema of more parts fits. */
const MAX_PARTS = 300;
/** Nor does one of more characters. */
const MAX_CHARS = 8 * MAX_RESULT_TOKENS;

const MAX_LEVELS = 12;
const STEPS: readonly Pick<ConverterLimits, 'levels' | 'hasSubtypes'>[] = [
  ...[true, false].map((hasSubtypes) => ({ levels: MAX_LEVELS, hasSubtypes })),
  ...[6, 5, 4, 3, 2, 1, 0].map((levels) => ({ levels, hasSubtypes: false })),
];
const TEXT_CHARS = [300, 100];

/** Undefined for a shape that accepts any value, and for one that does not get small enough. */
export function slimResult(schema: JsonObject, document: OpenapiDocument): JsonSchema | undefined {
  let metSubtypes = false;
  for (const { levels, hasSubtypes } of STEPS) {
    // Equal to the step before.
    if (levels === MAX_LEVELS && !hasSubtypes && !metSubtypes) continue;
    const converterOf = (textChars: number) =>
      new SchemaConverter(document, { textChars, levels, hasSubtypes, parts: MAX_PARTS }, { isResult: true });
    // Texts add no parts, so all fail if the bare shape does.
    const converter = converterOf(0);
    const bare = convert(schema, converter);
    metSubtypes ||= converter.metSubtypes;
    if (!bare || !fits(bare)) continue;
    const shape = levels === MAX_LEVELS ? withTexts(schema, bare, converterOf) : bare;
    return says(shape) ? withRootType(shape) : undefined;
  }
  return undefined;
}

function withTexts(schema: JsonObject, bare: JsonSchema, converterOf: (textChars: number) => SchemaConverter): JsonSchema {
  for (const textChars of TEXT_CHARS) {
    const shape = convert(schema, converterOf(textChars));
    if (shape && fits(shape)) return shape;
  }
  return bare;
}

function convert(schema: JsonObject, converter: SchemaConverter): JsonSchema | undefined {
  try {
    return converter.resultSchema(schema);
  } catch (error) {
    if (error instanceof TooManyParts) return undefined;
    throw error;
  }
}

function fits(shape: JsonSchema): boolean {
  const json = JSON.stringify(shape);
  const isSmall = json.length <= MAX_CHARS && estimateTokens(json) <= MAX_RESULT_TOKENS;
  return isSmall && depthOf(shape) <= DEFAULT_LIMITS.payloadDescriptionDepth;
}

function says(shape: JsonSchema): boolean {
  return Object.keys(shape).some((keyword) => keyword !== 'description');
}

/** A recursive root is a reference: its type is shown beside it, because clients look for it there. */
function withRootType(shape: JsonSchema): JsonSchema {
  const { $defs, $ref } = shape;
  if (!isObject($defs) || typeof $ref !== 'string' || shape.type !== undefined) return shape;
  const target = $defs[$ref.slice('#/$defs/'.length)];
  return isObject(target) && typeof target.type === 'string' ? { type: target.type, ...shape } : shape;
}
