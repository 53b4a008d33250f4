/** JSON values in text inputs: a text that is not JSON is itself the value, so that people need no quotes. */
import { readJson } from './read-json';

export function readTyped(text: string): unknown {
  const read = readJson(text);
  return 'problem' in read || read.value === undefined ? text : read.value;
}

/** A text that `readTyped` reads as this value, and never a blank one. */
export function writeTyped(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' && readTyped(value) === value ? value : JSON.stringify(value);
}
