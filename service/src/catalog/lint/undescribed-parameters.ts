import type { JsonObject } from '#sdk/protocol/json-object';
import { shorten } from '../../payload/in-words';
import type { ActionRule } from './action-rule';
import { nameWords } from './name-words';
import { type SchemaProperty, schemaProperties } from './schema-properties';

/** Names that leave open what is to be sent. */
const OPEN_WORDS: ReadonlySet<string> = new Set(
  `
  data value val input param params parameter argument arg args option options opts config cfg settings payload body object obj item key type kind
  mode flag info str num int bool arr list map json attr attrs attribute attributes spec meta metadata extra misc field custom
  `
    .trim()
    .split(/\s+/),
);
/** Pairs and axes that need no words. */
const PLAIN_LETTERS: ReadonlySet<string> = new Set(['id', 'x', 'y', 'z', 'to', 'cc', 'ip', 'os', 'url', 'lat', 'lng', 'lon']);
/** Keywords that describe what may be sent. */
const TELLING_KEYWORDS = ['description', 'title', 'enum', 'const', 'format', 'pattern', 'default', 'examples', 'example', 'properties'];
const MOST_NAMED = 5;
const MAX_NAME_CHARS = 60;

export const undescribedParameters: ActionRule = ({ payloadSchema }) => {
  const missing = schemaProperties(payloadSchema).filter((property) => !explainsItself(property));
  if (missing.length === 0) return undefined;
  const names = missing.slice(0, MOST_NAMED).map(({ path }) => shorten(path.slice(1).replaceAll('/', '.'), MAX_NAME_CHARS));
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return {
    rule: 'undescribed-parameters',
    severity: 'warning',
    message: `No text says what to send as ${names.join(', ')}${more}`,
    hint: 'Give each a description with its unit, format and an example: {"type": "string", "description": "Day, such as 2026-03-10"}. A search reads them too',
  };
};

function explainsItself({ name, parts }: SchemaProperty): boolean {
  return parts.some(tells) || !isOpen(name);
}

function tells(schema: JsonObject): boolean {
  return TELLING_KEYWORDS.some((keyword) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return typeof value === 'string' ? value.trim() !== '' : value !== undefined;
  });
}

function isOpen(name: string): boolean {
  const words = nameWords(name).filter((word) => !/^\d+$/.test(word));
  const isWord = (word: string) => !OPEN_WORDS.has(word) && (word.length > 2 || PLAIN_LETTERS.has(word));
  // A name in another script has no such words, and is accepted.
  return /^[\x20-\x7e]*$/.test(name) && !words.some(isWord);
}
