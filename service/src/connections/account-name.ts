/** The name of an account in the answer of a provider: the text or number at a JSON Pointer (RFC 6901). */
import { visibleText } from '../payload/clean-text';

export interface AccountPlace {
  url: string;
  /** JSON Pointer. */
  field: string;
}

const MAX_CHARS = 200;

export function readAccount(text: string, field: string): string | undefined {
  const value = valueAt(parsed(text), field);
  const name = typeof value === 'number' ? String(value) : value;
  if (typeof name !== 'string') return undefined;
  return visibleText(name.replace(/\s+/g, ' ').slice(0, MAX_CHARS)) || undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
