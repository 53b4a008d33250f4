/**
 * The part of a payload or a result that the settings allow to store: first redacted, then cut, so that the cut leaves no part of a secret.
 *
 * Shape:  JSON text. A cut one ends with `…`, which no JSON text does.
 */
import type { KeptContent, Settings } from '#sdk/protocol/admin';
import { parseExactJson } from '#sdk/protocol/exact-number';
import { textStart } from '../payload/text-start';

export type ContentRules = Pick<Settings, 'content' | 'contentBytes' | 'redact'>;

const REDACTED = '[redacted]';
const CUT = '…';
const CUT_BYTES = 3;

/** Rules that allow only content that both allow. */
export function stricterOf(a: ContentRules, b: ContentRules): ContentRules {
  if (a === b) return a;
  const strict = (content: ContentRules['content']) => a.content === content || b.content === content;
  return {
    content: strict('off') ? 'off' : strict('errors') ? 'errors' : 'all',
    contentBytes: Math.min(a.contentBytes, b.contentBytes),
    redact: [...new Set([...a.redact, ...b.redact])],
  };
}

export function mayKeep({ content }: ContentRules, failed: boolean): boolean {
  return content === 'all' || (content === 'errors' && failed);
}

/** @param json JSON text */
export function keepContent(json: string, { redact, contentBytes }: ContentRules): string {
  const redacted = redactJson(json, namesOf(redact));
  const isShort = redacted.length * 3 <= contentBytes || Buffer.byteLength(redacted) <= contentBytes;
  return isShort ? redacted : textStart(redacted, contentBytes - CUT_BYTES) + CUT;
}

/** The content for the admin API. */
export function toKeptContent(kept: string): KeptContent {
  return kept.endsWith(CUT) ? { json: kept.slice(0, -CUT.length), cut: true } : { json: kept };
}

interface Names {
  /** The names in lower case. */
  all: ReadonlySet<string>;
  /** The names with the escapes of JSON. */
  inJson: readonly string[];
}

/** Redactors by list of names: the settings hold the same list from call to call. */
const known = new WeakMap<readonly string[], Names>();

function namesOf(redact: readonly string[]): Names {
  let names = known.get(redact);
  if (!names) {
    const all = new Set(redact.map((name) => name.toLowerCase()));
    names = { all, inJson: [...all].map((name) => JSON.stringify(name).slice(1, -1)) };
    known.set(redact, names);
  }
  return names;
}

function redactJson(json: string, names: Names): string {
  if (!mayName(json, names)) return json;
  try {
    return redactValue(parseExactJson(json), names);
  } catch (error) {
    // Nested too deep for the stack, so it cannot be searched for names.
    if (error instanceof RangeError) return JSON.stringify(REDACTED);
    throw error;
  }
}

function redactValue(value: unknown, names: Names): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (names.all.has(name.toLowerCase())) return REDACTED;
    return typeof member === 'string' ? redactText(member, names) : member;
  });
}

/** A text may be JSON, or contain some, as models and APIs write it. */
function redactText(text: string, names: Names): string {
  if (!mayName(text, names)) return text;
  const value = parsed(text);
  if (typeof value === 'object' && value !== null) return redactValue(value, names);
  return namesMember(text, names) ? REDACTED : text;
}

/** A cheap test that is false for most texts. A name can be escaped in JSON. */
function mayName(text: string, names: Names): boolean {
  if (text.includes('\\u') || text.includes('\\/')) return true;
  const lower = text.toLowerCase();
  return names.inJson.some((name) => lower.includes(name));
}

/** Whether the text contains `"name":`, also with single or escaped quotes. */
function namesMember(text: string, names: Names): boolean {
  for (const [, name = ''] of text.matchAll(/["']([^"'\\]{1,64})\\*["']\s*:/g)) if (names.all.has(name.toLowerCase())) return true;
  return false;
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
