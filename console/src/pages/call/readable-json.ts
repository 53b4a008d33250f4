/** JSON text with a line for each member; text that is no JSON, such as what was cut, as it is. */
export function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}
