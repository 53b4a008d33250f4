/**
 * Converts values to the text of a parameter, by its style.
 *
 * Errors: ActionError INVALID_LIST_VALUE for a value that contains the separator of its list, if the style cannot escape it.
 * Source: OpenAPI 3.1.1, "Style Values", "Style Examples" and appendix E; RFC 6570.
 */
import type { ActionContext } from 'svc-sdk';
import { isObject } from '#sdk/protocol/json-object';
import { encodeStrictly } from './path-value';

/** Name and value, both encoded. */
export type Pair = readonly [name: string, value: string];

export interface ParameterStyle {
  name: string;
  style: string;
  explode: boolean;
}

export interface Writing {
  /** Checks and encodes a name or a value for its position. */
  encode: (text: string) => string;
  ctx: Pick<ActionContext, 'error'>;
}

/** Only the comma may be unescaped in an address, beside the `%2C` of a value. */
const SEPARATORS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' };
/** Levels of nested values, in a query or form. */
const MAX_LEVELS = 20;

/** A parameter of a query, a field of a form or a cookie, as pairs. An empty list gives no pair. */
export function queryPairs({ name, style, explode }: ParameterStyle, value: unknown, { encode, ctx }: Writing): Pair[] {
  const pair = (key: string, item: unknown): Pair => [encode(key), encode(textOf(item))];
  if (!Array.isArray(value) && !isObject(value)) return scalarPair(name, value, encode);
  if (style === 'deepObject') return bracketPairs(name, value, encode);
  const entries = isObject(value) ? Object.entries(value).filter(([, item]) => item !== null && item !== undefined) : undefined;
  if (explode) {
    if (entries) return entries.map(([key, item]) => pair(key, item));
    return (value as unknown[]).flatMap((item) => (item === null || item === undefined ? [] : [pair(name, item)]));
  }
  const items = (entries?.flat() ?? (value as unknown[])).map((item) => encode(textOf(item)));
  const separator = separatorOf(style);
  return items.length === 0 ? [] : [[encode(name), joined(name, items, separator === ',' ? separator : encode(separator), ctx)]];
}

export function encodedPair(name: string, value: string): Pair {
  return [encodeStrictly(name), encodeStrictly(value)];
}

export function joinPairs(pairs: readonly Pair[], separator: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(separator);
}

/** `{ a: { b: [1] } }` -> `name[a][b][0]=1`; a list of plain values has empty brackets: `name[]=1`. */
export function bracketPairs(name: string, value: unknown, encode: Writing['encode'], levels = MAX_LEVELS): Pair[] {
  if (levels === 0) return [[encode(name), encode(textOf(value))]];
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object');
    return value.flatMap((item, index) => bracketPairs(isPlain ? `${name}[]` : `${name}[${index}]`, item, encode, levels - 1));
  }
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => bracketPairs(`${name}[${key}]`, item, encode, levels - 1));
  return scalarPair(name, value, encode);
}

/** The text of a path segment. */
export function pathText({ name, style, explode }: ParameterStyle, value: unknown, { encode, ctx }: Writing): string {
  const key = encode(name);
  const isMap = isObject(value);
  const items = Array.isArray(value)
    ? value.map((item) => encode(textOf(item)))
    : isMap
      ? Object.entries(value).flatMap(([part, item]) =>
          explode ? [`${encode(part)}=${encode(textOf(item))}`] : [encode(part), encode(textOf(item))],
        )
      : [encode(textOf(value))];
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  const separator = separatorOf(style);
  if (style !== 'matrix') return joined(name, items, separator === ',' ? separator : encodeURIComponent(separator), ctx);
  if (explode && isMap) return `;${items.join(';')}`;
  return explode && Array.isArray(value) ? items.map((item) => `;${key}=${item}`).join('') : `;${key}=${items.join(',')}`;
}

/** The text of a header: style `simple`, or with another separator. Headers have no escapes. */
export function simpleText({ name, style, explode }: ParameterStyle, value: unknown, ctx: Writing['ctx']): string {
  if (!Array.isArray(value) && !isObject(value)) return textOf(value);
  const entries = isObject(value) ? Object.entries(value) : undefined;
  const items =
    entries?.flatMap(([key, item]) => (explode ? [`${key}=${textOf(item)}`] : [key, textOf(item)])) ?? (value as unknown[]).map(textOf);
  return joined(name, items, separatorOf(style), ctx);
}

function separatorOf(style: string): string {
  return (Object.hasOwn(SEPARATORS, style) ? SEPARATORS[style] : undefined) ?? ',';
}

function joined(name: string, items: readonly string[], separator: string, ctx: Writing['ctx']): string {
  if (!items.some((item) => item.includes(separator))) return items.join(separator);
  const shown = JSON.stringify(decodeURIComponent(separator));
  throw ctx.error(
    'INVALID_LIST_VALUE',
    `The API takes ${name} as one text with ${shown} between the values, so no value can hold ${shown}`,
  );
}

function scalarPair(name: string, value: unknown, encode: Writing['encode']): Pair[] {
  return value === null || value === undefined ? [] : [[encode(name), encode(String(value))]];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
