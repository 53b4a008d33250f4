/**
 * Texts of a schema's author inside a type: none of them can end a comment, a line or a code block.
 *
 * Units: UTF-16 code units.
 */
import { printableJson, readableText } from './invisible-text';
import { isObject, type JsonObject } from './json-object';

const MAX_COMMENT_CHARS = 200;
const MAX_PATTERN_CHARS = 40;
const MAX_DEFAULT_CHARS = 30;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A value as JSON, with escapes in the place of comment ends and backticks. Undefined for what JSON has no text for. */
export function literal(value: unknown): string | undefined {
  const json = JSON.stringify(value) as string | undefined;
  return (
    json && printableJson(json).replaceAll('*/', String.raw`*\/`).replaceAll('/*', String.raw`\/*`).replaceAll('`', String.raw`\u0060`)
  );
}

export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : (literal(name) ?? name);
}

/** Range, default, pattern and description of a value, as a comment; empty without any. */
export function commentOf(schema: JsonObject): string {
  const parts = [range(schema), defaultOf(schema), patternOf(schema), description(schema)].filter((part) => part !== undefined);
  return parts.length > 0 ? `/*${parts.join(' ')}*/` : '';
}

/** @param maxChars longer texts end at a gap between words, with `…` */
export function commentText(text: string, maxChars = MAX_COMMENT_CHARS): string {
  // More of a long text is never shown.
  const start = text.slice(0, 4 * maxChars);
  const line = readableText(start)
    .replaceAll('`', '')
    .replace(/\*+\/|\/\*+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxChars && start.length === text.length) return line;
  const kept = line.slice(0, maxChars - 1);
  const gap = kept.lastIndexOf(' ');
  return `${gap > maxChars / 2 ? kept.slice(0, gap) : kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

function description(schema: JsonObject): string | undefined {
  return typeof schema.description === 'string' ? commentText(schema.description) || undefined : undefined;
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): string | undefined {
  const least = bound('', minimum) ?? bound('>', exclusiveMinimum) ?? '';
  const most = bound('', maximum) ?? bound('<', exclusiveMaximum) ?? '';
  return least || most ? `${least}..${most}` : undefined;
}

function bound(sign: string, value: unknown): string | undefined {
  return typeof value === 'number' ? `${sign}${value}` : undefined;
}

function defaultOf(schema: JsonObject): string | undefined {
  const text = schema.default === undefined ? undefined : literal(schema.default);
  return text !== undefined && text.length <= MAX_DEFAULT_CHARS ? `= ${text}` : undefined;
}

/** A pattern is shown as it is or not at all. */
function patternOf({ pattern }: JsonObject): string | undefined {
  const isShown = typeof pattern === 'string' && pattern.length <= MAX_PATTERN_CHARS && pattern !== '' && commentText(pattern) === pattern;
  return isShown ? `matches ${pattern}` : undefined;
}

/** The value of a property that a prototype has, such as `constructor`, is not one of the object. */
export function own(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
