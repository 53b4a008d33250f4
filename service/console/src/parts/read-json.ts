import { parseExactJson } from '#sdk/protocol/exact-number';
import { isUnsafeNumber } from '#sdk/protocol/number-digits';

/** Parses typed JSON: returns its value, or the place of the mistake. Empty text has no value. The service refuses a number that loses digits. */
export function readJson(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: parseExactJson(text, isUnsafeNumber) };
  } catch (error) {
    return { problem: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}
