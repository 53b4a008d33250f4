/** The start of a text from a model's server, for an error message. */
import { readableText } from '../../protocol/invisible-text';

const MAX_CHARS = 300;

/** @param key removed from the text, since some servers repeat the key */
export function excerptOf(text: string, key?: string): string {
  const safe = key ? text.replaceAll(key, '…') : text;
  const line = readableText(safe).replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).toWellFormed()}…` : line;
}
