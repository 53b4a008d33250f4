/** Parses a JSON text. Returns any other text unchanged, since tool messages may be either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
