/**
 * Values -> the text of a parameter, by its style.
 *
 * Source: OpenAPI 3.1.1, "Style Values" and "Style Examples"; RFC 6570.
 */
import { isObject } from '../../protocol/json-object';

/** Name and value, neither encoded. */
export type Pair = readonly [name: string, value: string];

export interface ParameterStyle {
  name: string;
  style: string;
  explode: boolean;
}

const SEPARATORS: Record<string, string> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' };
/** Values inside of each other, in a query or form. */
const MAX_LEVELS = 20;

/** A parameter of a query, or a field of a form, as pairs. An empty list gives none. */
export function queryPairs({ name, style, explode }: ParameterStyle, value: unknown): Pair[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    if (style === 'deepObject') return bracketPairs(name, value);
    if (explode)
      return value.flatMap((item) =>
        isObject(item) || Array.isArray(item) ? [[name, JSON.stringify(item)] as const] : scalarPair(name, item),
      );
    return [[name, value.map(textOf).join(SEPARATORS[style] ?? ',')]];
  }
  if (!isObject(value)) return scalarPair(name, value);
  if (style === 'deepObject') return bracketPairs(name, value);
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  if (explode) return entries.map(([key, item]) => [key, textOf(item)]);
  return entries.length === 0 ? [] : [[name, entries.flatMap(([key, item]) => [key, textOf(item)]).join(SEPARATORS[style] ?? ',')]];
}

/** `{ a: { b: [1] } }` -> `name[a][b][0]=1`; a list of plain values has empty brackets: `name[]=1`. */
export function bracketPairs(name: string, value: unknown, levels = MAX_LEVELS): Pair[] {
  if (levels === 0) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object');
    return value.flatMap((item, index) => bracketPairs(isPlain ? `${name}[]` : `${name}[${index}]`, item, levels - 1));
  }
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => bracketPairs(`${name}[${key}]`, item, levels - 1));
  return scalarPair(name, value);
}

/** The text of a path segment. `write` checks and encodes each value. */
export function pathText({ name, style, explode }: ParameterStyle, value: unknown, write: (text: string) => string): string {
  const key = write(name);
  const isMap = isObject(value);
  const items = Array.isArray(value)
    ? value.map((item) => write(textOf(item)))
    : isMap
      ? Object.entries(value).flatMap(([part, item]) =>
          explode ? [`${write(part)}=${write(textOf(item))}`] : [write(part), write(textOf(item))],
        )
      : [write(textOf(value))];
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(style === 'simple' ? ',' : encodeURIComponent(SEPARATORS[style] ?? ','));
  if (explode && isMap) return `;${items.join(';')}`;
  return explode && Array.isArray(value) ? items.map((item) => `;${key}=${item}`).join('') : `;${key}=${items.join(',')}`;
}

/** The text of a header or a cookie: style `simple`, or the separator of another. */
export function simpleText({ style = 'simple', explode }: Partial<ParameterStyle>, value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(SEPARATORS[style] ?? ',');
  if (!isObject(value)) return textOf(value);
  return Object.entries(value)
    .flatMap(([key, item]) => (explode ? [`${key}=${textOf(item)}`] : [key, textOf(item)]))
    .join(',');
}

function scalarPair(name: string, value: unknown): Pair[] {
  return value === null || value === undefined ? [] : [[name, String(value)]];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
