/**
 * Integers of 64 bits: a payload may hold their digits as a text, because a JSON number loses digits, and the API receives them as the required
 * number.
 */
import type { JsonSchema } from 'svc-sdk';
import { ExactNumber } from '#sdk/protocol/exact-number';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';
import { subtypesOf } from './subtypes';

const DIGITS = '^-?[0-9]+$';
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)$/;
const WIDE_FORMAT = /^(?:u?int64|u?int128|long|bigint)$/i;
/** Levels of nested values. */
const MAX_LEVELS = 50;

/** The converted schema of an integer that may need more digits also accepts them as a text. */
export function withDigits(converted: JsonSchema, { type, format }: JsonObject): JsonSchema {
  const types = [converted.type].flat();
  if (!types.includes('integer') || types.some((each) => each !== 'integer' && each !== 'null')) return converted;
  const { maximum, exclusiveMaximum = maximum, pattern } = converted;
  const fitsNumber = typeof exclusiveMaximum === 'number' && exclusiveMaximum <= Number.MAX_SAFE_INTEGER;
  const isWide = [type, format].flat().some((name) => typeof name === 'string' && WIDE_FORMAT.test(name));
  if (fitsNumber || !isWide || 'enum' in converted || 'const' in converted || pattern !== undefined) return converted;
  return { ...converted, type: [...types, 'string'], pattern: DIGITS };
}

/** The JSON of a body; the digits of an integer in a text become a number. */
export function bodyJson(value: unknown, schema: unknown, document: OpenapiDocument): string {
  const json = JSON.stringify(value);
  return /"-?\d+"/.test(json) ? JSON.stringify(withNumbers(value, schema, document, 0)) : json;
}

function withNumbers(value: unknown, schema: unknown, document: OpenapiDocument, level: number): unknown {
  const forms = level < MAX_LEVELS ? formsOf(schema, document) : [];
  const below = (member: unknown, schemas: unknown[]) => withNumbers(member, { anyOf: schemas.filter(isObject) }, document, level + 1);
  if (typeof value === 'string') {
    const types = forms.flatMap(({ type }) => [type].flat());
    const isNumber = types.some(isIntegerType) && !types.includes('string') && WHOLE_NUMBER.test(value);
    return isNumber ? new ExactNumber(value) : value;
  }
  if (Array.isArray(value))
    return value.map((item) =>
      below(
        item,
        forms.map(({ items }) => items),
      ),
    );
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const schemas = forms.map(({ properties, additionalProperties }) =>
        isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
      );
      return [name, below(member, schemas)];
    }),
  );
}

/** The schema with those that apply to the same value. */
function formsOf(schema: unknown, document: OpenapiDocument): JsonObject[] {
  const forms = new Set<JsonObject>();
  const add = (each: unknown) => {
    const form = document.object(each);
    if (form) forms.add(form);
  };
  add(schema);
  // A set also visits values that are added during the loop.
  for (const form of forms) {
    for (const list of [form.allOf, form.anyOf, form.oneOf]) if (Array.isArray(list)) list.forEach(add);
    for (const { schema: subtype } of subtypesOf(form, document)?.subtypes ?? []) add(subtype);
  }
  return [...forms];
}

function isIntegerType(type: unknown): boolean {
  return type === 'integer' || (typeof type === 'string' && WIDE_FORMAT.test(type));
}
