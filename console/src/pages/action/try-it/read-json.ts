/** Reads JSON that a person writes: its value, or the place of the mistake. Empty text has no value. */
export function readJson(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}
