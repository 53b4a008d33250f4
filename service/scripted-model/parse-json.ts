/** Parses a JSON text; any other text is itself, as tool messages may be either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
