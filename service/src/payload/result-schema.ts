/**
 * Turns a developer's description of a result into the JSON Schema that agents see: docs/protocol.md, section 8. The root may be any JSON value.
 *
 * Errors: `DescriptionFault`.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { visibleText } from './clean-text';
import { type DescriptionLimits, freshJson, showTexts } from './description-json';
import { checkSchemaShape } from './schema-shape';
import { fromShortForm, isJsonSchema, isShortForm } from './short-form';

/** New plain data that shares no objects with the input. Undefined where the description says nothing. */
export function toResultSchema(resultDescription: unknown, limits: DescriptionLimits): JsonSchema | undefined {
  const description = freshJson(resultDescription, limits);
  if (description === null || description === true || (isObject(description) && Object.keys(description).length === 0)) return undefined;
  if (typeof description === 'string') return documentation(description);
  if (!isObject(description)) return documentation(JSON.stringify(description));
  if (isJsonSchema(description)) return checked(description);
  return isShortForm(description) ? checked(fromShortForm(description)) : documentation(JSON.stringify(description));
}

/** A text says nothing about the type. */
function documentation(text: string): JsonSchema | undefined {
  const description = visibleText(text);
  return description === '' ? undefined : { description };
}

function checked(schema: JsonSchema): JsonSchema {
  checkSchemaShape(schema);
  showTexts(schema);
  return schema;
}
