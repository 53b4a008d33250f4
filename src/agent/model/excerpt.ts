/** The beginning of a text of a model's server, for an error message. */
import { readableText } from '../../protocol/invisible-text';

const MAX_CHARS = 300;

/** @param key replaced before the text is cut: some servers repeat it */
export function excerptOf(text: string, key?: string): string {
  const safe = key ? text.replaceAll(key, '…') : text;
  const line = readableText(safe).replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).toWellFormed()}…` : line;
}
