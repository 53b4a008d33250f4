/** The beginning of a text of a model's server, for an error message. */
const MAX_CHARS = 300;

/** @param key replaced before the text is cut: some servers repeat it */
export function excerptOf(text: string, key?: string): string {
  const safe = key ? text.replaceAll(key, '…') : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach a terminal
  const line = safe.replace(/[\s\x00-\x1f\x7f]+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).toWellFormed()}…` : line;
}
