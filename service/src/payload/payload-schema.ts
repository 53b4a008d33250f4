/**
 * Turns a developer's payload description into the JSON Schema that agents see: docs/protocol.md, section 8.
 *
 * Errors: INVALID_ACTION; the message names the place of the fault and the right form.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { visibleText } from './clean-text';
import { DescriptionFault } from './description-fault';
import { type DescriptionLimits, freshJson, showTexts } from './description-json';
import { makeDefaultsOptional } from './optional-defaults';
import { checkSchemaShape, requireAcceptsObjects } from './schema-shape';
import { fromShortForm, isJsonSchema, isShortForm } from './short-form';

/** Returns new plain data that shares no objects with the input. The root's `type` is always `object`. */
export function toPayloadSchema(payloadDescription: unknown, limits: DescriptionLimits): JsonSchema {
  try {
    return read(payloadDescription, limits);
  } catch (error) {
    if (!(error instanceof DescriptionFault)) throw error;
    throw new SvcError('INVALID_ACTION', `payloadDescription${error.message}`);
  }
}

function read(payloadDescription: unknown, limits: DescriptionLimits): JsonSchema {
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
  requireAcceptsObjects(schema);
  showTexts(schema);
  makeDefaultsOptional(schema);
  return { ...schema, type: 'object' };
}
