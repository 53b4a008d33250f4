/** What a JSON text says; a text that is no JSON is itself, as tool messages may be either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
