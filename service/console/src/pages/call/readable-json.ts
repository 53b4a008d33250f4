import { parseExactJson } from '#sdk/protocol/exact-number';

/** JSON text with a line for each member. Text that is not JSON, such as truncated text, is unchanged. */
export function readable(json: string): string {
  try {
    return JSON.stringify(parseExactJson(json), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}
