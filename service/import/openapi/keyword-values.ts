/** Keywords of JSON Schema whose value is not a schema: valid values are kept; an invalid one would break the whole schema. */
import { isVisible } from '#sdk/protocol/invisible-text';

const MAX_DEFAULT_CHARS = 500;
const MAX_ENUM_CHARS = 20_000;

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isShown = (value: unknown, maxChars: number) => {
  const json = JSON.stringify(value) ?? '';
  return json.length <= maxChars && isShownText(json);
};

const IS_GOOD: Record<string, (value: unknown) => boolean> = {
  format: (value) => typeof value === 'string' && isShownText(value),
  enum: (value) => Array.isArray(value) && value.length > 0 && isShown(value, MAX_ENUM_CHARS),
  const: (value) => isShown(value, MAX_DEFAULT_CHARS),
  default: (value) => value !== undefined && isShown(value, MAX_DEFAULT_CHARS),
  pattern: (value) => typeof value === 'string' && isRegExp(value) && isShownText(value),
  uniqueItems: (value) => value === true,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  ...Object.fromEntries(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, isNumber])),
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) => [name, isCount]),
  ),
};

export function isGoodKeyword(keyword: string, value: unknown): boolean {
  return Object.hasOwn(IS_GOOD, keyword) && IS_GOOD[keyword]?.(value) === true;
}

/** The model must read the same text that a person reviewed. */
export function isShownText(text: string): boolean {
  return isVisible(text.replaceAll('\r', ''));
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) !== undefined;
  } catch {
    return false;
  }
}
